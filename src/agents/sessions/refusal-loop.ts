import { versionsAfter } from '../../engine/step/versions-after.ts'
import { readPresent } from '../../engine/step/present.ts'
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
        this.#inARow = words === '' ? 0 : words === this.#last ? this.#inARow + 1 : 1
        this.#last = words
        if (this.#inARow >= mostInARow) return words
      }
    }
    return undefined
  }
}
