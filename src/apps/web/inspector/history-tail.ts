import { unless } from '../../../errors/unless.ts'
import type { Lifecycle } from '../../../engine/decide/lifecycle.ts'
import { versionsAfter } from '../../../engine/step/versions-after.ts'
import { FedError } from '../../../errors/fed-error.ts'
import type { WireMessage } from '../../../engine/inspection/message.ts'
import { told } from '../../../engine/inspection/replay.ts'
import { workspaceLayout } from '../../../protocol/folder-layout.ts'
import { LastChange } from '../../../platform/storage/last-change.ts'
import { isSystemError } from '../../../platform/storage/system-error.ts'
import { versionsDirectory } from '../../../platform/storage/versioned-steps.ts'
import type { Team } from '../../../federation/team.ts'

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
