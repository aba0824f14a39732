import type { TurnEnd } from './drivers/driver.ts'
import type { Team } from '../teams/team.ts'
import type { AgentSession } from './agent-session.ts'
import type { CodebaseChange } from './codebase-change.ts'
import { unreadMail } from './agent-work.ts'
import { changeQueue } from './changes.ts'
import { questionOf } from './briefing.ts'
import { furtherPrompt } from './prompt.ts'
import type { SessionEnd } from './session-record.ts'
import type { SessionWatch } from './session-watch.ts'

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
  | { readonly kind: 'state'; readonly state: string }
  | { readonly kind: 'activity'; readonly line: string }
  | { readonly kind: 'codebase'; readonly change: CodebaseChange }
  | { readonly kind: 'limit'; readonly until: number; readonly words: string }

export interface Supervision {
  readonly onProgress?: (progress: Progress) => void
  /** Aborting stops the agent and leaves a state from which a later launch carries on. */
  readonly signal?: AbortSignal
}

/** Why a session is over. */
export type Cause = Exclude<SessionEnd['cause'], 'lost' | 'error'>

/** Time that an agent has to end by itself once its work is over, in milliseconds. */
const farewellMs = 5000

/** Time that an agent has to end once nobody talks with it any more, in milliseconds. */
const leavingMs = 2000

/** How a session ended. */
export interface Ending {
  readonly cause: Cause
  /** How the last turn of a conversation ended, when the agent did not end by itself. */
  readonly turn?: TurnEnd
}

/**
 * Drains the mailbox while the agent works, puts what came for it before an agent that waits, and stops it when
 * the machine ends or pauses, or when there is a reason in what it says.
 * @returns why the session is over, once the agent is gone.
 */
export async function supervise(
  team: Team,
  session: AgentSession,
  { onProgress, signal }: Supervision,
  deadline: AbortSignal | undefined,
  watch: SessionWatch,
): Promise<Ending> {
  const { mission } = session.record
  const changes = changeQueue(team.mailbox.inbox)
  const exited = session.exit.then(() => 'exited' as const)
  const { dialogue } = session
  const turned = () => dialogue?.turn() ?? new Promise<never>(() => undefined)
  let turn = turned()
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
  try {
    for (;;) {
      await team.step()
      const { state, finished, paused, missionNumber } = team.present()
      if (missionNumber !== mission) {
        stop('unwanted')
        break
      }
      if (state !== shown) onProgress?.({ kind: 'state', state: (shown = state) })
      if (paused) stop('paused')
      if (finished) {
        cause ??= 'finished'
        over = await Promise.race([exited, turn, patience(farewellMs)])
        await leave()
        break
      }
      const next = await Promise.race([exited, changes.next(), watch.reason, turn])
      if (next === 'exited') break
      if (typeof next === 'string') {
        cause ??= next
        dialogue?.cancel()
        // who complained is about to end, who can be told to stop may; anybody else would only go on
        const mayEnd = dialogue !== undefined || next === 'limited' || next === 'refused'
        if (mayEnd) over = await Promise.race([exited, turn, patience(farewellMs)])
        await leave()
        break
      }
      // the last thing that an agent says in its turn may end its mission
      if (next === undefined || team.present().finished) continue
      const isGoing = next.failure === undefined && cause === undefined
      const news = isGoing ? await newsFor(team, session) : undefined
      if (news === undefined) {
        over = next
        await leave()
        break
      }
      dialogue?.say(news)
      turn = turned()
    }
    await exited
    return { cause: cause ?? 'ended', ...(typeof over === 'object' ? { turn: over } : {}) }
  } finally {
    changes.end()
    signal?.removeEventListener('abort', onInterrupt)
    deadline?.removeEventListener('abort', onDeadline)
  }
}

/** What came for an agent since it was told last; undefined when nothing did. */
async function newsFor(team: Team, { reports }: AgentSession): Promise<string | undefined> {
  const isNew = (signal: string) => !reports.known.told.some((one) => one.signal === signal)
  const status = await team.status()
  const mail = unreadMail(team).filter(({ id }) => isNew(id))
  const asked = questionOf(status).filter(isNew)
  if (status.finished || (mail.length === 0 && asked.length === 0)) return undefined
  const signals = [...mail.map(({ id }) => id), ...asked]
  reports.add({ kind: 'told', by: 'further prompt', signals })
  return furtherPrompt({ ...status, question: asked.length === 0 ? null : status.question }, mail)
}

function patience(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}
