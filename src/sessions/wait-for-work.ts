import type { Team } from '../teams/team.ts'
import { hasNothingToDo } from './agent-work.ts'
import { changeQueue } from './changes.ts'

/**
 * Stays with a team that waits for somebody else until something comes for its agent: no agent runs meanwhile.
 * @param idleMs so many milliseconds at most.
 * @param aborts ends it earlier.
 * @returns whether there is something to do.
 */
export async function waitForWork(
  team: Team,
  idleMs: number,
  aborts: readonly (AbortSignal | undefined)[],
): Promise<boolean> {
  const changes = changeQueue(team.mailbox.inbox)
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const over = new Promise<void>((resolve) => {
    const end = () => {
      isOver = true
      resolve()
    }
    timer = setTimeout(end, idleMs)
    for (const abort of aborts) {
      if (abort?.aborted) end()
      abort?.addEventListener('abort', end, { once: true })
    }
  })
  try {
    for (;;) {
      await team.step()
      const { waits } = team.present()
      if (!waits || !hasNothingToDo(team)) return true
      if (isOver) return false
      await Promise.race([changes.next(), over])
    }
  } finally {
    clearTimeout(timer)
    changes.end()
  }
}
