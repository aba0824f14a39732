// How much of a team's life both sides remember: a page may be open for days, and a team busy all the while.
import type { ShownCommit } from './shown.ts'

/** More than this says no more to anybody who looks. */
const most = 5000

/** The last of what happened. */
export function remembered<Each>(all: Each[]): Each[] {
  return all.length > most ? all.slice(-most) : all
}

/** The last of a team's commits; one of them may hold hundreds of events. */
export function rememberedCommits(all: ShownCommit[]): ShownCommit[] {
  let size = 0
  const left = all.findLastIndex(({ events }) => (size += Math.max(1, events.length)) > most)
  return left < 0 ? all : all.slice(left + 1)
}
