import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { UnreadableDocumentError } from '../../errors/document-errors.ts'
import { listSessions } from './session-record.ts'
import { readReports } from './session-reports.ts'

/**
 * When each signal was first put before the agent in the sessions of the present mission: ISO 8601 by its id. Where
 * a session's record cannot be read, which the status tells, nothing is known.
 * @param missions numbers of missions that were put away, of which it is asked as well.
 */
export function toldTimes(workspace: string, missions: readonly number[] = []): ReadonlyMap<string, string> {
  const { sessions, missions: archive } = workspaceLayout(workspace)
  const folders = [...missions.map((number) => path.join(archive, String(number), 'sessions')), sessions]
  const times = new Map<string, string>()
  for (const folder of folders) noteTold(folder, times)
  return times
}

function noteTold(folder: string, times: Map<string, string>): void {
  unless(UnreadableDocumentError, () => {
    for (const session of listSessions(folder)) {
      for (const { signal, at } of readReports(folder, session).told)
        if (!times.has(signal)) times.set(signal, at)
    }
  })
}
