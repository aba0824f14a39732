import { InterruptedError, RefusedError, TimedOutError, type FedError } from '../../errors/fed-error.ts'
import { printable } from '../../errors/printable.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import type { ConsultantContext } from '../../../machines/consultant.ts'
import type { Team } from '../../federation/team.ts'
import { AGENT_REFUSES } from './agent-command.ts'
import { hasNothingToDo } from './unread-mail.ts'
import {
  allowanceFor,
  anything,
  pauseOverBudget,
  spentAlready,
  type Allowance,
  type Budget,
} from './budget.ts'
import { choicesAfter, describeChanges, type CodebaseChange } from './codebase-change.ts'
import { lookAfterLost } from './codebase-watch.ts'
import { installedAgents } from './installed-agents.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { limitedUntil, pauseForLimit, waitForLimit } from './limit.ts'
import type { Action, Observation } from './next-action.ts'
import { hasAsked, openQuestions } from './open-questions.ts'
import { replaced, runSession, type SessionOutcome } from './run-session.ts'
import { listSessions } from './session-record.ts'
import type { Supervision } from './supervise.ts'
import { describeQuestion, waitForAnswer } from './wait-for-answer.ts'
import { waitForWork } from './wait-for-work.ts'

/** Where a team stands when nothing more is to be launched. */
const overBy: ReadonlySet<Observation['stands']> = new Set(['finished', 'paused', 'replaced', 'changed'])

/** Carries out the actions of a launch, one at a time, and tells what the launch sees after each. */
export class LaunchActions {
  readonly #team: Team
  readonly #plan: LaunchPlan
  readonly #supervision: Supervision
  readonly #deadline: AbortSignal | undefined
  readonly #mission: number
  /** What the next session may use up. */
  #allowance: Allowance = anything
  /** Outcome of the last session; undefined before the first. */
  #outcome: SessionOutcome | undefined
  /** What changed in the codebase during the last session, or during one whose launcher was killed. */
  #change: CodebaseChange | undefined

  constructor(team: Team, plan: LaunchPlan, supervision: Supervision) {
    this.#team = team
    this.#plan = plan
    this.#supervision = supervision
    const { timeoutMs } = plan.limits
    this.#deadline = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
    this.#mission = team.present().missionNumber
  }

