import { presentMs } from '../../protocol/clock.ts'
import { InterruptedError, TimedOutError } from '../../errors/fed-error.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { longestMs } from '../../protocol/duration.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import type { Team } from '../../federation/team.ts'
import { changeQueue } from './folder-changes.ts'
import { firstAbort } from './first-abort.ts'
import { newsSince } from '../briefing/news.ts'
import type { Waited } from './next-action.ts'
import { tellUnanswered } from './no-answer.ts'
import { isUnanswered, openQuestions, type OpenQuestion } from './open-questions.ts'
import { listSessions } from './session-record.ts'
import { readReports } from './session-reports.ts'

/** How to wait, and what ends the wait early. */
export interface Waiting {
  /** The command line that carries on with the mission, for the message when the wait is interrupted. */
  readonly again: string
  /**
   * Whether other news for the agent, such as mail, ends the wait too; false where the launch has its own
   * prompt.
   */
  readonly isForNews: boolean
  /** Called with the oldest open question, at first and whenever that is another one. */
  readonly onWait: (question: OpenQuestion) => void
  readonly signal: AbortSignal | undefined
  readonly deadline: AbortSignal | undefined
}

/**
 * Waits until a team whose agent asked somebody has something to do; no agent runs meanwhile. The wait
 * depends on the open question alone, so that a launch after a kill waits on.
 * @throws {InterruptedError | TimedOutError} the question stays open.
 */
export async function waitForAnswer(team: Team, waiting: Waiting): Promise<Waited> {
  const { missionNumber, waits: waitedBefore } = team.present()
  const first = openQuestions(team.actor)
  if (first.length === 0) return 'answered'
  const changes = changeQueue(team.mailbox.inbox)
  const { aborted, end } = firstAbort([waiting.signal, waiting.deadline])
  let told: string | undefined
  try {
    for (;;) {
      const { finished, paused, waits, missionNumber: mission } = await team.stepped()
      if (finished || paused || mission !== missionNumber) return 'ended'
      const [next] = await tellUnanswered(team.actor)
      if (next === undefined) return first.some((one) => isUnanswered(team, one)) ? 'unanswered' : 'answered'
      // a team that also waited in its state has moved on to one with work to do
      const isCalled = waitedBefore && !waits
      if (waiting.isForNews && (isCalled || (await hasNews(team)))) return 'news'
      if (waiting.signal?.aborted) throw new InterruptedError(leaving(team, waiting, 'interrupted', next))
      if (waiting.deadline?.aborted) throw new TimedOutError(leaving(team, waiting, 'the time is over', next))
      if (next.id !== told) waiting.onWait(next)
      told = next.id
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.min(longestMs, next.until - presentMs()))
      })
      await Promise.race([late, changes.next(), aborted])
      clearTimeout(timer)
    }
  } finally {
    end()
    changes.end()
  }
}

/** Which answer is waited for, in words for people. */
export function describeQuestion({ to, subject }: Pick<FiledSignal, 'to' | 'subject'>): string {
  return `an answer of ${to}: ${subject}`
}

function leaving({ id }: Team, { again }: Waiting, why: string, question: OpenQuestion): string {
  return `${why}; ${id} waits for ${describeQuestion(question)}; '${again}' carries on`
}

/** Whether something came for the agent that it was not shown in any session of this mission. */
async function hasNews(team: Team): Promise<boolean> {
  const { sessions } = workspaceLayout(team.actor.workspace)
  const { missionNumber } = team.present()
  const told = listSessions(sessions)
    .filter(({ mission }) => mission === missionNumber)
    .flatMap((session) => readReports(sessions, session).told.map(({ signal }) => signal))
  const { signals } = await newsSince(team, new Set(told))
  return signals.length > 0
}
