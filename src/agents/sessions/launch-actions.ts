import { InterruptedError, RefusedError, TimedOutError, type FedError } from '../../errors/fed-error.ts'
import { printable } from '../../errors/printable.ts'
import { readPresent } from '../../engine/step/present.ts'
import { versionsAfter } from '../../engine/step/versions-after.ts'
import { presentMs } from '../../protocol/clock.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import type { ConsultantContext } from '../../../machines/consultant.ts'
import type { Team } from '../../federation/team.ts'
import { AGENT_REFUSES } from './agent-command.ts'
import { hasNothingToDo } from './unread-mail.ts'
import { Allowance, type Used } from '../usage/allowance.ts'
import { pauseOverBudget, spentAlready } from './budget.ts'
import { choicesAfter, describeChanges, type CodebaseChange } from './codebase-change.ts'
import { lookAfterLost } from './codebase-watch.ts'
import { installedAgents } from './installed-agents.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { limitedUntil, limitOfOthers, pauseForLimit, waitForLimit, type HeldBack } from './limit.ts'
import type { Action, Observation } from './next-action.ts'
import { hasAsked, openQuestions } from './open-questions.ts'
import { pauseAndTell } from './pause-and-tell.ts'
import { replaced, runSession, type SessionOutcome } from './run-session.ts'
import { listSessions } from './session-record.ts'
import type { Supervision } from './supervise.ts'
import { describeQuestion, waitForAnswer } from './wait-for-answer.ts'
import { waitForWork } from './wait-for-work.ts'
import { waitUntil } from './wait-until.ts'

/** How long a provider may fail, where the launch says nothing, in milliseconds. */
const defaultPatienceMs = 3_600_000
/** The first wait for a provider that fails, and the longest: it doubles each time; in milliseconds. */
const [firstWaitMs, longestWaitMs] = [2000, 300_000]

/** What holds back a team is looked at again after so long, in milliseconds. */
const lookAgainMs = 2000

/** Where a team stands when nothing more is to be launched. */
const overBy: ReadonlySet<Observation['stands']> = new Set(['finished', 'paused', 'replaced', 'changed'])

/** Since when a provider fails, in milliseconds since 1970, and how often in a row it did. */
interface Failing {
  readonly since: number
  readonly times: number
}

