import { isSystemTrouble } from '../../engine/step/unfinished.ts'
import { InterruptedError, RefusedError, TimedOutError, UnfinishedError } from '../../errors/fed-error.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { assertInside } from '../../platform/storage/assert-inside.ts'
import type { Team } from '../../federation/team.ts'
import type { TeamStatus } from '../../federation/team-status.ts'
import { agentOf } from './agent-of-team.ts'
import { launchAgain } from './launch-again.ts'
import { AGENT_REFUSES } from './agent-command.ts'
import { assertNoSession, leaveTeam, type AgentExit } from './agent-session.ts'
import { printable } from '../../errors/printable.ts'
import { installedAgents } from './known-agents.ts'
import { hasNothingToDo } from './agent-work.ts'
import { profileOf } from '../briefing/agent-profile.ts'
import { questionOf } from '../briefing/briefing.ts'
import { allowanceFor, assertMeasurable, pauseOverBudget, type Budget } from './budget.ts'
import { choicesAfter, describeChanges, type CodebaseChange } from './codebase-change.ts'
import { lookAfterLost } from './codebase-watch.ts'
import { findAgent } from '../drivers/choose.ts'
import {
  replaced,
  runSession,
  sessionFolders,
  type SessionOptions,
  type SessionOutcome,
} from './run-session.ts'
import { limitedUntil, pauseForLimit, resumeAfterLimit, waitForLimit } from './limit.ts'
import { hasAsked, openQuestions } from './open-questions.ts'
import { sandboxFor } from './sandbox-command.ts'
import { describeQuestion, waitForAnswer } from './wait-for-answer.ts'
import { waitForWork } from './wait-for-work.ts'
import { listSessions } from './session-record.ts'

export interface LaunchOptions extends SessionOptions {
  /** What the mission may use up, in all of its sessions. */
  readonly budget?: Budget
  /** How often an agent that ends unfinished is started, in all. */
  readonly maxSessions: number
  /** Milliseconds until the launch gives up and stops the agent. */
  readonly timeoutMs?: number
}

/**
 * Drives a team's agent until its machine is final: starts it, drains the mailbox while it works, stops it
 * when the machine ends or pauses, and starts it again when it ends unfinished.
 * @returns where the team stands at the end: final, paused meanwhile, or waiting for somebody else.
 * @throws {RefusedError} when the team is paused, archived or without a mission, when a session already runs,
 * or when the agent says that it cannot do the mission; {UsageError} when there is no such agent;
 * {TimedOutError}; {InterruptedError}; {UnfinishedError} when the disk fails: it says where the team is by then.
 */
export async function launch(team: Team, options: LaunchOptions): Promise<TeamStatus> {
  try {
    return await drive(team, options)
  } catch (error) {
    if (!isSystemTrouble(error) || error instanceof UnfinishedError) throw error
    throw new UnfinishedError(
      `${team.id} is ${team.present().state}`,
      `'fed launch --team ${team.id}' goes on with it`,
      error,
    )
  } finally {
    leaveTeam(workspaceLayout(team.actor.workspace).sessions)
  }
}

