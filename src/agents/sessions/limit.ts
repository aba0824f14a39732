import { v5 as uuidOf } from 'uuid'
import { presentMs } from '../../protocol/clock.ts'
import { FedError, InterruptedError, TimedOutError } from '../../errors/fed-error.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { unless } from '../../errors/unless.ts'
import { printable } from '../../errors/printable.ts'
import type { Team } from '../../federation/team.ts'
import { presetOf } from '../drivers/presets.ts'
import { lastSession, listSessions, type Session, type SessionRecord } from './session-record.ts'
import { readReports } from './session-reports.ts'
import { waitUntil } from './wait-until.ts'

/** Namespace of the ids of `pause` and `resume` at a limit: sent by several processes, each is one signal. */
const NAMESPACE = 'b1a1c7a4-5a0c-4f0e-9a62-0f6a3c9f7f11'

/** How long a team waits when its agent does not tell when the limit passes, in milliseconds. */
const unknownMs = 15 * 60_000

function idOf(
  team: Team,
  { mission, number }: Pick<SessionRecord, 'mission' | 'number'>,
  what: string,
): string {
  return uuidOf(`${team.id}/${mission}-${number}/limit/${what}`, NAMESPACE)
}

/**
 * Shortest wait when the session before ended at a limit as well, in milliseconds. It doubles with each
 * further such session in a row, up to `unknownMs`.
 */
const againMs = 5000

/**
 * When the agent of a session that ended at a limit may go on, in milliseconds since 1970. A time that had
 * passed when the agent told it is ignored. After several limits in a row the wait grows: an agent that
 * always tells a near time must not start sessions without end.
 */
function resumesAt(dir: string, session: Session): number {
  const { limit } = readReports(dir, session)
  const ended = Date.parse(session.end?.at ?? session.at)
  const until = Date.parse(limit?.until ?? '')
  const told = until > Date.parse(limit?.at ?? '') ? until : ended + unknownMs
  const before = listSessions(dir).filter(
    ({ mission, number }) => mission === session.mission && number < session.number,
  )
  const limited = before.length - 1 - before.findLastIndex(({ end }) => end?.cause !== 'limited')
  return limited === 0 ? told : Math.max(told, ended + Math.min(unknownMs, againMs * 2 ** (limited - 1)))
}

/** Pauses a team whose last session ended at a limit; the directive names the time at which it goes on. */
export async function pauseForLimit(team: Team): Promise<void> {
  const { sessions } = workspaceLayout(team.actor.workspace)
  const session = lastSession(sessions)
  if (session === undefined) return
  const { limit } = readReports(sessions, session)
  const until = new Date(resumesAt(sessions, session)).toISOString()
  const body = `The agent is over a limit until ${until}: ${printable(limit?.words ?? '', 300)}`
  await team.direct('pause', body, idOf(team, session, 'pause'))
}

/** Until when a team is paused because of a limit, in milliseconds since 1970; undefined when it is not. */
export function limitedUntil(team: Team): number | undefined {
  if (!team.present().paused) return undefined
  const { sessions } = workspaceLayout(team.actor.workspace)
  const session = lastSession(sessions)
  if (session?.end?.cause !== 'limited') return undefined
  // a later pause by somebody else is not because of the limit
  const pause = team.history().findLast(({ outcome, to }) => outcome === 'accepted' && to === 'paused')
  return pause?.signal === idOf(team, session, 'pause') ? resumesAt(sessions, session) : undefined
}

/**
 * Resumes a team that was paused because of a limit, if that has passed.
 * @returns until when the team still waits, in milliseconds since 1970; undefined when it waits for no limit.
 */
export async function resumeAfterLimit(team: Team): Promise<number | undefined> {
  const until = limitedUntil(team)
  if (until === undefined || presentMs() < until) return until
  const session = lastSession(workspaceLayout(team.actor.workspace).sessions) as Session
  await team.direct('resume', 'The limit of the agent has passed', idOf(team, session, 'resume'))
  return undefined
}

/**
 * Waits until the limit for which a team is paused has passed, and resumes the team. Returns earlier when
 * somebody else resumed, paused or ended it.
 * @throws {InterruptedError | TimedOutError} the team stays paused then; `fed monitor` resumes it.
 */
export async function waitForLimit(
  team: Team,
  signal: AbortSignal | undefined,
  deadline: AbortSignal | undefined,
): Promise<void> {
  let until: number | undefined
  await waitUntil(team, async () => (until = await resumeAfterLimit(team)), [signal, deadline])
  if (until === undefined) return
  const time = new Date(until).toISOString()
  if (signal?.aborted) throw new InterruptedError(`interrupted; ${team.id} waits for a limit until ${time}`)
  throw new TimedOutError(`${team.id} waits for a limit until ${time}; 'fed monitor' lets it go on then`)
}

/** Teams that were held back by a limit wake one after another, in so many milliseconds. */
const wakeMs = 2000
/** All have woken after so many milliseconds, however many they are. */
const allAwakeMs = 60_000

/** What holds back a team: the limit of another's agent, where both have one provider and likely one account. */
export interface HeldBack {
  /** The team that met it; undefined where it is something else. */
  readonly team: string | undefined
  /** When this team may go on, in milliseconds since 1970. */
  readonly until: number
  readonly words: string
}

/** @param agent as it is launched. */
export function limitOfOthers({ id, actor }: Team, agent: string): HeldBack | undefined {
  const { teams } = actor.world.registry.read()
  const limited = teams.flatMap(({ domainId, location, status }) => {
    // one that somebody resumed waits no longer, and shows whether the limit has passed
    if (domainId === id || status !== 'paused') return []
    const { sessions } = workspaceLayout(location)
    const found = unless(FedError, () => {
      const session = lastSession(sessions)
      if (session?.end?.cause !== 'limited' || providerOf(session.agent) !== providerOf(agent))
        return undefined
      const words = printable(readReports(sessions, session).limit?.words ?? '', 300)
      return { team: domainId, until: resumesAt(sessions, session), words }
    })
    return found ?? []
  })
  const [latest] = limited.toSorted((one, other) => other.until - one.until)
  if (latest === undefined) return undefined
  // each by its place among all teams: nobody knows which of them wait
  const place = 1 + teams.findIndex(({ domainId }) => domainId === id)
  const until = latest.until + place * Math.min(wakeMs, allAwakeMs / teams.length)
  return until > presentMs() ? { ...latest, until } : undefined
}

function providerOf(agent: string): string {
  const program = agent.replace(/^acp:/, '')
  return presetOf(program)?.name ?? program
}
