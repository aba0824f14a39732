import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect } from '@nats-io/transport-node'
import { newFolder } from './federation.ts'
import { until } from './until.ts'

/** Tests that need servers are skipped, and counted so, where none is installed. */
export const hasServer = spawnSync('nats-server', ['--version']).status === 0

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A server with its streams in a folder of its own; it may be killed and started again. */
export class NatsServer {
  readonly url: string
  readonly #args: readonly string[]
  readonly #before: readonly string[]
  #child: ChildProcess | undefined

  /** @param before the words of a program that starts it, such as `ip netns exec <name>`. */
  constructor(url: string, args: readonly string[], before: readonly string[] = []) {
    this.url = url
    this.#args = args
    this.#before = before
  }

  /** One server for itself. */
  static async start(): Promise<NatsServer> {
    const port = await freePort()
    const server = new NatsServer(`nats://127.0.0.1:${port}`, [
      '-c',
      settingsFile(`listen: 127.0.0.1:${port}`),
    ])
    server.begin()
    await server.answers()
    return server
  }

  begin(): void {
    const [program = '', ...args] = [...this.#before, 'nats-server', ...this.#args]
    const child = spawn(program, args, { stdio: 'ignore' })
    running.add(child)
    child.once('exit', () => running.delete(child))
    this.#child = child
  }

  /** Resolves when it takes connections. */
  async answers(): Promise<void> {
    await until(`a server at ${this.url}`, async () => {
      const connection = await connect({ servers: this.url, timeout: 1000, reconnect: false }).catch(
        () => undefined,
      )
      await connection?.close()
      return connection !== undefined
    })
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
}

/** A server's file of settings, with a store of its own. */
export function settingsFile(settings: string): string {
  const folder = newFolder('nats')
  const file = path.join(folder, 'nats.conf')
  // a stream reserves what it may hold, and there is one for each test
  const store = `jetstream { store_dir: "${path.join(folder, 'store')}", max_file_store: 10TB }`
  writeFileSync(file, `${settings}\n${store}\n`)
  return file
}

/** A port on which nothing listens now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return (address as { port: number }).port
}
