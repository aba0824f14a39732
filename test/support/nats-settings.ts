import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { newFolder } from './federation.ts'
import { until } from './until.ts'

/** Debian puts it where only root's shell looks. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` }

/** Whether there is a nats-server to test with. */
export const hasNats = spawnSync('nats-server', ['--version'], { env }).status === 0
if (!hasNats) process.stderr.write('no nats-server: what needs one is skipped\n')

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Whether somebody listens there. */
export async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** A nats-server of this test. */
export interface NatsServer {
  readonly port: number
  /** `nats://127.0.0.1:<port>`. */
  readonly address: string
  readonly pid: number
  /** What it wrote of itself. */
  log(): string
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface NatsSettings {
  /** More of its settings' file. */
  readonly settings?: string
  /** Left out for a server without JetStream. */
  readonly hasStreams?: boolean
  readonly port?: number
  readonly folder?: string
}

/** Starts a server on a free port of this machine, and waits until it answers. */
export async function startNats({
  settings = '',
  hasStreams = true,
  port: wanted,
  folder = newFolder('nats'),
}: NatsSettings = {}): Promise<NatsServer> {
  const port = wanted ?? (await freePort())
  const file = path.join(folder, `server-${port}.conf`)
  const log = path.join(folder, `server-${port}.log`)
  const streams = hasStreams ? `jetstream { store_dir: "${path.join(folder, `store-${port}`)}" }\n` : ''
  writeFileSync(file, `listen: "127.0.0.1:${port}"\nlog_file: "${log}"\n${streams}${settings}\n`)
  const child = spawn('nats-server', ['-c', file], { stdio: 'ignore', env })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const text = () => readFileSync(log, 'utf8')
  await until(`a nats-server on port ${port}`, () => {
    if (child.exitCode !== null) throw new Error(`nats-server ended at once: ${text()}`)
    return answers(port)
  })
  return {
    port,
    address: `nats://127.0.0.1:${port}`,
    pid: child.pid as number,
    log: text,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}

/** Three servers that keep everything together, with a leader. */
export async function startCluster(settings = ''): Promise<NatsServer[]> {
  const folder = newFolder('nats-cluster')
  const ports = await Promise.all([1, 2, 3].map(() => freePort()))
  const routes = await Promise.all([1, 2, 3].map(() => freePort()))
  const nodes = await Promise.all(
    ports.map((port, index) =>
      startNats({
        port,
        folder,
        settings: `server_name: n${index}\ncluster { name: c, listen: "127.0.0.1:${routes[index]}", routes: [${routes.map((route) => `"nats://127.0.0.1:${route}"`).join(', ')}] }\n${settings}`,
      }),
    ),
  )
  await until('a cluster of three', () =>
    nodes.some((node) => /JetStream cluster new metadata leader/.test(node.log())),
  )
  return nodes
}
