import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { UnreadableDocumentError } from '../../errors/document-errors.ts'
import { listSessions } from './session-record.ts'
import { readReports } from './session-reports.ts'

/**
 * When each signal was first put before the agent in the sessions of the present mission: ISO 8601, by the
 * signal's id. From a folder with a session record that cannot be read, some or all times are missing.
 * @param missions numbers of earlier missions whose sessions are read as well.
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
