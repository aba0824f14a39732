import { unless } from '../../errors/unless.ts'
import { FedError, RefusedError } from '../../errors/fed-error.ts'
import { ChannelError } from '../../errors/session-errors.ts'
import type { Federation } from '../../federation/federation.ts'
import { now } from '../../protocol/time.ts'
import { federationLayout, workspaceLayout } from '../../protocol/folder-layout.ts'
import { directoryHints } from '../../records/signals/watch.ts'
import { LastChange } from '../../platform/storage/last-change.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { clockTime } from './message-age.ts'
import { Alarm } from './alarm.ts'
import { takeAnswers } from './take-answers.ts'
import type { Channel } from './channel.ts'
import { carryOut, withoutModel, type Result } from './carry-out.ts'
import { takeUp } from './intake.ts'
import { lastNamed, noteNamed } from './last-named.ts'
import type { Claim } from './chat-ledger.ts'
import { hasRoom, restBefore } from './pace.ts'
import { postOf } from './post-text.ts'
import { passOver, sayQueued, type Unsaid } from './speaking.ts'
import { brief } from './team-lines.ts'
import type { Standing } from './whom.ts'
import type { Lease } from './channel-lease.ts'

/** An agent that answers what code does not understand, in one session for all messages. */
export interface Conversation {
  /**
   * The agent's answer to a message.
   * @param question what to answer; `again` says whether a process that was killed has asked it before.
   * @throws {FedError} saying why there is no answer.
   */
  answer(question: {
    readonly sender: string
    readonly text: string
    readonly again: boolean
  }): Promise<string>
}

interface Parts {
  readonly federation: Federation
  readonly channel: Channel
  /** What people call the federation. */
  readonly name: string
  /**
   * Who may command now, undefined when everybody may.
   * @throws {FedError} where that is not known.
   */
  readonly allowedSenders: () => readonly string[] | undefined
  readonly lease: Lease
  /** Undefined where there is no model to ask. */
  readonly conversation: Conversation | undefined
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
 * The chat presence bridge (spec §6): reads what is said to the federation, carries each command out once, and
 * answers in the thread. Everything that must survive it stands in the ledger before it acts.
 */
export class Bridge {
  readonly #parts: Parts
  readonly #alarm: Pick<Alarm, 'ring' | 'next'>
  #talk: Promise<void> | undefined
  #saying: Promise<unknown> = Promise.resolve()
  #isOver = false
  readonly #inbox: LastChange

  constructor(parts: Parts) {
    this.#parts = parts
    this.#alarm = parts.alarm ?? new Alarm()
    this.#inbox = new LastChange(workspaceLayout(parts.federation.root).inbox)
  }

  /** Begins nothing more: what has no answer yet is left to the next bridge. */
  end(): void {
    this.#isOver = true
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
    while (this.#talk !== undefined) {
      await this.#talk
      unsaid = await this.#carryOn()
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
      const unsaid = await (isLook ? this.#poll() : this.#carryOn())
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
    const unsaid = await this.#carryOn()
    const reading = await channel.read(lease.read().place)
    const teams = federation.registry.read().teams.map(({ domainId }) => domainId)
    const audience = { name, allowedSenders: allowedSenders(), teams, hasAgent: conversation !== undefined }
    lease.update((ledger) => {
      const taken = takeUp(ledger, reading, audience)
      if (unsaid !== undefined) return passOver(taken, unsaid)
      return taken.trouble === undefined ? taken : { ...taken, trouble: undefined }
    })
    return this.#carryOn()
  }

  /** Carries out the commands that were taken up, and posts what is queued. @returns a post that failed. */
  async #carryOn(): Promise<Unsaid | undefined> {
    const { lease, federation } = this.#parts
    if (lease.read().asked.length > 0 && this.#inbox.happened()) {
      lease.update((ledger) => takeAnswers(ledger, federation))
    }
    // who was heard knows it before anything that takes long
    let unsaid = await this.#say()
    for (let claim = this.#next(); claim !== undefined; claim = this.#next()) {
      this.#finish(claim, await this.#resultOf(claim))
      unsaid = await this.#say()
    }
    this.#converse()
    return unsaid
  }

  /** Posts what is queued, one call after the other: two at once could both post the same. */
  #say(): Promise<Unsaid | undefined> {
    const { lease, channel } = this.#parts
    const saying = this.#saying.then(() => sayQueued(lease, channel))
    this.#saying = saying.catch(() => undefined)
    return saying
  }

