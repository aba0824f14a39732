import path from 'node:path'
import { RefusedError } from '../../errors/fed-error.ts'
import type { Refused } from '../../platform/confinement/network/proxy.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { now } from '../../protocol/time.ts'
import { trayName } from '../../protocol/tray.ts'
import { onlyReads } from '../../federation/lead-agent.ts'
import type { Team } from '../../federation/team.ts'
import { assignmentFor } from './agent-environment.ts'
import { isGone } from '../../engine/step/present.ts'
import { startSession, type AgentExit } from './agent-session.ts'
import type { SessionFolders } from './only-session.ts'
import { beginBranch } from './begin-branch.ts'
import { isHeld } from '../../engine/confinement/hold.ts'
import type { Allowance, Used } from '../usage/allowance.ts'
import { briefingOf } from '../briefing/briefing.ts'
import type { CodebaseChange } from './codebase-change.ts'
import { watchCodebase, type CodebaseWatch } from './codebase-watch.ts'
import { complaint } from '../drivers/agent-error.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { describeHold, recordEnd, type SessionRecord } from './session-record.ts'
import type { Reported } from './session-reports.ts'
import { SessionWatch } from './session-watch.ts'
import { tellOfRefused } from './refused-hosts.ts'
import { lastTakeOver, readyPrivate, wallsFor } from './private-repository.ts'
import { serveTray } from '../tray/serve-tray.ts'
import type { Post } from '../tray/answer-request.ts'
import { supervise, type Cause, type Ending, type Supervision } from './supervise.ts'

/**
 * Longest silence of an agent, in milliseconds, where the launch sets none: it may run the tests of a large
 * project. Not for `raw` agents.
 */
const defaultSilenceMs = 1_800_000
/** Time in which an agent must answer short requests, such as opening a session, in milliseconds. */
const patienceMs = 60_000

/** What became of a session. */
export interface SessionOutcome {
  readonly record: SessionRecord
  readonly exit: AgentExit
  readonly cause: Cause
  readonly reported: Reported
  readonly change: CodebaseChange | undefined
  /** The limit for which it was stopped; undefined where it was for none. */
  readonly over: Used | undefined
  /** What was refused again and again, for which it was stopped. */
  readonly looped: string | undefined
}

/** The refusal when the team is on another mission than the launched one. */
export function replaced({ id }: Team): RefusedError {
  return new RefusedError(`${id} was given another mission meanwhile; 'fed launch --team ${id}' works on it`)
}

/** Folders of a team's session records, and of those of the mission before, which the last reset moved. */
export function sessionFolders(team: Team): SessionFolders {
  const { workspace } = team.actor
  const { sessions, missions } = workspaceLayout(workspace)
  const earlier = isGone(team.actor) ? '0' : String(team.present().missionNumber - 1)
  return { workspace, dir: sessions, earlierDir: path.join(missions, earlier, 'sessions') }
}

/**
 * Starts a team's agent and stays with it until it is gone; how it went is recorded.
 * @param allowance what the session may use up.
 * @throws {RefusedError} when a session already runs, or when nobody wants one any more.
 */