async function drive(team: Team, options: LaunchOptions): Promise<TeamStatus> {
  const agent = agentOf(team, options.agent)
  if (options.budget !== undefined) assertMeasurable(agent, options.budget)
  assertNotArchived(team)
  // what waited for it may end its mission, such as a merge: that is the end of a launch, and no refusal
  if (!team.present().finished && (await stepped(team)).finished) return team.status()
  await assertLaunchable(team, options)
  const lost = await lookAfterLost(team)
  if (lost !== undefined) options.onProgress?.({ kind: 'codebase', change: lost.change })
  if (lost?.change.isPaused) throw codebaseChanged(team, lost.change)
  if (team.present().finished) return team.status()
  const deadline = options.timeoutMs === undefined ? undefined : AbortSignal.timeout(options.timeoutMs)
  const isWanted = async () => {
    if (options.idleMs === undefined) return false
    options.onProgress?.({ kind: 'idle', waitsFor: 'what may come' })
    const hasCome = await waitForWork(team, options.idleMs, [options.signal, deadline])
    if (options.signal?.aborted) throw interrupted(team, agent)
    return hasCome
  }
  const isAsking = () => openQuestions(team.actor).length > 0
  if (options.prompt === undefined && hasNothingToDo(team) && !isAsking() && !(await isWanted()))
    return team.status()
  const { missionNumber } = team.present()
  const answered = async () => {
    const waited = await waitForAnswer(team, {
      again: again(team, agent),
      isForNews: options.prompt === undefined,
      onWait: (question) => options.onProgress?.({ kind: 'idle', waitsFor: describeQuestion(question) }),
      signal: options.signal,
      deadline,
    })
    if (waited === 'ended' && team.present().missionNumber !== missionNumber) throw replaced(team)
    return waited
  }
  if (options.prompt === undefined && (await answered()) === 'ended') return team.status()
  for (let session = 1; session <= options.maxSessions; session += 1) {
    if (options.signal?.aborted) throw interrupted(team, agent)
    const [asked] = questionOf(await team.status())
    const outcome = await runSession(team, options, deadline, allowanceFor(team, options.budget))
    const { exit, cause, change } = outcome
    await team.step()
    const status = await team.status()
    if (change?.isPaused) throw codebaseChanged(team, change)
    const isWorking = !status.finished && status.state !== 'paused'
    if (cause === 'over-budget' && isWorking && options.budget !== undefined)
      throw await pauseOverBudget(team, outcome.record, options.budget)
    if (cause === 'limited' && isWorking) {
      await pauseForLimit(team)
      const until = limitedUntil(team)
      const { words = '' } = outcome.reported.limit ?? {}
      if (until !== undefined) options.onProgress?.({ kind: 'limit', until, words })
      await waitForLimit(team, options.signal, deadline)
      // it did not end by itself, and nobody counts how often its provider wants it to wait
      session -= 1
      const { finished, paused } = team.present()
      if (finished || paused) return team.status()
      continue
    }
    if (status.finished || status.state === 'paused') return status
    if (cause === 'interrupted') throw interrupted(team, agent)
    if (cause === 'timed-out') {
      throw new TimedOutError(
        `${team.id} was still ${status.state} when its time was over; '${again(team, agent)}' carries on`,
      )
    }
    if (cause === 'unwanted') throw replaced(team)
    if (exit.exitCode === AGENT_REFUSES) throw agentRefuses(exit)
    if (cause === 'refused') throw cannotWork(team, outcome)
    if (status.waits && (cause === 'ended' || hasNothingToDo(team)) && !isAsking()) {
      // one that leaves its mail unread would not read it the next time, and one that is talked to has waited itself
      const hasWaited = !hasNothingToDo(team) || outcome.record.driver === 'acp'
      if (hasWaited || !(await isWanted())) return team.status()
      // what came is a work of its own
      session = 0
      continue
    }
    const asks = hasAsked(team.actor, outcome.record.at)
    const waited = await answered()
    if (waited === 'ended') return team.status()
    // it waits for somebody else as well: that nobody answered fails no mission
    if (status.waits && waited === 'unanswered' && session === options.maxSessions) return team.status()
    // it answered, and the next question is a work of its own
    const [next] = questionOf(status)
    if (cause === 'ended' && asked !== undefined && next !== undefined && next !== asked) session = 0
    const { record, reported } = outcome
    // paused and resumed meanwhile: the agent did not end by itself
    const isStopped = cause === 'paused'
    // it knew nothing of the session with which it was to go on; the next one begins anew
    const isLost = cause === 'ended' && record.resumes !== undefined && reported.agentSession === undefined
    // it ended because it had to wait; who only repeats itself, or is not answered, would do so for ever
    const isWaiting = waited === undefined ? asks === 'anew' : waited !== 'unanswered' && asks !== 'again'
    if (isStopped || isLost || isWaiting) session -= 1
  }
  await giveUp(team, options.maxSessions)
  return team.status()
}

async function stepped(team: Team) {
  await team.step()
  return team.present()
}

function again(team: Team, agent: string): string {
  return launchAgain(team.id, agentOf(team), agent)
}

function interrupted(team: Team, agent: string): InterruptedError {
  return new InterruptedError(`interrupted; '${again(team, agent)}' carries on`)
}

