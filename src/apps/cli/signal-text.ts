import type { FiledSignal } from '../../records/signals/mailbox.ts'
import { table } from './output.ts'
import { oneLine } from './plain-text.ts'

/** A signal, and whether no outbox holds a record of it. */
type ShownSignal = FiledSignal & { readonly isUnrecorded?: boolean }

/** Signals as rows: when, from whom to whom, what, and the beginning of the id that other commands take. */
export function signalTable(signals: readonly ShownSignal[]): string {
  return table(
    signals.map(({ id, timestamp, from, to, type, subject, acknowledged, isUnrecorded = false }) => [
      id.slice(0, 8),
      timestamp,
      `${from} → ${to}`,
      type,
      `${acknowledged ? '✓ ' : ''}${isUnrecorded ? '(unrecorded) ' : ''}${subject}`,
    ]),
  )
}

/** One signal, whole. */
export function signalText({ from, to, type, subject, body, timestamp, id }: FiledSignal): string {
  const head = `${type} from ${from} to ${to}, ${timestamp}, ${id}\n${oneLine(subject)}`
  return body.trim() === '' ? head : `${head}\n\n${body.trimEnd()}`
}