export async function runSession(
  team: Team,
  plan: LaunchPlan,
  supervision: Supervision,
  deadline: AbortSignal | undefined,
  allowance: Allowance,
): Promise<SessionOutcome> {
  const folders = sessionFolders(team)
  const { agent, driver, profile, hold, limits } = plan
  const { onProgress } = supervision
  const { mission, untold, told, resume, ...briefing } = await briefingOf(team, plan)
  const prompt = plan.prompt ?? briefing.prompt
  const speaks = driver.kind !== 'raw'
  const { silenceMs = defaultSilenceMs, idleMs = 0 } = limits
  let over: Used | undefined
  const watch = new SessionWatch({
    silenceMs: speaks ? silenceMs : undefined,
    timeLeft: (elapsedMs) => allowance.timeLeft(elapsedMs),
    isOver: (usage) => (over ??= allowance.over(usage)) !== undefined,
  })
  let lookAgain: CodebaseWatch | undefined
  const refused: Refused[] = []
  let tray: ReturnType<typeof serveTray> | undefined
  const held = !onlyReads(profile) && 'file' in hold ? hold.file : undefined
  const walls = await wallsFor(team, held)
  let reserved: ReturnType<Allowance['reserve']> | undefined
  try {
    const session = await startSession({
      ...folders,
      mission,
      agent,
      driver,
      profile: { ...profile, untold: [...untold] },
      prompt,
      assignment(promptFile, number) {
        reserved = allowance.reserve()
        return assignmentFor(team, profile, {
          ...{ prompt, promptFile, resume, tray: trayName({ mission, number }) },
          mayCost: reserved.mayCost,
          isHeld: isHeld(hold),
        })
      },
      hold,
      unwanted: () => {
        const { missionNumber, finished, paused, state } = team.present()
        if (missionNumber !== mission) return replaced(team).message
        return finished || paused ? `${team.id} is ${state} meanwhile` : undefined
      },
      onRecorded(recorded) {
        reserved?.end()
        const followBranch = readyPrivate(team, { mission, walls, isHeld: held !== undefined })
        const begun = beginBranch(team, recorded)
        for (const why of followBranch()) onProgress?.({ kind: 'untaken', why })
        if (begun !== undefined) onProgress?.({ kind: 'branch', ...begun })
        if (onlyReads(profile)) lookAgain = watchCodebase(team, recorded)
        tray = serveTray(postOf(team, recorded, walls))
      },
      onLine(line) {
        watch.heard()
        onProgress?.({ kind: 'activity', line })
      },
      onReport: (report) => watch.reported(report),
      onRefused: (one) => refused.push(one),
      // shorter than the longest silence, so that it is noticed first
      patienceMs: Math.min(patienceMs, silenceMs / 2),
    })
    watch.heard()
    const { record, reports } = session
    const log = path.join(folders.dir, `${mission}-${record.number}.log`)
    onProgress?.({ kind: 'session', number: record.number, agent, log, hold: describeHold(record) })
    let ending: Ending | ({ readonly cause: 'error' } & Omit<Ending, 'cause'>) = { cause: 'error' }
    let exit: AgentExit
    let change: CodebaseChange | undefined
    try {
      if (plan.prompt === undefined && told.length > 0)
        reports.add({ kind: 'told', by: 'first prompt', signals: [...told] })
      ending = await supervise(
        team,
        session,
        { ...supervision, idleMs, answerMs: silenceMs },
        deadline,
        watch,
      )
    } finally {
      session.stop()
      const own = await session.exit
      exit = exitOf(own, ending)
      // what it asked and did not wait for
      await tray?.end()
      tray = undefined
      const untaken = held === undefined ? undefined : lastTakeOver(team, held)
      if (untaken !== undefined) onProgress?.({ kind: 'untaken', why: untaken })
      if (speaks && ending.cause === 'ended' && exit.exitCode !== 0) {
        // some agents say in plain words why they do not even begin
        const found = complaint(own.lastWords)
        if (found !== undefined) reports.add(found)
      }
      reports.end()
      try {
        // no other session of the team begins before this one has ended
        change = await lookAgain?.(reports.known.wrote)
      } finally {
        const { exitCode } = exit
        const cause = exit.failure === undefined ? causeOf(ending.cause, exit, reports.known) : 'error'
        recordEnd(folders.dir, record, { at: now(), exitCode, cause })
      }
    }
    if (exit.failure !== undefined) throw exit.failure
    if (change !== undefined) onProgress?.({ kind: 'codebase', change })
    await tellOfRefused(team, record, refused)
    const cause = causeOf(ending.cause as Cause, exit, reports.known)
    return { record, exit, cause, reported: reports.known, change, over, looped: ending.looped }
  } finally {
    watch.end()
    reserved?.end()
    await tray?.end()
  }
}

/** Whose requests are served while a session runs. */
function postOf(
  { id, actor }: Team,
  { mission, number, at }: SessionRecord,
  walls: string | undefined,
): Post {
  const { world, workspace } = actor
  const { onboardedAt: since } = world.registry.entry(id)
  return { root: world.root, team: id, since, workspace, mission, number, began: at, walls }
}

/** How the agent ended; in a conversation, where it does not end by itself, the last turn tells. */
function exitOf(exit: AgentExit, { turn }: Pick<Ending, 'turn'>): AgentExit {
  if (turn === undefined) return exit
  return turn.failure === undefined
    ? { ...exit, exitCode: 0 }
    : {
        ...exit,
        exitCode: exit.exitCode === 0 || exit.exitCode > 128 ? 1 : exit.exitCode,
        lastWords: turn.failure,
      }
}

/** The cause of a session's end: of an agent that nobody else ended, what it used up or complained of. */
function causeOf<Known extends Cause | 'error'>(
  cause: Known,
  { exceeded }: Pick<AgentExit, 'exceeded'>,
  { limit, refusal, unavailable, overflow, isCapped }: Reported,
): Known | Cause {
  if (cause !== 'ended') return cause
  if (exceeded !== undefined) return exceeded === 'processes' ? 'too-many-processes' : 'disk-used-up'
  if (isCapped === true) return 'capped'
  if (limit !== undefined) return 'limited'
  if (refusal !== undefined) return 'refused'
  if (overflow !== undefined) return 'overflowed'
  return unavailable === undefined ? cause : 'unavailable'
}
