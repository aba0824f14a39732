import path from 'node:path'
import { NewerFormatError } from '../../errors/newer-format.ts'
import { isRunning } from '../../platform/process/process-identity.ts'
import { isFolder } from '../../platform/storage/folder-fault.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { now } from '../../protocol/time.ts'
import { listSessions, recordEnd, type Session } from '../../agents/sessions/session-record.ts'
import { newerFinding, reasonOf, type Found } from '../../monitor/diagnosis/finding.ts'
import { isDamage, type View } from '../../monitor/diagnosis/view.ts'

/** Sessions that nobody ended, and records that cannot be read. */
export function sessionFindings({ entries }: View): Found[] {
  return entries.flatMap(oneTeam)
}

function oneTeam({ domainId: team, location }: RegistryEntry): Found[] {
  const dir = workspaceLayout(location).sessions
  if (!isFolder(dir)) return []
  let sessions: Session[]
  try {
    sessions = listSessions(dir)
  } catch (error) {
    if (error instanceof NewerFormatError) return [newerFinding(error, `${team}: `)]
    if (!isDamage(error)) throw error
    const where = (error as { file?: string }).file ?? dir
    const fix = 'put it back from a copy, or move it away by hand: nothing but this record is in it'
    return [{ severity: 'error', where, message: `${team}: it is damaged: ${reasonOf(error)}`, fix }]
  }
  return sessions.filter(({ end }) => end === undefined).flatMap((session) => unended(team, dir, session))
}

function unended(team: string, dir: string, session: Session): Found[] {
  if (isRunning(session.launcher)) return []
  const where = path.join(dir, `${session.mission}-${session.number}.json`)
  const { pid } = session.process
  if (isRunning(session.process)) {
    const message = `${team}: the launcher is gone, but its agent still runs (process ${pid})`
    return [
      { severity: 'warning', where, message, fix: `'fed launch --team ${team}' ends it and starts anew` },
    ]
  }
  return [
    {
      severity: 'warning',
      where,
      message: `${team}: the session ended with its launcher, and nobody recorded it`,
      fix: 'its end can be recorded',
      repair() {
        recordEnd(dir, session, { at: now(), exitCode: null, cause: 'lost' })
        return 'recorded as lost'
      },
    },
  ]
}
