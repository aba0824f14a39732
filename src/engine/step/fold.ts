import type { AnyMachineSnapshot } from 'xstate'
import type { AskedEffect, Evidence, TeamContext, TeamEvent } from '../../../machines/team-event.ts'
import { eventOf } from '../../protocol/event-name.ts'
import type { SignalMessage } from '../../protocol/signal.ts'
import { META } from '../../protocol/team-id.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import { askedSignal, refusalAlert, transitionReport } from './outgoing-signals.ts'
import { eventFrom, gatherEvidence } from './evidence.ts'
import { lastWord, leftSignal } from './held-question.ts'
import { judge } from '../decide/judge.ts'
import type { Effect, Handled, Refusal } from '../decide/lifecycle.ts'
import { proofOf } from '../decide/proof-in-words.ts'
import { knows, leafOf, waits } from '../decide/transitions.ts'
import type { Actor } from './world.ts'

/** What one commit will hold. */
export interface Batch {
  readonly snapshot: AnyMachineSnapshot
  readonly handled: readonly Handled[]
  readonly effects: readonly Effect[]
  /** Files whose signals were decided and may be acknowledged once the commit stands. */
  readonly decided: readonly string[]
  /** Signals that are left: for the next commit, or, when this one handles nothing, until a state takes them. */
  readonly rest: readonly FiledSignal[]
}

/** More than this waits for the next commit, so that one commit stays small. */
const batchSize = 250

/** Whether the actor handles a signal; the rest is mail, which the team's agent reads and acknowledges. */
export function isEvent(
  signal: SignalMessage,
  snapshot: AnyMachineSnapshot,
  { coordinator }: Pick<Actor, 'coordinator'>,
): boolean {
  if (signal.from === signal.to) return true
  if (signal.type === 'directive') return signal.from === META || signal.from === coordinator
  return signal.type === 'question' && knows(snapshot, eventOf(signal))
}

export function entryFor(
  signal: FiledSignal,
  states: { from: string; to: string },
): Omit<Handled, 'outcome'> {
  const { id, file, from, type, subject, timestamp } = signal
  return { signal: id, file, at: timestamp, sender: from, type, subject, event: eventOf(signal), ...states }
}

/**
 * Runs unacknowledged signals through the machine in order, on the way gathering evidence. Deferred ones are
 * asked again whenever the state changed.
 */