/** Carries out the actions of a launch, one at a time, and tells what the launch sees after each. */
export class LaunchActions {
  readonly #team: Team
  readonly #plan: LaunchPlan
  readonly #supervision: Supervision
  readonly #deadline: AbortSignal | undefined
  readonly #mission: number
  /** What the next session may use up. */
  readonly #allowance: Allowance
  /** The limit that is used up, if one is. */
  #spent: Used | undefined
  /** What holds back this team: the limit of another team's agent, or a budget that others may use up. */
  #heldBack: HeldBack | undefined
  #failing: Failing | undefined
  /** The session for whose limit the launch has waited. */
  #waitedFor: SessionOutcome | undefined
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
    this.#allowance = new Allowance(team, plan.budgets)
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
      case 'wait-for-service':
        await this.#waitForService()
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
        throw await this.#pauseOverBudget(this.#used())
      case 'spent':
        // a session of this launch used up the rest
        if (this.#outcome !== undefined) throw await this.#pauseOverBudget(this.#spent as Used)
        throw this.#refusal(action)
      case 'unavailable':
        throw await this.#pauseUnavailable()
      case 'looping':
        throw await this.#pause('It goes round in circles', 'Agent goes round in circles', {
          words: `its agent told the same again and again, and was refused each time: ${printable(this.#ended.looped ?? '', 500)}`,
          next: `'fed status ${this.#team.id}' says what is missing; then ${this.#goingOn}`,
        })
      case 'refused':
        if (this.#ended.cause === 'refused' && this.#ended.exit.exitCode !== AGENT_REFUSES)
          throw await this.#pauseForPerson()
        throw this.#refusal(action)
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
    this.#spent = isOver ? undefined : this.#allowance.spent()
    this.#heldBack = isOver ? undefined : this.#whatHoldsBack()
    const isAsking = !isOver && openQuestions(this.#team.actor).length > 0
    return { stands, isAsking, obstacle: this.#obstacle() }
  }

  #whatHoldsBack(): HeldBack | undefined {
    const limit = limitOfOthers(this.#team, this.#plan.agent)
    if (limit !== undefined) return limit
    if (this.#allowance.held() === undefined) return undefined
    return {
      team: undefined,
      until: presentMs() + lookAgainMs,
      words: "a part of the federation's budget, of which teams at work may use up all that is left",
    }
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
    if (this.#spent !== undefined) return 'spent'
    return this.#heldBack === undefined ? undefined : 'limited'
  }

  async #runSession(): Promise<Observation> {
    const team = this.#team
    const before = askedOf(team)
    const { version } = readPresent(team.actor).head
    const outcome = await runSession(team, this.#plan, this.#supervision, this.#deadline, this.#allowance)
    this.#outcome = outcome
    this.#change = outcome.change
    await team.step()
    const after = askedOf(team)
    const isAnswered = before !== undefined && after !== undefined && before !== after
    const seen = this.#look()
    const ending = endingOf(outcome, isAnswered)
    const progressed = progressedSince(team, version)
    this.#failing = failingAfter(progressed ? undefined : this.#failing, ending)
    return {
      after: 'session',
      ending,
      progressed,
      isPatient: presentMs() - (this.#failing?.since ?? Infinity) < this.#patienceMs,
      asked: overBy.has(seen.stands) ? 'nothing' : hasAsked(team.actor, outcome.record.at),
      stays: outcome.record.driver === 'acp',
      ...seen,
    }
  }

  /** The limit for which the last session was stopped: where it told of none, its time was over. */
  #used(): Used {
    return this.#outcome?.over ?? this.#spent ?? (this.#allowance.tightest('time') as Used)
  }

  async #pauseOverBudget(used: Used) {
    return pauseOverBudget(this.#team, this.#ended.record, used, this.#plan.again)
  }

  get #patienceMs(): number {
    return this.#plan.limits.patienceMs ?? defaultPatienceMs
  }

  get #goingOn(): string {
    return `'fed resume ${this.#team.id}' and '${this.#plan.again}' go on`
  }

  #pause(why: string, subject: string, told: { readonly words: string; readonly next: string }) {
    return pauseAndTell(this.#team, this.#ended.record, { why, subject, ...told })
  }

  #pauseUnavailable() {
    const { record, reported } = this.#ended
    const { since = presentMs(), times = 1 } = this.#failing ?? {}
    const minutes = ((presentMs() - since) / 60_000).toFixed(1)
    return this.#pause('Provider unavailable', 'Provider unavailable', {
      words: `what ${record.agent} works with failed ${times} times in ${minutes} minutes: ${printable(reported.unavailable ?? '', 300)}`,
      next: `when it works again, ${this.#goingOn}`,
    })
  }

  #pauseForPerson() {
    const { record, reported } = this.#ended
    return this.#pause('Needs a person', 'Agent needs a person', {
      words: `${record.agent} will not work here: ${printable(reported.refusal ?? '', 300)}`,
      next: `see to it; then ${this.#goingOn}`,
    })
  }

  /** Waits before a provider that failed is tried again: not all at the same time, and ever longer. */
  async #waitForService(): Promise<void> {
    const { onProgress, signal } = this.#supervision
    const { since = presentMs(), times = 1 } = this.#failing ?? {}
    const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** (times - 1))
    const wait = (longest / 2) * (1 + Math.random())
    const until = Math.min(presentMs() + wait, since + this.#patienceMs)
    onProgress?.({ kind: 'unavailable', until, words: this.#ended.reported.unavailable ?? '' })
    await this.#waitWhileAtWork(() => until, signal)
  }

  async #waitWhileAtWork(until: () => number | undefined, signal: AbortSignal | undefined): Promise<void> {
    const next = () => {
      const time = until()
      return time === undefined || time <= presentMs() || overBy.has(this.#stands()) ? undefined : time
    }
    await waitUntil(this.#team, next, [signal, this.#deadline])
  }

  async #waitForLimit(): Promise<void> {
    const { onProgress, signal } = this.#supervision
    // a limit of its own for which it is paused, or is to be, comes first
    const isOwn = this.#outcome?.cause === 'limited' && this.#outcome !== this.#waitedFor
    if (!isOwn && this.#heldBack !== undefined) {
      const { team, until, words } = this.#heldBack
      if (team === undefined) onProgress?.({ kind: 'idle', waitsFor: words })
      else onProgress?.({ kind: 'limit', until, words: `${words} (${team} met it)` })
      await this.#waitWhileAtWork(() => this.#whatHoldsBack()?.until, signal)
      return
    }
    this.#waitedFor = this.#outcome
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
        return refusedBy(this.#ended)
      case 'codebase-changed':
        return codebaseChanged(team, this.#change as CodebaseChange)
      case 'spent':
        return spentAlready(team, this.#spent as Used)
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
    case 'unavailable':
    case 'overflowed':
    case 'looping':
      return cause
  }
  if (exit.exitCode === AGENT_REFUSES) return 'refused'
  if (cause === 'paused' || cause === 'capped') return 'stopped'
  if (cause === 'silent') return cause
  if (isAnswered) return 'answered'
  return record.resumes !== undefined && reported.agentSession === undefined ? 'forgot' : 'unfinished'
}

/** What a session's end says of the provider: one that only forgot its own session says nothing. */
function failingAfter(before: Failing | undefined, ending: ReturnType<typeof endingOf>): Failing | undefined {
  if (ending === 'forgot') return before
  if (ending !== 'unavailable') return undefined
  return { since: before?.since ?? presentMs(), times: (before?.times ?? 0) + 1 }
}

/** Whether something of a team was accepted after one of its versions. */
function progressedSince({ actor, id }: Team, version: number): boolean {
  return versionsAfter(actor, version).some(({ read }) =>
    read()?.handled.some(({ sender, outcome }) => sender === id && outcome === 'accepted'),
  )
}

/** The error for an agent that cannot do the mission: it would refuse the next time as well, so the launch ends. */
function refusedBy({ exit }: Pick<SessionOutcome, 'exit'>): RefusedError {
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
