import path from 'node:path'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { allFormer } from '../../federation/former-teams.ts'
import type { World } from '../../engine/step/world.ts'
import { disk } from '../../platform/storage/disk.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { listSessions, readSession, type Session } from '../sessions/session-record.ts'

/** A session and where its records are. */
export interface PlacedSession {
  readonly team: string
  readonly dir: string
  readonly session: Session
}

/** All sessions of a team, in all of its missions; those whose records are damaged are left out. */
export function sessionsOfTeam(team: string, workspace: string): PlacedSession[] {
  const { sessions, missions } = workspaceLayout(workspace)
  const present = sessionsIn(sessions).map((session) => ({ team, dir: sessions, session }))
  const put = (unless(unreadable, () => disk.list(missions)) ?? []).flatMap((mission) => {
    const dir = path.join(missions, mission, 'sessions')
    // the end of one that a reset met is written where it began
    return sessionsIn(dir).map((session) => ({
      team,
      dir,
      session:
        session.end === undefined
          ? (unless(unreadable, () => readSession([dir, sessions], session)) ?? session)
          : session,
    }))
  })
  return [...put, ...present]
}

const unreadable = [FedError, isSystemError]

function sessionsIn(dir: string): Session[] {
  return unless(unreadable, () => listSessions(dir)) ?? []
}

/** All sessions of a federation, with those of teams that were offboarded. */
export function sessionsOfFederation({ root, registry }: Pick<World, 'root' | 'registry'>): PlacedSession[] {
  const present = registry
    .read()
    .teams.map(({ domainId, location }) => ({ id: domainId, workspace: location }))
  return [...allFormer(root), ...present].flatMap(({ id, workspace }) => sessionsOfTeam(id, workspace))
}
