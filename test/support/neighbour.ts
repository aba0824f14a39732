import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Act } from './acts.ts'
import { bundle } from './bundle.ts'

/** Another process on the same disk, with a memory and a clock of its own; whoever tells it something waits for it. */
export class Neighbour {
  readonly #worker: Worker
  readonly #port
  readonly #done = new Int32Array(new SharedArrayBuffer(4))

  private constructor(program: string) {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#worker = new Worker(program, {
      workerData: { port: port2, done: this.#done },
      transferList: [port2],
    })
    this.#worker.unref()
  }

  static async start(): Promise<Neighbour> {
    return new Neighbour(await bundle('workers/neighbour.ts'))
  }

  /** Forgets everything and opens a federation, as a new process does. */
  open(root: string): void {
    this.#tell({ open: root })
  }

  /** Does these acts one after the other; nothing else happens in this thread meanwhile. */
  perform(acts: readonly Act[]): void {
    this.#tell({ acts })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #tell(message: object): void {
    Atomics.store(this.#done, 0, 0)
    this.#port.postMessage(message)
    if (Atomics.wait(this.#done, 0, 0, 120_000) === 'timed-out') throw new Error('the neighbour hangs')
    const answer = receiveMessageOnPort(this.#port)?.message as { failure?: string }
    if (answer.failure !== undefined) throw new Error(`the neighbour failed: ${answer.failure}`)
  }
}
