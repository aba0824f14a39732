import { unless } from '../../errors/unless.ts'
import { FedError, RefusedError } from '../../errors/fed-error.ts'
import { ChannelError } from '../../errors/session-errors.ts'
import { now } from '../../protocol/time.ts'
import { federationLayout, workspaceLayout } from '../../protocol/folder-layout.ts'
import { directoryHints } from '../../records/signals/watch.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { Alarm } from './alarm.ts'
import { Answering, type AnsweringParts } from './answering.ts'
import { takeUp } from './intake.ts'
import { restBefore } from './pace.ts'
import { passOver, type Unsaid } from './speaking.ts'
import { brief } from './team-lines.ts'

interface Parts extends AnsweringParts {
  /**
   * Who may command now, undefined when everybody may.
   * @throws {FedError} where that is not known.
   */
  readonly allowedSenders: () => readonly string[] | undefined
  /** What ends its rests early; one of its own where there is none. */
  readonly alarm?: Pick<Alarm, 'ring' | 'next'>
}

/** What came of a look at the channel, or of carrying on without one. */
interface Attempt {
  /** What failed for now; undefined where nothing did. */
  readonly trouble: string | undefined
  /** False where that kept people from being heard. */
  readonly isHeard: boolean
  /** Whether anything was read, done or said, or commands still wait. */
  readonly hasHappened: boolean
}

/**
 * The chat presence bridge (spec §6): looks at the channel in its rhythm, takes up what is said to the federation, and
 * has it answered in the thread (see `Answering`).
 */
export class Bridge {
  readonly #parts: Parts
  readonly #alarm: Pick<Alarm, 'ring' | 'next'>
  readonly #answering: Answering
  #isOver = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#alarm = parts.alarm ?? new Alarm()
    this.#answering = new Answering(parts, () => this.#alarm.ring('ledger'))
  }

  /** Begins nothing more: what has no answer yet is left to the next bridge. */
  end(): void {
    this.#isOver = true
    this.#answering.end()
  }

  /**
   * Does all that can be done now, to its end.
   * @returns how many messages still wait, because they came too fast.
   * @throws {ChannelError} when the channel does not answer.
   */
  async once(): Promise<number> {
    let unsaid = await this.#poll().catch((error: unknown) => {
      if (error instanceof ChannelError) this.#note(error.message, { isUnheard: true })
      throw error
    })
    while (this.#answering.talk !== undefined) {
      await this.#answering.talk
      unsaid = await this.#answering.carryOn()
    }
    if (unsaid !== undefined) throw unsaid.error
    return this.#parts.lease.read().claims.length
  }

  /**
   * Goes on until it is interrupted. A channel that fails, or in which nothing happens and each look is costly, is
   * looked at less and less often.
   * @param onTrouble gets the reason when the channel fails, and undefined when it works again.
   * @throws {RefusedError} when another process took over.
   */
  async run(
    intervalMs: number,
    signal: AbortSignal,
    onTrouble: (message: string | undefined) => void,
  ): Promise<void> {
    const { channel, federation } = this.#parts
    const ends = [
      channel.watch?.(() => this.#alarm.ring('channel')),
      endOf(directoryHints(federationLayout(federation.root).chat, () => this.#alarm.ring('ledger'))),
      endOf(directoryHints(workspaceLayout(federation.root).inbox, () => this.#alarm.ring('ledger'))),
    ]
    let idle = 0
    let told: string | undefined
    try {
      for (let lookAt = 0; !signal.aborted;) {
        const isLook = performance.now() >= lookAt
        const { trouble, isHeard, hasHappened } = await this.#attempt(isLook)
        if (trouble !== told) onTrouble(trouble)
        told = trouble
        if (hasHappened) idle = 0
        else if (isLook || !isHeard) idle += 1
        const isFree = isHeard && !channel.isCostly
        const next = performance.now() + restBefore(intervalMs, isFree ? 0 : idle)
        // what is said meanwhile puts off no look
        if (isLook || !isHeard) lookAt = next
        else if (hasHappened) lookAt = Math.min(lookAt, next)
        if (await this.#rest(lookAt, isHeard, signal)) lookAt = 0
      }
    } finally {
      for (const end of ends) end?.()
    }
  }

  /**
   * Waits until a time, or until there is something to do. A channel that fails is left alone until then.
   * @param until on the clock of `performance.now`, in milliseconds.
   * @returns whether something was said in the channel: then it is to be looked at now.
   */
  async #rest(until: number, isHeard: boolean, signal: AbortSignal): Promise<boolean> {
    for (
      let left = until - performance.now();
      left > 0 && !signal.aborted;
      left = until - performance.now()
    ) {
      const why = await this.#alarm.next(left, signal)
      if (why === 'channel') return true
      if (why === 'ledger' && isHeard) return false
    }
    return false
  }

  /**
   * Looks at the channel, or carries on without a look. An error that may pass is noted and returned.
   * @throws {RefusedError} when another process took over.
   */
  async #attempt(isLook: boolean): Promise<Attempt> {
    try {
      const before = this.#traces()
      const unsaid = await (isLook ? this.#poll() : this.#answering.carryOn())
      const trouble = unsaid?.error.message
      if (trouble !== undefined) this.#note(trouble)
      const hasHappened = this.#traces() !== before || this.#parts.lease.read().claims.length > 0
      return { trouble, isHeard: true, hasHappened }
    } catch (error) {
      if (error instanceof RefusedError) throw error
      // a full disk has room again some time
      if (!(error instanceof FedError || isSystemError(error))) throw error
      if (this.#isOver) return { trouble: undefined, isHeard: true, hasHappened: false }
      const { message } = error as Error
      this.#note(message, { isUnheard: true })
      return { trouble: message, isHeard: false, hasHappened: false }
    }
  }

  /** How far the channel was read, and what was last done and said, as a text to compare with a later one. */
  #traces(): string {
    const { place, handled, said } = this.#parts.lease.read()
    return JSON.stringify([place, handled.at(-1)?.id, said.at(-1)])
  }

  #note(text: string, more: { readonly isUnheard?: true } = {}): void {
    if (this.#isOver) return
    const trouble = { at: now(), message: brief(text), ...more }
    unless(isSystemError, () =>
      this.#parts.lease.update((ledger) =>
        ledger.trouble?.message === trouble.message && ledger.trouble.isUnheard === more.isUnheard
          ? ledger
          : { ...ledger, trouble },
      ),
    )
  }

  async #poll(): Promise<Unsaid | undefined> {
    const { lease, channel, federation, name, allowedSenders, conversation } = this.#parts
    // what cannot be said now does not keep others from being heard
    const unsaid = await this.#answering.carryOn()
    const reading = await channel.read(lease.read().place)
    const teams = federation.registry.read().teams.map(({ domainId }) => domainId)
    const audience = { name, allowedSenders: allowedSenders(), teams, hasAgent: conversation !== undefined }
    lease.update((ledger) => {
      const taken = takeUp(ledger, reading, audience)
      if (unsaid !== undefined) return passOver(taken, unsaid)
      return taken.trouble === undefined ? taken : { ...taken, trouble: undefined }
    })
    return this.#answering.carryOn()
  }
}

function endOf(hints: { close(): void } | undefined): () => void {
  return () => hints?.close()
}
