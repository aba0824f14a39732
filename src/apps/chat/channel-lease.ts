import { v4 as uuid } from 'uuid'
import { FedError, RefusedError } from '../../errors/fed-error.ts'
import { identify, isRunning } from '../../platform/process/process-identity.ts'
import { now } from '../../protocol/time.ts'
import type { ChatLedger, Ledger, LedgerDraft } from './chat-ledger.ts'

/** The process that works for a channel. */
type Worker = NonNullable<Ledger['worker']>

/** Longest that a summary takes to be posted by an agent host, in milliseconds. */
const summaryMs = 120_000
const lookMs = 100

/** The process that works for a channel now, if any does: one that died holds nothing. */
export function workerOf(ledger: Pick<Ledger, 'worker'> | undefined): Worker | undefined {
  const worker = ledger?.worker
  return worker !== undefined && isRunning(worker) ? worker : undefined
}

/**
 * A process's right to speak in a channel. It is a fact in the ledger and no lock: a dead process has none, and
 * every commit of one that was overtaken fails.
 */
export class Lease {
  readonly ledger: ChatLedger
  readonly id: string

  private constructor(ledger: ChatLedger, id: string) {
    this.ledger = ledger
    this.id = id
  }

  /**
   * Takes up the work for a channel.
   * @throws {RefusedError} when another process does it.
   */
  static take(ledger: ChatLedger, kind: Worker['kind']): Lease {
    const self = identify(process.pid)
    if (self === undefined) throw new FedError('the system does not tell when this process started')
    const id = uuid()
    const since = now()
    ledger.update((before) => {
      const other = workerOf(before)
      if (other !== undefined) throw worksAlready(other)
      return { ...before, worker: { lease: id, kind, ...self, since } }
    })
    return new Lease(ledger, id)
  }

  /**
   * The same for a bridge, which lets somebody finish who only posts a summary at this moment.
   * @throws {RefusedError} when another bridge works for the channel.
   */
  static async await(ledger: ChatLedger): Promise<Lease> {
    for (const deadline = performance.now() + summaryMs; ;) {
      const other = workerOf(ledger.read())
      if (other?.kind !== 'summary' || performance.now() > deadline) return Lease.take(ledger, 'bridge')
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  }

  read(): LedgerDraft {
    return this.#own(this.ledger.read())
  }

  /** @throws {RefusedError} when another process has taken over. */
  update(change: (ledger: LedgerDraft) => LedgerDraft): LedgerDraft {
    return this.ledger.update((before) => change(this.#own(before)))
  }

  /** Gives the right back, unless `isDone` finds something that came meanwhile. */
  release(isDone: (ledger: LedgerDraft) => boolean = () => true): boolean {
    let isReleased = true
    this.ledger.update((before) => {
      if (before.worker?.lease !== this.id) return before
      isReleased = isDone(before)
      return isReleased ? { ...before, worker: undefined } : before
    })
    return isReleased
  }

  #own<Content extends Pick<Ledger, 'worker'>>(ledger: Content | undefined): Content {
    if (ledger?.worker?.lease === this.id) return ledger
    throw new RefusedError('another process works for this channel meanwhile; this one ends')
  }
}

function worksAlready({ pid, kind, since }: Worker): RefusedError {
  return new RefusedError(
    kind === 'bridge'
      ? `a bridge works for this channel already, as process ${pid} since ${since}; 'fed chat --stop' ends it`
      : `process ${pid} posts a summary to this channel at this moment; try again`,
  )
}
