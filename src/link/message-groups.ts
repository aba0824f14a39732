import type { FiledSignal } from '../records/signals/mailbox.ts'

/** So many signals travel in one message at most. */
const mostInOne = 64

/** Signals that follow each other, of one sender to one recipient, and travel in one message. */
export type Group = readonly [FiledSignal, ...FiledSignal[]]

/** Splits signals of a mailbox, in their order, into such as travel in one message of so many bytes. */
export function groupsOf(signals: readonly FiledSignal[], largest: number): Group[] {
  const groups: [FiledSignal, ...FiledSignal[]][] = []
  let bytes = 0
  for (const signal of signals) {
    const last = groups.at(-1)
    // escapes of a body at worst, and what stands around it
    const size = 6 * Buffer.byteLength(signal.body) + 6 * Buffer.byteLength(signal.subject) + 1024
    bytes += size
    if (last !== undefined && last[0].from === signal.from && last.length < mostInOne && bytes < largest)
      last.push(signal)
    else {
      groups.push([signal])
      bytes = size
    }
  }
  return groups
}

/** The text of the message in which they travel. */
export function textOf(group: Group): string {
  const signals = group.map(({ file: _file, ...signal }) => signal)
  return JSON.stringify(signals.length === 1 ? signals[0] : signals)
}

/** What tells their message from all others: the same whenever the same is sent. */
export function idOf(group: Group): string {
  const [{ id }] = group
  return group.length === 1 ? id : `${id}.${group.length}.${group.at(-1)?.id}`
}
