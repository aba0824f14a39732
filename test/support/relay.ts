import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Which way bytes go: from whoever connected to the server, or back. */
export type Way = 'there' | 'back'

/** Passes connections on to a server; stalls, delays and cuts them. */
export class Relay {
  readonly #server: Server
  readonly #pairs = new Set<{ readonly client: Socket; readonly target: Socket }>()
  readonly #stalled = new Set<Way>()
  readonly #kept: { readonly to: Socket; readonly way: Way; readonly bytes: Buffer }[] = []
  #isCut = false
  /** How long bytes take, in milliseconds. */
  delayMs = 0
  /** Sees what comes, before it is passed on. */
  onBytes: ((bytes: Buffer, way: Way) => void) | undefined

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#server = createServer((client) => this.#join(client, target))
  }

  static async start(
    target: { readonly host: string; readonly port: number },
    listen: { readonly host: string; readonly port: number } = { host: '127.0.0.1', port: 0 },
  ): Promise<Relay> {
    const relay = new Relay(target)
    relay.#server.listen(listen.port, listen.host)
    await once(relay.#server, 'listening')
    return relay
  }

  get url(): string {
    const { address, port } = this.#server.address() as { address: string; port: number }
    return `nats://${address}:${port}`
  }

  /** Holds back what goes one way: the connections stay. */
  stall(...ways: Way[]): void {
    for (const way of ways) this.#stalled.add(way)
  }

  /** Ends all connections, with what is held back in them, and takes none. */
  cut(): void {
    this.#isCut = true
    this.reset()
  }

  /** Ends all connections: what was held back is lost. */
  reset(): void {
    this.#kept.length = 0
    for (const { client, target } of this.#pairs) {
      client.destroy()
      target.destroy()
    }
  }

  /** Lets everything through, in its order. */
  heal(): void {
    this.#isCut = false
    this.#stalled.clear()
    for (const { to, bytes } of this.#kept.splice(0)) if (!to.destroyed) to.write(bytes)
  }

  close(): void {
    this.reset()
    this.#server.close()
  }

  #join(client: Socket, at: { readonly host: string; readonly port: number }): void {
    if (this.#isCut) return void client.destroy()
    const target = connect(at)
    const pair = { client, target }
    this.#pairs.add(pair)
    this.#pass(client, target, 'there')
    this.#pass(target, client, 'back')
    for (const one of [client, target]) {
      one.on('error', () => undefined)
      one.on('close', () => {
        this.#pairs.delete(pair)
        client.destroy()
        target.destroy()
      })
    }
  }

  #pass(from: Socket, to: Socket, way: Way): void {
    const pass = (bytes: Buffer) => {
      if (this.#stalled.has(way)) this.#kept.push({ to, way, bytes })
      else if (!to.destroyed) to.write(bytes)
    }
    from.on('data', (bytes: Buffer) => {
      this.onBytes?.(bytes, way)
      // the same for all, so that their order stays
      if (this.delayMs === 0) pass(bytes)
      else setTimeout(() => pass(bytes), this.delayMs)
    })
  }
}
