import { presentMs } from '../../protocol/clock.ts'
import type { TurnEnd } from '../drivers/driver.ts'
import type { Team } from '../../federation/team.ts'
import type { BegunBranch } from './begin-branch.ts'
import type { AgentSession } from './agent-session.ts'
import type { CodebaseChange } from './codebase-change.ts'
import { changeQueue } from './folder-changes.ts'
import { newsFor } from '../briefing/news.ts'
import { tellUnanswered } from './no-answer.ts'
import { openQuestions } from './open-questions.ts'
import { RefusalLoop } from './refusal-loop.ts'
import type { SessionEnd } from './session-record.ts'
import type { SessionWatch } from './session-watch.ts'
import { describeQuestion } from './wait-for-answer.ts'

/** What a launch says while it runs. */
export type Progress =
  | {
      readonly kind: 'session'
      readonly number: number
      readonly agent: string
      readonly log: string
      /** As `describeHold` says it. */
      readonly hold: string | undefined
    }
  | ({ readonly kind: 'branch' } & BegunBranch)
  /** What its agent committed stays within walls. */
  | { readonly kind: 'untaken'; readonly why: string }
  | { readonly kind: 'state'; readonly state: string }
  | { readonly kind: 'activity'; readonly line: string }
  | { readonly kind: 'codebase'; readonly change: CodebaseChange }
  | { readonly kind: 'limit'; readonly until: number; readonly words: string }
  /** The agent's provider fails, and is tried again. */
  | { readonly kind: 'unavailable'; readonly until: number; readonly words: string }
  /** The agent has ended its turn, and stays for what may come. */
  | { readonly kind: 'idle'; readonly waitsFor: string }

export interface Supervision {
  readonly onProgress?: (progress: Progress) => void
  /**
   * Waits until one more agent may run; tells how to give that back, and nothing where the wait was ended.
   * @param onWait told where it is not at once.
   */
  readonly takeSlot?: (onWait: () => void) => Promise<(() => void) | undefined>
  /** Aborting stops the agent and leaves a state from which a later launch carries on. */
  readonly signal?: AbortSignal
}

/** How long an agent that is talked to stays between its turns, in milliseconds. */
interface Stay {
  /** While its team waits for somebody else. */
  readonly idleMs: number
  /** While what it asked is not answered. */
  readonly answerMs: number
}

/** Why a session is over. */
export type Cause = Exclude<SessionEnd['cause'], 'lost' | 'error'>

/** Time that an agent has to end by itself once its work is over, in milliseconds. */
const shutdownGraceMs = 5000

/** Time that an agent has to end once nobody talks with it any more, in milliseconds. */
const leavingMs = 2000

/** Timers hold no more. */
const longestMs = 2 ** 31 - 1

/** How a session ended. */
export interface Ending {
  readonly cause: Cause
  /** How the last turn of a conversation ended, when the agent did not end by itself. */
  readonly turn?: TurnEnd
  /** What was refused again and again. */
  readonly looped?: string
}

/**
 * Drains the mailbox while the agent works, puts what came for it before an agent that waits, and stops it when
 * the machine ends or pauses, or when there is a reason in what it says. An agent that is talked to stays between
 * its turns for `answerMs` while what it asked is not answered, and for `idleMs` while its team waits.
 * @returns why the session is over, once the agent is gone.
 */
