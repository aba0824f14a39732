import type { Lifecycle } from '../decide/lifecycle.ts'
import type { Actor } from './world.ts'

/** How many commits are looked back through at most; a longer stay counts from the oldest of them. */
const longestLookBack = 500

/** When a commit's state was entered, ISO 8601: a refusal, an instruction or a test run moves nothing. */
export function enteredAt({ lifecycle }: Pick<Actor, 'lifecycle'>, commit: Lifecycle): string {
  let first = commit
  for (let looks = 0; looks < longestLookBack; looks += 1) {
    if (first.handled.some(({ outcome, from, to }) => outcome === 'accepted' && from !== to)) break
    const before = lifecycle.version(first.version - 1)
    if (before === undefined || before.mission !== first.mission) break
    first = before
  }
  return first.at
}
