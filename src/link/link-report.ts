import type { FedError } from '../errors/fed-error.ts'
import { now } from '../protocol/time.ts'
import { writeLinkState, type LinkState } from '../records/sites/link-state.ts'

/** What a running link tells whoever started it. */
export interface LinkEvent {
  readonly kind: 'connected' | 'set-up' | 'trouble' | 'caught-up' | 'levelled' | 'refused'
  readonly words: string
}

/** What it tells of itself when nothing but counts and times changed is as old as this at most, in milliseconds. */
const tellMs = 5000
const mostNotes = 20

/** What a link tells of itself: to whoever started it, and in its file of state. */
export class LinkReport {
  readonly #root: string
  readonly #onEvent: (event: LinkEvent) => void
  #notes: string[] = []
  #told = { text: '', atMs: -Infinity }
  /** Why the servers do not do what they should. */
  trouble: string | null = null

  constructor(root: string, onEvent: (event: LinkEvent) => void = () => {}) {
    this.#root = root
    this.#onEvent = onEvent
  }

  event(kind: LinkEvent['kind'], words: string): void {
    this.#onEvent({ kind, words })
  }

  troubled({ message }: FedError): void {
    if (this.trouble !== message) this.event('trouble', `the link is down: ${message}`)
    this.trouble = message
  }

  /** Tells something that a person should know; what was told last is not told again. */
  note(words: string, kind?: LinkEvent['kind']): void {
    if (this.#notes.at(-1)?.endsWith(` ${words}`)) return
    this.#notes = [...this.#notes, `${now()} ${words}`].slice(-mostNotes)
    if (kind !== undefined) this.event(kind, words)
  }

  /** Tells how the link stands: at once what a person waits for, and counts and times now and then. */
  tell(
    { notes, ...state }: Pick<LinkState, 'server' | 'isCaughtUp' | 'held' | 'notes'>,
    counts: Pick<LinkState, 'sent' | 'takenIn' | 'readAt'>,
  ): void {
    const stands = { ...state, pid: process.pid, trouble: this.trouble, notes: [...this.#notes, ...notes] }
    const text = JSON.stringify(stands)
    const nowMs = performance.now()
    if (text === this.#told.text && nowMs - this.#told.atMs < tellMs) return
    this.#told = { text, atMs: nowMs }
    writeLinkState(this.#root, { ...stands, ...counts, at: now() })
  }
}
