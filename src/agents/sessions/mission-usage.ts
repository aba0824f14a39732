import { statSync } from 'node:fs'
import { presentMs } from '../../protocol/clock.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import type { Team } from '../../federation/team.ts'
import { listSessions, type Session } from './session-record.ts'
import { readReports, reportsFile } from './session-reports.ts'

/** What a mission has used up: US dollars and tokens where its agent tells them, and time in milliseconds. */
export interface Spent {
  readonly cost: number | undefined
  readonly tokens: number | undefined
  readonly timeMs: number
  readonly sessions: number
}

/** What the present mission's sessions used up so far, also of one that is still under way. */
export function spentByMission(team: Team): Spent {
  const { sessions: dir } = workspaceLayout(team.actor.workspace)
  const { missionNumber } = team.present()
  const sessions = listSessions(dir).filter(({ mission }) => mission === missionNumber)
  let [cost, tokens]: (number | undefined)[] = []
  let timeMs = 0
  for (const session of sessions) {
    const { usage } = readReports(dir, session)
    if (usage?.cost !== undefined) cost = (cost ?? 0) + usage.cost
    if (usage?.tokens !== undefined) tokens = (tokens ?? 0) + usage.tokens
    const end = session.end === undefined ? presentMs() : endOf(dir, session)
    timeMs += Math.max(0, end - Date.parse(session.at))
  }
  return { cost, tokens, timeMs, sessions: sessions.length }
}

/**
 * When a session ended, in milliseconds since 1970. The end of one that was lost with its launcher is recorded by
 * whoever finds it, maybe days later: it ended at its last word.
 */
export function endOf(dir: string, session: Session): number {
  if (session.end?.cause !== 'lost') return Date.parse(session.end?.at ?? session.at)
  const times = [session.log, reportsFile(dir, session)].flatMap(
    (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? [],
  )
  return Math.max(Date.parse(session.at), ...times)
}

/** `1.20 US dollars, 34000 tokens, 12.3 minutes in 2 sessions` */
export function describeSpent({ cost, tokens, timeMs, sessions }: Spent): string {
  if (sessions === 0) return 'nothing, no agent has worked yet'
  return [
    ...(cost === undefined ? [] : [`${cost.toFixed(2)} US dollars`]),
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
    `${(timeMs / 60_000).toFixed(1)} minutes in ${sessions === 1 ? '1 session' : `${sessions} sessions`}`,
  ].join(', ')
}
