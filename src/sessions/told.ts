import { workspaceLayout } from '../protocol/layout.ts'
import { CorruptDocumentError } from '../errors.ts'
import { listSessions } from './session-record.ts'
import { readReports } from './session-reports.ts'

/**
 * When each signal was first put before the agent in the sessions of the present mission: ISO 8601 by its id. Where
 * a session's record is damaged, which the status tells, nothing is known.
 */
export function toldTimes(workspace: string): ReadonlyMap<string, string> {
  const { sessions } = workspaceLayout(workspace)
  const times = new Map<string, string>()
  try {
    for (const session of listSessions(sessions)) {
      for (const { signal, at } of readReports(sessions, session).told)
        if (!times.has(signal)) times.set(signal, at)
    }
  } catch (error) {
    if (!(error instanceof CorruptDocumentError)) throw error
  }
  return times
}
