import path from 'node:path'
import { unless } from '../../../errors/unless.ts'
import { Places } from '../dashboard/places.ts'
import type { WireMessage } from '../../../engine/inspection/message.ts'
import { federationLayout, workspaceLayout } from '../../../protocol/folder-layout.ts'
import { isSystemError } from '../../../platform/storage/system-error.ts'
import type { Team } from '../../../federation/team.ts'
import { HistoryTail } from './history-tail.ts'
import { WireTail } from './wire-tail.ts'

/** Older messages are let go: the history has them. */
const mostMessages = 50_000
/** How often the disk is asked although no notice came, in milliseconds. */
const pollMs = 2000

type Source = () => readonly WireMessage[]

/** What a viewer is told: each message once, in the order in which it was read. */
export class Feed {
  readonly #source: Source
  readonly #onMessages: (messages: readonly WireMessage[]) => void
  readonly #places: Places
  readonly #poll: NodeJS.Timeout
  readonly #messages = new Map<string, WireMessage>()

  private constructor(
    source: Source,
    onMessages: (messages: readonly WireMessage[]) => void,
    watched: readonly string[],
  ) {
    this.#source = source
    this.#onMessages = onMessages
    this.#places = new Places(() => this.#look())
    for (const dir of watched) this.#places.watch(dir, () => 'life')
    this.#poll = setInterval(() => {
      this.#places.look()
      this.#look()
    }, pollMs)
    this.#look()
  }

  /** What the processes that step teams told the wire, and go on to tell. */
  static ofWire(
    root: string,
    team: string | undefined,
    onMessages: (messages: readonly WireMessage[]) => void,
  ): Feed {
    const { inspection } = federationLayout(root)
    const tail = new WireTail(path.join(inspection, 'wire.jsonl'))
    const source = () => tail.read().filter(({ fed }) => team === undefined || fed.team === team)
    return new Feed(source, onMessages, [inspection])
  }

  /** The same messages from the history of teams, and what is added to it. */
  static ofHistory(teams: readonly Team[], onMessages: (messages: readonly WireMessage[]) => void): Feed {
    const folders = teams.map(({ actor }) => path.dirname(workspaceLayout(actor.workspace).lifecycle))
    const tails = teams.map((team) => new HistoryTail(team))
    return new Feed(() => tails.flatMap((tail) => tail.read()), onMessages, folders)
  }

  get messages(): WireMessage[] {
    return [...this.#messages.values()]
  }

  close(): void {
    clearInterval(this.#poll)
    this.#places.close()
  }

  #look(): void {
    // what the disk refuses now is looked at again with the next poll
    const news = unless(isSystemError, () => this.#source().filter(({ id }) => !this.#messages.has(id))) ?? []
    if (news.length === 0) return
    for (const message of news) this.#messages.set(message.id, message)
    for (const id of this.#messages.keys()) {
      if (this.#messages.size <= mostMessages) break
      this.#messages.delete(id)
    }
    this.#onMessages(news)
  }
}
