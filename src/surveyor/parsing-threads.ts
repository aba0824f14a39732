import { Worker } from 'node:worker_threads'
import { program } from '../platform/process/package.ts'
import type { FileFacts } from './facts.ts'

export interface ParsingJob {
  readonly number: number
  readonly file: string
  readonly bytes: Uint8Array
}

export interface ParsingAnswer {
  readonly number: number
  readonly facts: FileFacts
}

/** Bytes that wait in a thread at most: enough that it never runs dry, so few that nobody waits for it at the end. */
const MOST_WAITING = 200_000

interface Order {
  readonly size: number
  readonly settle: (facts: FileFacts) => void
  readonly fail: (error: Error) => void
}

class Thread {
  waiting = 0
  readonly #worker: Worker
  readonly #orders = new Map<number, Order>()
  #failure: Error | undefined
  #last = 0

  constructor(entry: string) {
    this.#worker = new Worker(entry)
    this.#worker.on('message', ({ number, facts }: ParsingAnswer) => {
      const order = this.#orders.get(number)
      this.#orders.delete(number)
      this.waiting -= order?.size ?? 0
      order?.settle(facts)
    })
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () =>
      this.#fail(new Error('a thread that parses ended before its work was done')),
    )
  }

  parse(file: string, bytes: Buffer): Promise<FileFacts> {
    return new Promise((settle, fail) => {
      if (this.#failure !== undefined) return fail(this.#failure)
      this.#last += 1
      this.#orders.set(this.#last, { size: bytes.length, settle, fail })
      this.waiting += bytes.length
      this.#worker.postMessage({ number: this.#last, file, bytes } satisfies ParsingJob)
    })
  }

  close(): void {
    void this.#worker.terminate()
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { fail } of this.#orders.values()) fail(this.#failure)
    this.#orders.clear()
  }
}

/** Threads that parse beside the one that asks. What ends one of them ends the answers that it owes, as an error. */
export class ParsingThreads {
  readonly #threads: Thread[]

  constructor(count: number, entry: string = program('parsing-thread')) {
    this.#threads = Array.from({ length: count }, () => new Thread(entry))
  }

  /** Undefined where all have enough to do. */
  parse(file: string, bytes: Buffer): Promise<FileFacts> | undefined {
    const free = this.#threads.find(({ waiting }) => waiting < MOST_WAITING)
    return free?.parse(file, bytes)
  }

  close(): void {
    for (const thread of this.#threads) thread.close()
  }
}
