import { readPresent } from './present.ts'
import type { Actor } from './world.ts'

/** When the present mission began, ISO 8601: the time of its first version of the lifecycle. */
export function missionBegan(actor: Actor): string {
  const { content } = readPresent(actor).head
  for (const number of actor.lifecycle.versions()) {
    const version = actor.lifecycle.version(number)
    if (version?.mission === content.mission) return version.at
  }
  return content.at
}
