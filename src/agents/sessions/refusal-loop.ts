import { versionsAfter } from '../../engine/step/versions-after.ts'
import { readPresent } from '../../engine/step/present.ts'
import { gitOrNothing } from '../../platform/git/git.ts'
import type { Team } from '../../federation/team.ts'

/** So often in a row the same may be refused. */
const mostInARow = 5

/** Finds an agent that tells the same again and again and is refused each time for the same reason. */
export class RefusalLoop {
  readonly #team: Team
  #version: number
  #last = ''
  #inARow = 0

  /** What was refused before counts nothing. */
  constructor(team: Team) {
    this.#team = team
    this.#version = readPresent(team.actor).head.version
  }

  /** The refusal, in words, when it came too often; undefined otherwise. */
  look(): string | undefined {
    for (const { version, read } of versionsAfter(this.#team.actor, this.#version)) {
      this.#version = version
      for (const { sender, event, outcome, refusal } of read()?.handled ?? []) {
        if (sender !== this.#team.id) continue
        const words = outcome === 'refused' ? `${event}: ${refusal?.message ?? 'refused'}` : ''
        const same = words === '' ? '' : `${this.#head()} ${withoutNumbers(words)}`
        this.#inARow = words === '' ? 0 : same === this.#last ? this.#inARow + 1 : 1
        this.#last = same
        if (this.#inARow >= mostInARow) return words
      }
    }
    return undefined
  }

  /** The commit on which the team works: who is refused on another one has done something about it. */
  #head(): string {
    return gitOrNothing(this.#team.actor.workspace, 'rev-parse', 'HEAD') ?? ''
  }
}

/** The number of a log, say, is another one each time. */
function withoutNumbers(words: string): string {
  return words.replaceAll(/\d+/g, '0')
}
