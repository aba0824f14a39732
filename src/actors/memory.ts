import type { AnyMachineSnapshot } from 'xstate'
import type { FiledSignal } from '../signals/mailbox.ts'
import { isEvent } from './fold.ts'
import type { Handled, Lifecycle } from './lifecycle.ts'

/** Ids of the last signals stay known, so that a copy that turns up late is a duplicate. */
const rememberedCount = 1000

/** Parts what an earlier commit handled (its process died before acknowledging) from what is new. */
export function sortOut(
  { remembered }: Lifecycle,
  signals: readonly FiledSignal[],
  snapshot: AnyMachineSnapshot,
) {
  const known = new Set(remembered.map(({ id, file }) => `${id} ${file}`))
  const isSettled = ({ id, file }: FiledSignal) => known.has(`${id} ${file}`)
  return {
    fresh: signals.filter((signal) => !isSettled(signal)),
    settled: signals
      .filter((signal) => isSettled(signal) && isEvent(signal, snapshot))
      .map(({ file }) => file),
  }
}

/** What the next commit must know of signals that were handled already. */
export function remember(
  last: Lifecycle,
  handled: readonly Handled[],
  unacknowledged: readonly FiledSignal[],
) {
  const all = [...last.remembered, ...handled.map(({ signal, file }) => ({ id: signal, file }))]
  const waiting = new Set(unacknowledged.map(({ file }) => file))
  const older = all.slice(0, -rememberedCount).filter(({ file }) => waiting.has(file))
  return [...older, ...all.slice(-rememberedCount)]
}
