import type { AnyMachineSnapshot } from 'xstate'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import { handledEarlier } from './earlier.ts'
import { isEvent } from './fold.ts'
import type { Handled, Lifecycle } from '../decide/lifecycle.ts'
import type { Actor } from './world.ts'

/** The signals that wait in an inbox, sorted by whether they were handled before. */
export interface Sorted {
  readonly fresh: readonly FiledSignal[]
  /** Files of events that an earlier commit handled: its process died before it acknowledged them. */
  readonly settled: readonly string[]
  /** Ids that were handled already, whatever file they come in now. */
  readonly seen: Set<string>
}

/** Separates signals that an earlier commit handled from new ones. */
export function sortOut(
  actor: Actor,
  head: Lifecycle,
  signals: readonly FiledSignal[],
  snapshot: AnyMachineSnapshot,
): Sorted {
  const handled = new Set(head.remembered.map(({ id, file }) => `${id} ${file}`))
  const seen = new Set(head.remembered.map(({ id }) => id))
  // only what is no later than everything handled so far can have been handled
  const latest = head.latest === null ? -Infinity : Date.parse(head.latest)
  const isHandled = ({ id, file }: FiledSignal) => handled.has(`${id} ${file}`)
  const suspects = signals.filter((signal) => !isHandled(signal) && Date.parse(signal.timestamp) <= latest)
  for (const [id, entries] of handledEarlier(actor, head, suspects)) {
    if (entries.length > 0) seen.add(id)
    for (const { file } of entries) handled.add(`${id} ${file}`)
  }
  return {
    fresh: signals.filter((signal) => !isHandled(signal)),
    settled: signals
      .filter((signal) => isHandled(signal) && isEvent(signal, snapshot, actor))
      .map(({ file }) => file),
    seen,
  }
}

/**
 * What the next commit must know: the latest time of all signals handled, and those handled by it or before
 * it whose files are not acknowledged yet.
 */
export function remember(last: Lifecycle, handled: readonly Handled[], unacknowledged: ReadonlySet<string>) {
  return {
    latest: latestOf(last.latest, handled),
    remembered: [...last.remembered, ...handled.map(({ signal, file }) => ({ id: signal, file }))].filter(
      ({ file }) => unacknowledged.has(file),
    ),
  }
}

function latestOf(last: string | null, handled: readonly Handled[]): string | null {
  let latest = last
  for (const { at } of handled) if (latest === null || Date.parse(at) > Date.parse(latest)) latest = at
  return latest
}
