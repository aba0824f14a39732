import { presentMs } from '../../protocol/clock.ts'
import type { Team } from '../../federation/team.ts'
import { changeQueue } from './folder-changes.ts'
import { firstAbort } from './first-abort.ts'

/** Longest time that `setTimeout` can wait, in milliseconds. */
const longestMs = 2 ** 31 - 1

/**
 * Waits while a team's mail is handled.
 * @param until is asked after each step until when to wait, in milliseconds since 1970; undefined ends the wait.
 * @param signals end it earlier.
 */
export async function waitUntil(
  team: Team,
  until: () => number | undefined | Promise<number | undefined>,
  signals: readonly (AbortSignal | undefined)[],
): Promise<void> {
  const changes = changeQueue(team.mailbox.inbox)
  const { aborted, end } = firstAbort(signals)
  try {
    for (;;) {
      await team.step()
      const time = await until()
      if (time === undefined || signals.some((signal) => signal?.aborted)) return
      let timer: NodeJS.Timeout | undefined
      const passed = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.min(longestMs, Math.max(0, time - presentMs())))
      })
      await Promise.race([passed, changes.next(), aborted])
      clearTimeout(timer)
    }
  } finally {
    end()
    changes.end()
  }
}
