import type { LifecyclePhase } from '../../machines/registry-status.ts'
import type { TeamContext } from '../../machines/team-event.ts'
import { isFinished } from '../engine/step/effects.ts'
import { enteredAt } from '../engine/step/entered.ts'
import { asSignal, heldQuestion } from '../engine/step/held-question.ts'
import { readPresent } from '../engine/step/present.ts'
import { phaseOf } from '../engine/decide/phase.ts'
import { firstLeaf } from '../engine/decide/snapshot.ts'
import { leafOf, waits } from '../engine/decide/transitions.ts'
import type { PersistedSnapshot } from '../engine/decide/lifecycle.ts'
import type { Logic } from '../engine/decide/judge.ts'
import type { Actor } from '../engine/step/world.ts'
import { FedError } from '../errors/fed-error.ts'
import { workspaceLayout } from '../protocol/folder-layout.ts'
import { openQuestions, type OpenQuestion } from '../agents/sessions/open-questions.ts'
import { lastSession, type Session } from '../agents/sessions/session-record.ts'
import { withoutAcknowledgment } from '../records/signals/waiting-files.ts'
import { disk } from '../platform/storage/disk.ts'

/** A team as it lies on the disk. */
export interface Facts {
  /** Leaf state. */
  readonly state: string
  readonly phase: LifecyclePhase
  /** Whether the mission was begun: an agent was launched for it, or the machine has left its first state. */
  readonly started: boolean
  /** Whether the state waits for somebody else. */
  readonly waits: boolean
  readonly mission: TeamContext['mission']
  /** Why it failed, null when it did not. */
  readonly failure: string | null
  readonly version: number
  /** When the state was entered, ISO 8601. */
  readonly since: string
  /** Time of the last commit, ISO 8601. */
  readonly at: string
  /** The same in milliseconds. */
  readonly atMs: number
  /** The second, as signal files are named by it, of the last signal that it sent; empty when it sent none. */
  readonly sent: string
  /** Signal files without an acknowledgment. */
  readonly waiting: readonly string[]
  /** What it asked and nobody answered yet, oldest first; nothing where it does not work. */
  readonly asks: readonly OpenQuestion[]
  /** The question that its machine took up and has not answered; none once it has ended. */
  readonly held: ReturnType<typeof asSignal> | null
  /** The last session, or why its record cannot be read. */
  readonly session: Session | FedError | undefined
  /** How many files were set aside. */
  readonly quarantined: number
  /** Whether a step would find nothing to do: nothing waits, and nobody left anything unfinished. */
  readonly isAtRest: boolean
}

/**
 * Looks at a team without changing anything, each of its folders once: most teams of a federation have nothing
 * to do at most times.
 * @throws {CorruptDocumentError} naming what is damaged.
 */
export function lookAt(actor: Actor): Facts {
  const { inbox, outbox, quarantine, sessions } = workspaceLayout(actor.workspace)
  const outgoing = disk.list(outbox)
  const { hasLeftovers, sent } = lookIntoOutbox(outgoing)
  // the head before the inbox, as in a step
  const { head, snapshot } = readPresent(actor)
  const waiting = withoutAcknowledgment(disk.list(inbox))
  const { mission, failure } = snapshot.context as Partial<TeamContext>
  const phase = phaseOf(head.content.snapshot)
  const session = sessionIn(sessions)
  const state = leafOf(snapshot)
  const held = snapshot.status === 'active' ? heldQuestion(snapshot) : null
  return {
    state,
    phase,
    started: session !== undefined || hasMoved(actor.logic, head.content.snapshot, state),
    waits: waits(snapshot),
    mission: mission ?? null,
    failure: failure?.reason ?? null,
    version: head.version,
    since: enteredAt(actor, head.content),
    at: head.content.at,
    atMs: Date.parse(head.content.at),
    sent,
    waiting,
    asks: phase === 'working' ? openQuestions(actor, outgoing) : [],
    held: held === null ? null : asSignal(held, head.content.at),
    session,
    quarantined: countQuarantined(quarantine),
    isAtRest: waiting.length === 0 && !hasLeftovers && !head.isBehind && isFinished(actor, head.content),
  }
}

/** Whether a machine has left its first state; one that is paused in it has not. */
function hasMoved(logic: Logic, snapshot: PersistedSnapshot, leaf: string): boolean {
  const first = firstLeaf(logic)
  if (phaseOf(snapshot) !== 'paused') return leaf !== first
  return Object.values(snapshot.history).some((nodes) => nodes.some((id) => !id.endsWith(`.${first}`)))
}

const sentName = /^\d{4}-\d\d-\d\dT\d{6}Z-/

function lookIntoOutbox(names: readonly string[]): { hasLeftovers: boolean; sent: string } {
  let hasLeftovers = false
  let sent = ''
  for (const name of names) {
    // what is not finished bears a temporary name
    if (name.startsWith('.') && name.endsWith('.tmp')) hasLeftovers = true
    else if (name > sent && sentName.test(name)) sent = name
  }
  return { hasLeftovers, sent: sent.slice(0, 'YYYY-MM-DDTHHMMSSZ'.length) }
}

function sessionIn(dir: string): Facts['session'] {
  // most often there is no such folder, and a look costs less than a listing
  if (!disk.exists(dir)) return undefined
  try {
    return lastSession(dir)
  } catch (error) {
    if (error instanceof FedError) return error
    throw error
  }
}

function countQuarantined(dir: string): number {
  if (!disk.exists(dir)) return 0
  let count = 0
  for (const name of disk.list(dir)) if (!name.endsWith('.reason')) count += 1
  return count
}
