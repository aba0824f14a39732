import { statSync } from 'node:fs'
import path from 'node:path'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { allFormer } from '../../federation/former-teams.ts'
import type { World } from '../../engine/step/world.ts'
import { disk } from '../../platform/storage/disk.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { sessionNumbers, readSession, recordFile, type Session } from '../sessions/session-record.ts'
import { reportsFile } from '../sessions/session-reports.ts'

/** A session and where its records are. */
export interface PlacedSession {
  readonly team: string
  /** Which of the teams of that name it was, counted from 1; undefined for one of the federation. */
  readonly former?: number
  readonly dir: string
  readonly session: Session
}

/** Something of which nobody can read what stands in it. */
export interface Damage {
  /** Absolute path: a session's record, of which only the reports count, or a folder, of which nothing does. */
  readonly file: string
  readonly isFolder: boolean
}

/** Takes what is damaged. */
type OnDamage = (damage: Damage) => void

/** What a session is called of which there is no record to tell it. */
const NOT_TOLD = 'not told'

/** All sessions of a team, in all of its missions. */
export function sessionsOfTeam(
  team: string,
  workspace: string,
  onDamage: OnDamage = () => undefined,
): PlacedSession[] {
  const { sessions, missions } = workspaceLayout(workspace)
  const put = listed(missions, onDamage).flatMap((mission) => {
    const dir = path.join(missions, mission, 'sessions')
    // the end of one that a reset met is written where it began
    return sessionsIn([dir, sessions], onDamage).map((session) => ({ team, dir, session }))
  })
  const present = sessionsIn([sessions], onDamage).map((session) => ({ team, dir: sessions, session }))
  return [...put, ...present]
}

/** All sessions of a federation, with those of teams that were offboarded. */
export function sessionsOfFederation(
  { root, registry }: Pick<World, 'root' | 'registry'>,
  onDamage?: OnDamage,
): PlacedSession[] {
  const former = allFormer(root).flatMap(({ id, number, workspace }) =>
    sessionsOfTeam(id, workspace, onDamage).map((one) => ({ ...one, former: number })),
  )
  const present = registry
    .read()
    .teams.flatMap(({ domainId, location }) => sessionsOfTeam(domainId, location, onDamage))
  return [...former, ...present]
}

/** @param dirs where ends of sessions may be; their records are in the first. */
function sessionsIn(dirs: readonly [string, ...string[]], onDamage: OnDamage): Session[] {
  const [dir] = dirs
  return sessionNumbers(listed(dir, onDamage)).flatMap((which): Session[] => {
    // one that somebody removed meanwhile is none
    const found = unless(unreadable, () => ({ session: readSession(dirs, which) }))
    if (found !== undefined) return found.session === undefined ? [] : [found.session]
    onDamage({ file: recordFile(dir, which), isFolder: false })
    return [withoutRecord(dir, which)]
  })
}

const unreadable = [FedError, isSystemError]

function listed(dir: string, onDamage: OnDamage): string[] {
  const names = unless(unreadable, () => disk.list(dir))
  if (names === undefined) onDamage({ file: dir, isFolder: true })
  return names ?? []
}

/** A session whose record cannot be read: of what it used up its reports tell, of its time when they were written. */
function withoutRecord(dir: string, which: Pick<Session, 'mission' | 'number'>): Session {
  const times = [recordFile(dir, which), reportsFile(dir, which)].flatMap(
    (file) => unless(isSystemError, () => statSync(file).mtimeMs) ?? [],
  )
  const at = new Date(Math.min(...times)).toISOString()
  const nobody = { pid: Number.MAX_SAFE_INTEGER, started: '' }
  return {
    ...which,
    agent: NOT_TOLD,
    command: [],
    driver: 'raw',
    profile: { role: '', model: null, temperature: 0, tools: [], responsibilities: [], untold: [] },
    open: 'its record is lost',
    at,
    process: nobody,
    launcher: nobody,
    end: { at, exitCode: null, cause: 'lost' },
    log: reportsFile(dir, which),
  }
}
