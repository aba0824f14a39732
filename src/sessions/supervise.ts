import { watchDirectory } from '../signals/watch.ts'
import type { Team } from '../teams/team.ts'
import type { AgentSession } from './agent-session.ts'
import type { CodebaseChange } from './codebase-watch.ts'
import type { SessionEnd } from './session-record.ts'

/** What a launch says while it runs. */
export type Progress =
  | { readonly kind: 'session'; readonly number: number; readonly agent: string; readonly log: string }
  | { readonly kind: 'state'; readonly state: string }
  | { readonly kind: 'activity'; readonly line: string }
  | { readonly kind: 'codebase'; readonly change: CodebaseChange }

export interface Supervision {
  readonly onProgress?: (progress: Progress) => void
  /** Aborting stops the agent and leaves a state from which a later launch carries on. */
  readonly signal?: AbortSignal
}

/** Why a session is over. */
export type Cause = Exclude<SessionEnd['cause'], 'lost' | 'error'>

/** Time that an agent has to end by itself once its machine is final, in milliseconds. */
const farewellMs = 5000

/**
 * Drains the mailbox while the agent works, and stops it when the machine ends or pauses.
 * @returns why the session is over, once the agent is gone.
 */
export async function supervise(
  team: Team,
  session: AgentSession,
  { onProgress, signal }: Supervision,
  deadline: AbortSignal | undefined,
): Promise<Cause> {
  const { mission } = session.record
  const changes = changeQueue(team.mailbox.inbox)
  const exited = session.exit.then(() => 'exited' as const)
  let cause: Cause | undefined
  const stop = (why: Cause) => {
    cause ??= why
    session.stop()
  }
  const onInterrupt = () => stop('interrupted')
  const onDeadline = () => stop('timed-out')
  signal?.addEventListener('abort', onInterrupt)
  deadline?.addEventListener('abort', onDeadline)
  if (signal?.aborted) onInterrupt()
  if (deadline?.aborted) onDeadline()
  let shown: string | undefined
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
        await Promise.race([exited, patience(farewellMs)])
        session.stop()
        break
      }
      if ((await Promise.race([exited, changes.next()])) === 'exited') break
    }
    await exited
    return cause ?? 'ended'
  } finally {
    changes.end()
    signal?.removeEventListener('abort', onInterrupt)
    deadline?.removeEventListener('abort', onDeadline)
  }
}

function patience(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}

/** Promises for "something changed since you last asked". */
function changeQueue(dir: string): { next: () => Promise<void>; end: () => void } {
  let changed = false
  let wake: (() => void) | undefined
  const end = watchDirectory(dir, () => {
    changed = true
    wake?.()
  })
  return {
    end,
    async next() {
      if (!changed) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      changed = false
    },
  }
}
