import type { Team } from '../../federation/team.ts'
import { hasNothingToDo } from './unread-mail.ts'
import { changeQueue } from './folder-changes.ts'
import { firstAbort } from './first-abort.ts'

/**
 * Stays with a team that waits for somebody else until something comes for its agent, or somebody ends or pauses it:
 * no agent runs meanwhile.
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
  const { aborted, end } = firstAbort(aborts)
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, idleMs)
  })
  const over = Promise.race([late, aborted]).finally(() => {
    isOver = true
  })
  try {
    for (;;) {
      const { finished, paused } = await team.stepped()
      if (finished || paused) return false
      if (!hasNothingToDo(team)) return true
      if (isOver) return false
      await Promise.race([changes.next(), over])
    }
  } finally {
    clearTimeout(timer)
    end()
    changes.end()
  }
}