  /** What the launch sees at its beginning. First looks after a session whose launcher was killed, if any. */
  async open(): Promise<Observation> {
    const lost = await lookAfterLost(this.#team)
    this.#change = lost?.change
    if (lost !== undefined) this.#supervision.onProgress?.({ kind: 'codebase', change: lost.change })
    return { after: 'opening', ...this.#look() }
  }

  /**
   * Carries out one action.
   * @returns what the launch sees afterwards; undefined when it is over.
   * @throws {FedError} why the launch is over, for actions that end it with a refusal.
   */
  async take(action: Action): Promise<Observation | undefined> {
    switch (action) {
      case 'session':
        return this.#runSession()
      case 'wait-for-limit':
        await this.#waitForLimit()
        return { after: action, ...this.#look() }
      case 'wait-for-work':
        await this.#waitForWork()
        return { after: action, ...this.#look() }
      case 'wait-for-answer':
        return { after: action, waited: await this.#waitForAnswer(), ...this.#look() }
      case 'end':
        return undefined
      case 'give-up':
        return this.#giveUp()
      case 'over-budget':
        throw await pauseOverBudget(this.#team, this.#ended.record, this.#plan.budget as Budget)
      default:
        throw this.#refusal(action)
    }
  }

  get #ended(): SessionOutcome {
    return this.#outcome as SessionOutcome
  }

  #look(): Pick<Observation, 'stands' | 'isAsking' | 'obstacle'> {
    const stands = this.#stands()
    // what ends the launch ends it, also where an earlier session's record cannot be read
    const isOver = overBy.has(stands)
    this.#allowance = isOver ? anything : allowanceFor(this.#team, this.#plan.budget)
    const isAsking = !isOver && openQuestions(this.#team.actor).length > 0
    return { stands, isAsking, obstacle: this.#obstacle() }
  }

  #stands(): Observation['stands'] {
    const { finished, paused, waits, missionNumber } = this.#team.present()
    if (this.#change?.isPaused) return 'changed'
    if (missionNumber !== this.#mission) return 'replaced'
    if (finished) return 'finished'
    if (paused) return 'paused'
    if (!waits) return 'working'
    return hasNothingToDo(this.#team) ? 'waiting' : 'called'
  }

  #obstacle(): Observation['obstacle'] {
    if (this.#supervision.signal?.aborted) return 'interrupted'
    if (this.#deadline?.aborted) return 'timed-out'
    return this.#allowance.isSpent ? 'spent' : undefined
  }

  async #runSession(): Promise<Observation> {
    const team = this.#team
    const before = askedOf(team)
    const outcome = await runSession(team, this.#plan, this.#supervision, this.#deadline, this.#allowance)
    this.#outcome = outcome
    this.#change = outcome.change
    await team.step()
    const after = askedOf(team)
    const isAnswered = before !== undefined && after !== undefined && before !== after
    const seen = this.#look()
    return {
      after: 'session',
      ending: endingOf(outcome, isAnswered),
      asked: overBy.has(seen.stands) ? 'nothing' : hasAsked(team.actor, outcome.record.at),
      stays: outcome.record.driver === 'acp',
      ...seen,
    }
  }

  async #waitForLimit(): Promise<void> {
    const { onProgress, signal } = this.#supervision
    await pauseForLimit(this.#team)
    const until = limitedUntil(this.#team)
    const { words = '' } = this.#ended.reported.limit ?? {}
    if (until !== undefined) onProgress?.({ kind: 'limit', until, words })
    await waitForLimit(this.#team, signal, this.#deadline)
  }

  async #waitForWork(): Promise<void> {
    const { onProgress, signal } = this.#supervision
    onProgress?.({ kind: 'idle', waitsFor: 'what may come' })
    await waitForWork(this.#team, this.#plan.limits.idleMs ?? 0, [signal, this.#deadline])
  }

  #waitForAnswer() {
    const { onProgress, signal } = this.#supervision
    return waitForAnswer(this.#team, {
      again: this.#plan.again,
      isForNews: this.#plan.prompt === undefined,
      onWait: (question) => onProgress?.({ kind: 'idle', waitsFor: describeQuestion(question) }),
      signal,
      deadline: this.#deadline,
    })
  }

  async #giveUp(): Promise<undefined> {
    const { maxSessions: sessions } = this.#plan.limits
    const last = listSessions(workspaceLayout(this.#team.actor.workspace).sessions).at(-1)
    await this.#team.tell({
      type: 'alert',
      subject: 'Session exhausted',
      body: `the agent ended ${sessions === 1 ? 'one session' : `${sessions} sessions`} without finishing; the last one exited ${last?.end?.exitCode}, its output is in ${last?.log}`,
    })
  }

  #refusal(
    action: 'interrupted' | 'timed-out' | 'replaced' | 'refused' | 'codebase-changed' | 'spent',
  ): FedError {
    const team = this.#team
    switch (action) {
      case 'interrupted':
        return new InterruptedError(`interrupted; '${this.#plan.again}' carries on`)
      case 'timed-out':
        return new TimedOutError(
          `${team.id} was still ${team.present().state} when its time was over; '${this.#plan.again}' carries on`,
        )
      case 'replaced':
        return replaced(team)
      case 'refused':
        return refusedBy(this.#ended, this.#plan.again)
      case 'codebase-changed':
        return codebaseChanged(team, this.#change as CodebaseChange)
      case 'spent':
        return spentAlready(team, this.#plan.budget as Budget)
    }
  }
}

/** Id of the signal with the question that a consultant is asked; undefined without one. */
function askedOf(team: Team): string | undefined {
  return (team.present().context as Partial<ConsultantContext>).question?.signal
}

function endingOf(
  { cause, exit, record, reported }: SessionOutcome,
  isAnswered: boolean,
): Extract<Observation, { after: 'session' }>['ending'] {
  switch (cause) {
    case 'limited':
    case 'over-budget':
    case 'interrupted':
    case 'timed-out':
    case 'unwanted':
    case 'refused':
      return cause
  }
  if (exit.exitCode === AGENT_REFUSES) return 'refused'
  if (cause === 'paused') return 'stopped'
  if (cause === 'silent') return cause
  if (isAnswered) return 'answered'
  return record.resumes !== undefined && reported.agentSession === undefined ? 'forgot' : 'unfinished'
}

/** The error for an agent that refused: it would refuse the next time as well, so the launch ends. */
function refusedBy({ cause, exit, record, reported }: SessionOutcome, again: string): RefusedError {
  if (cause === 'refused' && exit.exitCode !== AGENT_REFUSES) {
    const words = printable(reported.refusal ?? '', 300)
    return new RefusedError(
      `${record.agent} will not work here: ${words}; see to it, then '${again}' carries on`,
    )
  }
  const installed = installedAgents()
  const others =
    installed.length === 0
      ? 'no other agent that fed knows is on the PATH'
      : `on the PATH are ${installed.join(', ')}: try --agent ${installed[0]}`
  return new RefusedError(`${exit.lastWords || 'the agent refused the mission'}\n${others}`)
}

function codebaseChanged(team: Team, change: CodebaseChange): RefusedError {
  return new RefusedError(
    `${team.id} is paused: while its agent worked, which only reads, the codebase changed (${describeChanges(change)}); ` +
      `${change.whoDidIt}; nothing was undone, the patch is in ${change.patch}; ${choicesAfter(team)}`,
  )
}