export async function supervise(
  team: Team,
  session: AgentSession,
  { onProgress, signal, idleMs, answerMs }: Supervision & Stay,
  deadline: AbortSignal | undefined,
  watch: SessionWatch,
): Promise<Ending> {
  const { mission } = session.record
  const changes = changeQueue(team.mailbox.inbox)
  const exited = session.exit.then(() => 'exited' as const)
  const { dialogue } = session
  const turned = () => dialogue?.turn() ?? new Promise<never>(() => undefined)
  let turn = turned()
  let looped: string | undefined
  let cause: Cause | undefined
  const stop = (why: Cause) => {
    cause ??= why
    dialogue?.cancel()
    session.stop()
  }
  const leave = async () => {
    if (dialogue !== undefined) {
      dialogue.leave()
      await Promise.race([exited, patience(leavingMs)])
    }
    session.stop()
    await exited
  }
  const onInterrupt = () => stop('interrupted')
  const onDeadline = () => stop('timed-out')
  signal?.addEventListener('abort', onInterrupt)
  deadline?.addEventListener('abort', onDeadline)
  if (signal?.aborted) onInterrupt()
  if (deadline?.aborted) onDeadline()
  let shown: string | undefined
  let over: TurnEnd | string | undefined | void
  let idleSince: number | undefined
  let told: string | undefined
  try {
    const refusals = new RefusalLoop(team)
    for (;;) {
      const { state, finished, paused, waits, missionNumber } = await team.stepped()
      if (missionNumber !== mission) {
        stop('unwanted')
        break
      }
      if (state !== shown) onProgress?.({ kind: 'state', state: (shown = state) })
      if (paused) stop('paused')
      const loop = refusals.look()
      if (loop !== undefined) {
        looped = loop
        stop('looping')
      }
      if (finished) {
        cause ??= 'finished'
        over = await Promise.race([exited, turn, patience(shutdownGraceMs)])
        await leave()
        break
      }
      if (idleSince !== undefined && cause === undefined) {
        await tellUnanswered(team.actor)
        const news = await newsFor(team, session)
        if (news !== undefined) {
          dialogue?.say(news)
          turn = turned()
          idleSince = over = undefined
          watch.wake()
        }
      }
      let rest: number | undefined
      if (idleSince !== undefined) {
        const [open] = openQuestions(team.actor)
        const stayMs = Math.max(waits ? idleMs : 0, open === undefined ? 0 : answerMs)
        rest = idleSince - performance.now() + stayMs
        if (rest <= 0) {
          await leave()
          break
        }
        const waitsFor = open === undefined ? 'what may come' : describeQuestion(open)
        if (waitsFor !== told) onProgress?.({ kind: 'idle', waitsFor: (told = waitsFor) })
        if (open !== undefined) rest = Math.min(rest, open.until - presentMs())
      }
      const alarm = rest === undefined ? undefined : new Alarm(rest)
      const next = await Promise.race([exited, changes.next(), watch.reason, alarm?.rung ?? turn])
      alarm?.end()
      if (next === 'exited') break
      if (typeof next === 'string') {
        cause ??= next
        dialogue?.cancel()
        // who complained is about to end, who can be told to stop may; anybody else would only go on
        const mayEnd = dialogue !== undefined || (next !== 'silent' && next !== 'over-budget')
        if (mayEnd) over = await Promise.race([exited, turn, patience(shutdownGraceMs)])
        await leave()
        break
      }
      // the last thing that an agent says in its turn may end its mission
      if (next === undefined || team.present().finished) continue
      over = next
      if (next.failure !== undefined || cause !== undefined) {
        await leave()
        break
      }
      const notice = dialogue?.notice()
      if (notice !== undefined) {
        dialogue?.say(notice)
        turn = turned()
        over = undefined
        continue
      }
      idleSince = performance.now()
      watch.rest()
    }
    await exited
    return {
      cause: cause ?? 'ended',
      ...(typeof over === 'object' ? { turn: over } : {}),
      ...(looped === undefined ? {} : { looped }),
    }
  } finally {
    changes.end()
    signal?.removeEventListener('abort', onInterrupt)
    deadline?.removeEventListener('abort', onDeadline)
  }
}

/** Rings once, unless it is ended before. */
class Alarm {
  readonly rung: Promise<void>
  #timer: NodeJS.Timeout | undefined

  constructor(milliseconds: number) {
    this.rung = new Promise((resolve) => {
      this.#timer = setTimeout(resolve, Math.min(milliseconds, longestMs))
    })
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}

function patience(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}
