// An inbox with a past: signals and acknowledgments as files, written without the product's help because a
// hundred thousand of them would take it minutes.
import { randomUUID } from 'node:crypto'
import { linkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { draftOf } from './places.mjs'

const acknowledgment = `${JSON.stringify({ acknowledged: true, acknowledged_at: '2026-02-01T00:00:00.000Z' }, null, 2)}\n`

/** The next signal file of an inbox, from a second of its own. */
export function signalFile(number, to = 'docs', body) {
  const draft = draftOf(number, to)
  const timestamp = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString()
  const signal = {
    id: randomUUID(),
    timestamp,
    ...draft,
    body: body ?? draft.body,
    protocol: 'file-signal-v1',
  }
  const name = `${timestamp.slice(0, 19).replaceAll(':', '')}Z-report-progress-of-part-${number}.json`
  return { name, id: signal.id, text: `${JSON.stringify(signal, null, 2)}\n` }
}

/** Writes signals with the numbers from `first` on; acknowledged ones share one acknowledgment. */
export function writeSignals(inbox, outbox, first, count, isAcknowledged) {
  const shared = path.join(outbox, '.shared.ack.tmp')
  let links = 0
  for (let number = first; number < first + count; number += 1) {
    const { name, text } = signalFile(number)
    writeFileSync(path.join(inbox, name), text, { mode: 0o444 })
    if (!isAcknowledged) continue
    // a file has room for some 65,000 names
    if (links % 30_000 === 0) writeFileSync(`${shared}${links}`, acknowledgment)
    linkSync(`${shared}${links - (links % 30_000)}`, path.join(inbox, `${name}.ack`))
    links += 1
  }
}
