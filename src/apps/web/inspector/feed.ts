import path from 'node:path'
import { unless } from '../../../errors/unless.ts'
import { Places } from '../dashboard/places.ts'
import type { WireMessage } from '../../../engine/inspection/message.ts'
import { federationLayout, workspaceLayout } from '../../../protocol/folder-layout.ts'
import { isSystemError } from '../../../platform/storage/system-error.ts'
import type { Team } from '../../../federation/team.ts'
import { LineTail } from '../../../platform/storage/line-tail.ts'
import type { Lifecycle } from '../../../engine/decide/lifecycle.ts'
import { versionsAfter } from '../../../engine/step/versions-after.ts'
import { FedError } from '../../../errors/fed-error.ts'
import { told } from '../../../engine/inspection/replay.ts'
import { LastChange } from '../../../platform/storage/last-change.ts'
import { versionsDirectory } from '../../../platform/storage/versioned-steps.ts'

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

/** The messages of a wire as they are added; a wire that was begun anew is read from its beginning. */
class WireTail {
  readonly #lines: LineTail

  constructor(file: string) {
    this.#lines = new LineTail(file)
  }

  /** What was added since the last time. A line that is no message is passed over. */
  read(): WireMessage[] {
    return this.#lines.read().flatMap(messageIn)
  }
}

function messageIn(line: string): WireMessage[] {
  // what a full disk left of a line is no JSON
  const message = unless(SyntaxError, () => JSON.parse(line) as Partial<WireMessage> | null)
  const isMessage =
    typeof message?.type === 'string' &&
    typeof message.id === 'string' &&
    typeof message.fed?.team === 'string'
  return isMessage ? [message as WireMessage] : []
}

/** A team's history as the wire would have told it, each commit read once. */
export class HistoryTail {
  readonly #team: Team
  readonly #change: LastChange
  #version = 0
  #mission: number | undefined
  /** Whether there may be more although nothing changed since. */
  #isBehind = false

  constructor(team: Team) {
    this.#team = team
    this.#change = new LastChange(versionsDirectory(workspaceLayout(team.actor.workspace).lifecycle))
  }

  /** What was committed since the last time. What the disk refuses now is told the next time. */
  read(): WireMessage[] {
    const hasChanged = this.#change.happened()
    if (!hasChanged && !this.#isBehind) return []
    const messages: WireMessage[] = []
    this.#isBehind = true
    try {
      for (const { version, read } of versionsAfter(this.#team.actor, this.#version)) {
        const commit = readable(read)
        // a reset moves it at this moment
        if (commit === 'gone') return messages
        this.#version = version
        if (commit === 'damaged') continue
        messages.push(...told(this.#team.actor, commit, this.#mission))
        this.#mission = commit.mission
      }
      this.#isBehind = false
    } catch (error) {
      if (!isSystemError(error)) throw error
    }
    return messages
  }
}

/** A damaged commit hides no other. */
function readable(read: () => Lifecycle | undefined): Lifecycle | 'gone' | 'damaged' {
  return unless([FedError, SyntaxError], () => read() ?? 'gone') ?? 'damaged'
}