export async function fold(
  actor: Actor,
  start: AnyMachineSnapshot,
  signals: readonly FiledSignal[],
  place: { readonly version: number; readonly at: string; readonly seen: ReadonlySet<string> },
): Promise<Batch> {
  let snapshot = start
  const handled: Handled[] = []
  const effects: Effect[] = []
  const decided: string[] = []
  const seen = new Set(place.seen)
  const left = leftSignal(actor.team, start, place.at)

  let next = 0
  let kept: FiledSignal[] = []
  let again: FiledSignal[] = left === undefined ? [] : [left]

  const nextPlace = () => ({ version: place.version, index: effects.length, at: place.at })
  const refuse = (signal: FiledSignal, refusal: Refusal, evidence?: TeamEvent['evidence']) => {
    const state = leafOf(snapshot)
    handled.push({
      ...entryFor(signal, { from: state, to: state }),
      outcome: 'refused',
      refusal,
      ...evidenceField(evidence),
    })
    // the command that an agent called tells it of its own refused milestone
    if (signal.from !== actor.team)
      effects.push({ kind: 'send', signal: refusalAlert(actor.team, signal, refusal) })
  }

  const handle = async (signal: FiledSignal): Promise<'handled' | 'moved' | 'waiting'> => {
    const state = leafOf(snapshot)
    if (!isEvent(signal, snapshot, actor)) {
      if (signal.type === 'directive') {
        refuse(signal, {
          kind: 'not-from-meta',
          message: `only ${actor.coordinator === undefined ? 'meta moves' : `meta and ${actor.coordinator} move`} a team; it is kept as mail for the agent`,
        })
      }
      return 'handled'
    }
    if (seen.has(signal.id) && signal !== left) {
      handled.push({ ...entryFor(signal, { from: state, to: state }), outcome: 'duplicate' })
      decided.push(signal.file)
      return 'handled'
    }
    const asked = eventFrom(signal)
    const evidence = snapshot.status === 'active' ? await gatherEvidence(actor, snapshot, asked) : {}
    const decision = judge(actor.logic, snapshot, { ...asked, evidence })
    if (decision.outcome === 'deferred') return 'waiting'
    // its asker may be back later, and hears at the end that there is no answer
    if (signal === left && decision.outcome === 'refused') return 'waiting'
    seen.add(signal.id)
    if (signal !== left) decided.push(signal.file)
    if (decision.outcome === 'refused') {
      refuse(signal, decision.refusal, evidence)
      return 'handled'
    }
    const before = snapshot
    snapshot = decision.next
    const to = leafOf(snapshot)
    handled.push({
      ...entryFor(signal, { from: state, to }),
      outcome: 'accepted',
      ...evidenceField(evidence),
    })
    for (const { params } of decision.asked)
      effects.push({
        kind: 'send',
        // dated as the report that holds it: an answer that was told before is the same signal
        signal: askedSignal(actor.team, reachable(actor, params), { ...nextPlace(), at: signal.timestamp }),
      })
    if (to === state) return 'handled'
    const moved = {
      from: state,
      to,
      event: asked.type,
      detail: detailOf(snapshot, signal, evidence, decision.asked),
    }
    effects.push({
      kind: 'send',
      signal: transitionReport(actor.team, superiorOf(actor), moved, nextPlace()),
    })
    if (snapshot.status === 'done' && decision.asked.length === 0) {
      const { failure } = snapshot.context as TeamContext
      const why = failure === null ? `is ${to}` : `failed: ${failure.reason}`
      const waiting = [...kept, ...again, ...signals.slice(next)]
      const told = await lastWord({ actor, snapshot: before, waiting, why, at: place.at })
      if (told !== undefined) effects.push({ kind: 'send', signal: told })
    }
    return 'moved'
  }

  while (handled.length < batchSize) {
    const signal = again.shift() ?? signals[next++]
    if (signal === undefined) break
    const result = await handle(signal)
    if (result === 'waiting') kept.push(signal)
    if (result !== 'moved') continue
    // a new state may take what the old one kept waiting
    again = [...kept, ...again]
    kept = []
  }
  if (effects.some(({ kind }) => kind === 'send') && snapshot !== start)
    effects.push({ kind: 'level-registry' })
  if (handled.length > 0) effects.push(...hookCall(actor))
  const rest = [...kept, ...again, ...signals.slice(next)].filter((signal) => signal !== left)
  return { snapshot, handled, effects, decided, rest }
}

/**
 * What a machine asked to tell somebody, for meta where it would reach nobody: a team that is not in this federation, or
 * the team itself, to which it would be an event, and could pass for the answer to its next question.
 */
function reachable({ team, world }: Actor, params: AskedEffect['params']): AskedEffect['params'] {
  const { to, body } = params
  if (to === META || (to !== team && world.mailboxOf(to) !== undefined)) return params
  const why = to === team ? 'is the team itself' : 'is no team of this federation'
  return { ...params, to: META, body: `For '${to}', which ${why}:\n\n${body}` }
}

/** Who hears of a team's moves: its coordinator, as long as there is one. */
function superiorOf({ coordinator, world }: Actor): string {
  return coordinator !== undefined && world.mailboxOf(coordinator) !== undefined ? coordinator : META
}

/** A federation with a hook tells it what a commit handled. */
export function hookCall({ world }: Actor): Effect[] {
  return world.config.importHook === undefined ? [] : [{ kind: 'call-hook' }]
}

function evidenceField(evidence: TeamEvent['evidence'] | undefined): Pick<Handled, 'evidence'> {
  return evidence === undefined || Object.keys(evidence).length === 0 ? {} : { evidence: { ...evidence } }
}

/** What a report on a transition adds: why a team failed, or with which words it waits for somebody else. */
function detailOf(
  snapshot: AnyMachineSnapshot,
  { body }: FiledSignal,
  evidence: Evidence,
  asked: readonly AskedEffect[],
): string | undefined {
  const { failure } = snapshot.context as TeamContext
  if (failure !== null) return failure.reason
  // whoever is waited for needs the words, such as a pull request's address; an answer has gone to its asker
  if (!waits(snapshot) || asked.length > 0) return undefined
  // and what the work was proved by
  return [body.trim(), proofOf(evidence) ?? ''].filter((part) => part !== '').join('\n\n')
}