  /** The next command that needs no agent and whose sender has not had too many answers lately. */
  #next(): Claim | undefined {
    if (this.#isOver) return undefined
    const ledger = this.#parts.lease.read()
    return ledger.claims.find(
      ({ command, sender }) =>
        (command.kind !== 'free' || this.#parts.conversation === undefined) && hasRoom(ledger, sender),
    )
  }

  async #resultOf(claim: Claim): Promise<Result> {
    const { command } = claim
    const standing = this.#standing(claim)
    if (command.kind === 'free') return { text: withoutModel(standing, command.text) }
    try {
      return await carryOut(standing, { ...claim, command })
    } catch (error) {
      if (!(error instanceof Error)) throw error
      // an answer all the same: a command that fails must not be tried for ever
      return { text: `That failed: ${brief(error.message)}` }
    }
  }

  #standing(claim: Claim): Standing {
    const { federation, name, lease } = this.#parts
    const ledger = lease.read()
    return { federation, name, ledger: ledger.id, last: lastNamed(ledger, claim) }
  }

  /** Notes what came of a command together with the answer that is to be said. */
  #finish({ id, sender, thread }: Claim, { text, asked = [], about }: Result): void {
    this.#parts.lease.update((ledger) => {
      const claim = ledger.claims.find((one) => one.id === id)
      if (claim === undefined) return ledger
      const times = claim.times > 1 ? ` (said ${claim.times} times, done once)` : ''
      return {
        ...ledger,
        claims: ledger.claims.filter((one) => one !== claim),
        handled: [...ledger.handled, { id, done: clockTime(), answered: sender }],
        posts: [...ledger.posts, postOf(ledger.id, `reply/${id}`, thread, `${text}${times}`)],
        asked: [...ledger.asked, ...asked],
        named: about === undefined ? ledger.named : noteNamed(ledger, claim, about),
      }
    })
  }

  /** Asks the agent one message at a time, in the background: other commands do not wait for its answer. */
  #converse(): void {
    const { lease, conversation } = this.#parts
    if (conversation === undefined || this.#talk !== undefined || this.#isOver) return
    const ledger = lease.read()
    const claim = ledger.claims.find(
      ({ command, sender }) => command.kind === 'free' && hasRoom(ledger, sender),
    )
    if (claim === undefined) return
    this.#talk = this.#ask(conversation, claim)
      .then(() => this.#alarm.ring('ledger'))
      .finally(() => (this.#talk = undefined))
    // what fails here fails for whoever reads the ledger next as well
    this.#talk.catch(() => undefined)
  }

  async #ask(conversation: Conversation, claim: Claim): Promise<void> {
    const { sender, command, begun } = claim
    if (command.kind !== 'free') return
    const begin = (one: Claim) => (one.id === claim.id ? { ...one, begun: true } : one)
    this.#parts.lease.update((ledger) => ({ ...ledger, claims: ledger.claims.map(begin) }))
    let text: string
    try {
      text = (await conversation.answer({ sender, text: command.text, again: begun })).trim()
      if (text === '') text = 'The agent said nothing to that.'
    } catch (error) {
      if (!(error instanceof FedError)) throw error
      // nobody was asked to the end: the next bridge asks again
      if (this.#isOver) return
      text = `I could not find an answer: ${brief(error.message)}`
    }
    this.#finish(claim, { text })
    await this.#say()
  }
}

function endOf(hints: { close(): void } | undefined): () => void {
  return () => hints?.close()
}
