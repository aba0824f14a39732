import { LastChange } from '../../platform/storage/last-change.ts'
import { FedError } from '../../errors/fed-error.ts'
import type { Federation } from '../../federation/federation.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { carryOut, withoutModel, type Result } from './carry-out.ts'
import type { Channel } from './channel.ts'
import type { Lease } from './channel-lease.ts'
import type { Claim, LedgerDraft } from './chat-ledger.ts'
import { lastNamed, noteNamed } from './last-named.ts'
import { clockTime, hasRoom } from './pace.ts'
import { postOf } from './post-text.ts'
import { sayQueued, type Unsaid } from './speaking.ts'
import { brief } from './team-lines.ts'
import type { Standing } from './whom.ts'
import { META } from '../../protocol/team-id.ts'
import { isAnswerTo } from '../../records/signals/answer-link.ts'
import { archivedSignals } from '../../records/signals/archive-months.ts'

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

/** Where answers come from, and where they go. */
export interface AnsweringParts {
  readonly federation: Federation
  readonly channel: Channel
  /** What people call the federation. */
  readonly name: string
  readonly lease: Lease
  /** Undefined where there is no model to ask. */
  readonly conversation: Conversation | undefined
}

/**
 * Answers what was taken up: carries each command out once, asks the agent what code does not understand, and posts
 * what comes of both. Everything stands in the ledger before it is done.
 */
export class Answering {
  readonly #parts: AnsweringParts
  readonly #onAnswer: () => void
  #talk: Promise<void> | undefined
  #saying: Promise<unknown> = Promise.resolve()
  #isOver = false
  readonly #inbox: LastChange

  /** @param onAnswer is called when the agent has answered, and there may be another message for it. */
  constructor(parts: AnsweringParts, onAnswer: () => void) {
    this.#parts = parts
    this.#onAnswer = onAnswer
    this.#inbox = new LastChange(workspaceLayout(parts.federation.root).inbox)
  }

  /** Begins nothing more: what has no answer yet is left to the next bridge. */
  end(): void {
    this.#isOver = true
  }

  /** The agent's work at one message; undefined while it has none. */
  get talk(): Promise<void> | undefined {
    return this.#talk
  }

  /** Carries out the commands that were taken up, and posts what is queued. @returns a post that failed. */
  async carryOn(): Promise<Unsaid | undefined> {
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
      .then(this.#onAnswer)
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

/** Takes the answers that teams have given into the threads where they were asked for, however late they come. */
function takeAnswers(before: LedgerDraft, federation: Federation): LedgerDraft {
  const [first] = before.asked.map(({ at }) => at).toSorted((a, b) => Date.parse(a) - Date.parse(b))
  if (first === undefined) return before
  // they may have been put away before a bridge looked
  const mail = [...federation.mailbox(META).all(), ...archivedSignals(federation.root, first)]
  const posts = [...before.posts]
  const asked = before.asked.filter(({ signal, team, subject, thread }) => {
    const question = { id: signal, from: META, to: team }
    const answer = mail.find((one) => one.from === team && isAnswerTo(question, one))
    if (answer === undefined) return true
    const words = answer.body.trim() || answer.subject
    posts.push(postOf(before.id, `answer/${signal}`, thread, `${team} answers “${subject}”:\n${words}`))
    return false
  })
  return asked.length === before.asked.length ? before : { ...before, asked, posts }
}