function codebaseChanged(team: Team, change: CodebaseChange): RefusedError {
  return new RefusedError(
    `${team.id} is paused: while its agent worked, which only reads, the codebase changed (${describeChanges(change)}); ` +
      `${change.whoDidIt}; nothing was undone, the patch is in ${change.patch}; ${choicesAfter(team)}`,
  )
}

function agentRefuses({ lastWords }: AgentExit): RefusedError {
  const installed = installedAgents()
  const others =
    installed.length === 0
      ? 'no other agent that fed knows is on the PATH'
      : `on the PATH are ${installed.join(', ')}: try --agent ${installed[0]}`
  return new RefusedError(`${lastWords || 'the agent refused the mission'}\n${others}`)
}

/** An agent that will not work as it is set up would not work the next time either. */
function cannotWork(team: Team, { record, reported }: SessionOutcome): RefusedError {
  const words = printable(reported.refusal ?? '', 300)
  return new RefusedError(
    `${record.agent} will not work here: ${words}; see to it, then '${again(team, record.agent)}' carries on`,
  )
}

async function giveUp(team: Team, sessions: number): Promise<void> {
  const last = listSessions(workspaceLayout(team.actor.workspace).sessions).at(-1)
  await team.tell({
    type: 'alert',
    subject: 'Session exhausted',
    body: `the agent ended ${sessions === 1 ? 'one session' : `${sessions} sessions`} without finishing; the last one exited ${last?.end?.exitCode}, its output is in ${last?.log}`,
  })
}

/**
 * Checks that a launch could begin now.
 * @throws {RefusedError | UsageError} as `launch` does.
 */
export async function assertLaunchable(
  team: Team,
  chosen: Pick<LaunchOptions, 'agent' | 'model' | 'sandbox'>,
): Promise<void> {
  await assertWorkable(team)
  await assertStartable(team, chosen)
}

/**
 * Checks that the team has a mission to work on.
 * @throws {RefusedError} when it is archived, paused, finished or without a mission.
 */
export async function assertWorkable(team: Team): Promise<void> {
  assertNotArchived(team)
  await team.step()
  const until = await resumeAfterLimit(team)
  const { id } = team
  const status = await team.status()
  if (status.state === 'paused') {
    const why =
      until === undefined ? '' : ` until ${new Date(until).toISOString()}, when its agent's limit has passed`
    throw new RefusedError(`${id} is paused${why}; 'fed resume ${id}' continues it`)
  }
  if (status.finished)
    throw new RefusedError(`${id} is ${status.state}; 'fed launch --team ${id} --reset' begins a new mission`)
  if (status.mission === null) {
    throw new RefusedError(
      `${id} has no mission; 'fed send ${id} --type directive --subject "<mission>"' gives it one`,
    )
  }
}

/**
 * Checks what a launch needs whatever the state, also before a reset.
 * @throws {RefusedError} when the team is archived, a session of it runs, or a folder of its sessions leads out of
 * the workspace; {UsageError} without such an agent,
 * or when the model's name cannot be one; as `sandboxFor` does.
 */
export async function assertStartable(
  team: Team,
  { agent, model, sandbox }: Pick<LaunchOptions, 'agent' | 'model' | 'sandbox'>,
): Promise<void> {
  assertNotArchived(team)
  const { sessions, missions } = workspaceLayout(team.actor.workspace)
  for (const folder of [sessions, missions]) assertInside(team.actor.workspace, folder)
  findAgent(agentOf(team, agent))
  const profile = profileOf(team.archetype.leadAgent, model)
  await sandboxFor(profile, team.actor.world.root, sandbox)
  await assertIdle(team)
}

function assertNotArchived({ id, actor }: Team): void {
  if (actor.world.registry.entry(id).status === 'archived')
    throw new RefusedError(`${id} is archived; 'fed restore ${id}' takes it back`)
}

/** Whether a session of the team runs, or a launch that starts its sessions. */
export async function isDriven(team: Team): Promise<boolean> {
  try {
    await assertIdle(team)
    return false
  } catch (error) {
    if (error instanceof RefusedError) return true
    throw error
  }
}

/** @throws {RefusedError} when a session of the team runs. */
export async function assertIdle(team: Team): Promise<void> {
  await assertNoSession(sessionFolders(team))
}
