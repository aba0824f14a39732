import { presentMs } from '../../protocol/clock.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import type { Team } from '../../federation/team.ts'
import { hasNothingToDo } from './unread-mail.ts'
import { Allowance, type Used } from '../usage/allowance.ts'
import type { CodebaseChange } from './codebase-change.ts'
import { lookAfterLost } from './codebase-watch.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { limitedUntil, limitOfOthers, pauseForLimit, waitForLimit, type HeldBack } from './limit.ts'
import type { Action, Observation } from './next-action.ts'
import { hasAsked, openQuestions } from './open-questions.ts'
import { beforeSession, endingOf, progressedSince } from './outcome-of-session.ts'
import { ProviderTrouble } from './provider-trouble.ts'
import { runSession, type SessionOutcome } from './run-session.ts'
import { listSessions } from './session-record.ts'
import type { Supervision } from './supervise.ts'
import { describeQuestion, waitForAnswer } from './wait-for-answer.ts'
import { waitForWork } from './wait-for-work.ts'
import { waitUntil } from './wait-until.ts'
import { whyLaunchEnds } from './why-launch-ends.ts'

/** What holds back a team is looked at again after so long, in milliseconds. */
const lookAgainMs = 2000

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
  readonly #allowance: Allowance
  /** The limit that is used up, if one is. */
  #spent: Used | undefined
  /** What holds back this team: the limit of another team's agent, or a budget that others may use up. */
  #heldBack: HeldBack | undefined
  readonly #trouble: ProviderTrouble
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
    this.#trouble = new ProviderTrouble(plan.limits.patienceMs)
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
        return this.#sessionInSlot()
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
      default:
        throw await whyLaunchEnds(action, {
          team: this.#team,
          again: this.#plan.again,
          outcome: this.#outcome,
          change: this.#change,
          spent: action === 'over-budget' ? this.#used() : this.#spent,
          trouble: this.#trouble,
          hold: this.#plan.hold,
        })
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

  /** Runs a session once an agent more may run; what happened meanwhile may speak against it. */
  async #sessionInSlot(): Promise<Observation> {
    const { takeSlot } = this.#supervision
    if (takeSlot === undefined) return this.#runSession()
    const { onProgress } = this.#supervision
    const release = await takeSlot(() => onProgress?.({ kind: 'idle', waitsFor: 'a free slot' }))
    try {
      await this.#team.step()
      const seen = this.#look()
      const isOff = release === undefined || overBy.has(seen.stands) || seen.obstacle !== undefined
      return isOff ? { after: 'wait-for-limit', ...seen } : await this.#runSession()
    } finally {
      release?.()
    }
  }

  async #runSession(): Promise<Observation> {
    const team = this.#team
    const before = beforeSession(team)
    const outcome = await runSession(team, this.#plan, this.#supervision, this.#deadline, this.#allowance)
    this.#outcome = outcome
    this.#change = outcome.change
    await team.step()
    const seen = this.#look()
    const ending = endingOf(team, outcome, before)
    const progressed = progressedSince(team, before)
    this.#trouble.after(ending, progressed)
    return {
      after: 'session',
      ending,
      progressed,
      isPatient: this.#trouble.isBearable,
      asked: overBy.has(seen.stands) ? 'nothing' : hasAsked(team.actor, outcome.record.at),
      stays: outcome.record.driver === 'acp',
      ...seen,
    }
  }

  /** The limit for which the last session was stopped: where it told of none, its time was over. */
  #used(): Used {
    return this.#outcome?.over ?? this.#spent ?? (this.#allowance.tightest('time') as Used)
  }

  async #waitForService(): Promise<void> {
    const { onProgress, signal } = this.#supervision
    const until = this.#trouble.nextTry()
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
}
