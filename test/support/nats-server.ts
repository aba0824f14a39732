import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { newFolder } from './federation.ts'
import { until } from './until.ts'

/** Debian puts it where only root's shell looks. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` }

/** Tests that need servers are skipped, and counted so, where none is installed. */
export const hasServer = spawnSync('nats-server', ['--version'], { env }).status === 0
if (!hasServer) process.stderr.write('no nats-server: what needs one is skipped\n')

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export interface ServerSettings {
  /** More of its settings' file. */
  readonly settings?: string
  /** Left out for a server without JetStream. */
  readonly hasStreams?: boolean
  readonly host?: string
  readonly port?: number
  /** Where its settings lie, and what they include. */
  readonly folder?: string
  /** Where its streams lie. */
  readonly store?: string | undefined
  /** The words of a program that starts it, such as `ip netns exec <name>`. */
  readonly before?: readonly string[]
}

/** A server with its streams in a folder of its own; it may be killed and started again. */
export class NatsServer {
  readonly url: string
  readonly #words: readonly string[]
  readonly #log: string
  #child: ChildProcess | undefined

  constructor({
    settings = '',
    hasStreams = true,
    host = '127.0.0.1',
    port = 4222,
    ...places
  }: ServerSettings) {
    const { folder = newFolder('nats'), before = [] } = places
    const file = path.join(folder, `server-${port}.conf`)
    const store = places.store ?? path.join(newFolder('store'), 'store')
    this.url = `nats://${host}:${port}`
    this.#log = path.join(newFolder('log'), 'server.log')
    this.#words = [...before, 'nats-server', '-c', file]
    // a stream reserves what it may hold, and there is one for each test
    const streams = hasStreams ? `jetstream { store_dir: "${store}", max_file_store: 10TB }\n` : ''
    writeFileSync(file, `listen: "${host}:${port}"\nlog_file: "${this.#log}"\n${streams}${settings}\n`)
  }

  /** One server for itself, on a free port of this machine. */
  static async start(settings: ServerSettings = {}): Promise<NatsServer> {
    const server = new NatsServer({ port: await freePort(), ...settings })
    server.begin()
    await server.answers()
    return server
  }

  begin(): void {
    const [program = '', ...args] = this.#words
    const child = spawn(program, args, { stdio: 'ignore', env })
    running.add(child)
    child.once('exit', () => running.delete(child))
    this.#child = child
  }

  /** Resolves when it takes connections, also where it refuses whoever has no key. */
  async answers(): Promise<void> {
    await until(`a server at ${this.url}`, async () => {
      if (this.#isGone) throw new Error(`nats-server ended at once: ${this.log()}`)
      const tried = await connect({ servers: this.url, timeout: 1000, reconnect: false }).catch(String)
      if (typeof tried === 'string') return /authorization|tls|certificate/i.test(tried)
      await (tried as NatsConnection).close()
      return true
    })
  }

  /** What it wrote of itself. */
  log(): string {
    return existsSync(this.#log) ? readFileSync(this.#log, 'utf8') : ''
  }

  get #isGone(): boolean {
    return this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined || this.#isGone) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
}

/** Three servers that keep everything together, with a leader; the first have their streams in the folders given. */
export async function startCluster({ stores = [] }: { readonly stores?: readonly string[] } = {}): Promise<
  NatsServer[]
> {
  const ports = await Promise.all([1, 2, 3].map(freePort))
  const routes = await Promise.all([1, 2, 3].map(freePort))
  const all = routes.map((route) => `"nats://127.0.0.1:${route}"`).join(', ')
  const nodes = ports.map((port, at) => {
    const cluster = `cluster { name: c, listen: "127.0.0.1:${routes[at]}", routes: [${all}] }`
    const store = stores[at] === undefined ? undefined : path.join(stores[at], 'store')
    return new NatsServer({ port, store, settings: `server_name: n${at}\n${cluster}` })
  })
  for (const node of nodes) node.begin()
  for (const node of nodes) await node.answers()
  await until('a cluster of three', () => nodes.some((node) => /new metadata leader/.test(node.log())))
  return nodes
}

/** A port on which nothing listens now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
