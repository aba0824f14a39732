// Proves the file transport of the specification §4.2 and §4.3: names, copies, reading, acknowledging, and that
// no signal ever takes another's name. It fails when a file is overwritten, seen half, or left unread.
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/errors/fed-error.ts'
import { SignalNotFoundError } from '../../../src/errors/team-errors.ts'
import type { SignalMessage } from '../../../src/protocol/signal.ts'
import { compose } from '../../../src/records/signals/compose.ts'
import { Mailbox } from '../../../src/records/signals/mailbox.ts'
import { deliverAll, repairOutbox } from '../../../src/records/signals/deliver.ts'

let meta: Mailbox
let docs: Mailbox

beforeEach(() => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'fed-signals-'))
  meta = new Mailbox('meta', root)
  docs = new Mailbox('docs', path.join(root, 'docs'))
  meta.create()
  docs.create()
})

function directive(subject: string, change: Partial<SignalMessage> = {}): SignalMessage {
  return { ...compose({ from: 'meta', to: 'docs', type: 'directive', subject }), ...change }
}

function send(...signals: SignalMessage[]) {
  return deliverAll(signals.map((signal) => ({ signal, from: meta, to: docs })))
}

/** Makes a file look as if nobody had written to it for a minute. */
function settle(file: string): void {
  const minuteAgo = Date.now() / 1000 - 60
  utimesSync(file, minuteAgo, minuteAgo)
}

describe('sending', () => {
  it('writes the recipient’s inbox and the sender’s outbox, and leaves nothing temporary', async () => {
    const signal = directive('Document the storage', { timestamp: '2026-11-20T23:05:01.000Z' })
    const [filed] = await send(signal)
    const name = '2026-11-20T230501Z-directive-document-the-storage.json'
    expect(filed).toEqual({ ...signal, file: name })
    expect(readdirSync(docs.inbox)).toEqual([name])
    expect(readdirSync(meta.outbox)).toEqual([name])
    expect(JSON.parse(readFileSync(path.join(docs.inbox, name), 'utf8'))).toEqual(signal)
  })

  it('files two signals of one second with one subject as two files', async () => {
    const at = { timestamp: '2026-11-20T23:05:01.000Z' }
    const signals = [directive('Same', at), directive('Same', at), directive('Same', at)]
    await send(...signals)
    expect(
      docs
        .unacknowledged()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(signals.map(({ id }) => id).toSorted())
    expect(readdirSync(meta.outbox)).toHaveLength(3)
  })

  it('delivers the same signal once, however often it is sent', async () => {
    const signal = directive('Once')
    expect(await send(signal)).toEqual(await send(signal))
    expect(readdirSync(docs.inbox)).toHaveLength(1)
    expect(readdirSync(meta.outbox)).toHaveLength(1)
  })

  it('uses the whole id when the short name is taken as well', async () => {
    const at = '2026-11-20T23:05:01.000Z'
    const ids = [
      '00000000-0000-4000-8000-00001234abcd',
      '11111111-0000-4000-8000-00001234abcd',
      '22222222-0000-4000-8000-00001234abcd',
    ]
    const filed = await send(...ids.map((id) => directive('Same', { id, timestamp: at })))
    const files = filed.map(({ file }) => file)
    expect(new Set(files).size).toBe(3)
    expect(files[2]).toContain(ids[2])
  })

  it('makes files that nobody edits', async () => {
    const [filed] = await send(directive('Fixed'))
    expect(statSync(path.join(docs.inbox, filed?.file ?? '')).mode & 0o777).toBe(0o444)
  })

  it.each([
    ['an empty subject', { subject: '  ' }],
    ['an endless subject', { subject: 'x'.repeat(201) }],
    ['an address that is a path', { to: '../docs' }],
    ['an unknown type', { type: 'order' as never }],
    ['a subject of two lines', { subject: 'One\nTwo' }],
    ['a subject with an escape', { subject: 'Red \u001B[31m' }],
  ])('refuses %s', (_what, change) => {
    expect(() => compose({ from: 'meta', to: 'docs', type: 'directive', subject: 'S', ...change })).toThrow(
      UsageError,
    )
  })
})

describe('reading', () => {
  it('returns what is addressed here, in the order of sending', async () => {
    const later = directive('Later', { timestamp: '2026-11-20T23:05:02.500Z' })
    const earlier = directive('Zebra', { timestamp: '2026-11-21T01:05:02.499+02:00' })
    await send(later, earlier)
    expect(docs.unacknowledged().map(({ subject }) => subject)).toEqual(['Zebra', 'Later'])
  })

  it('leaves mail for somebody else where it is', async () => {
    const stray = directive('Stray', { to: 'api' })
    await send(stray)
    expect(docs.unacknowledged()).toEqual([])
    expect(docs.misaddressed().map(({ id }) => id)).toEqual([stray.id])
    expect(readdirSync(docs.inbox)).toHaveLength(1)
  })

  it('sets a damaged file aside with its reason, and the rest flows', async () => {
    const good = directive('Good')
    await send(good)
    const bad = path.join(docs.inbox, '2026-11-20T230501Z-report-bad.json')
    writeFileSync(bad, '{"id": 7')
    settle(bad)
    expect(docs.unacknowledged().map(({ id }) => id)).toEqual([good.id])
    expect(docs.quarantined()).toEqual([
      { file: expect.stringContaining('report-bad.json'), reason: expect.stringContaining('not JSON') },
    ])
  })

  it.each([
    ['a folder', (file: string) => mkdirSync(file)],
    ['a link to somewhere else', (file: string) => symlinkSync('/dev/zero', file)],
    ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
  ])('sets %s with a signal’s name aside without opening it', (_what, make) => {
    make(path.join(docs.inbox, '2026-11-20T230501Z-report-odd.json'))
    expect(docs.unacknowledged()).toEqual([])
    expect(docs.quarantined()).toEqual([
      { file: expect.stringContaining('odd'), reason: expect.stringContaining('not a regular file') },
    ])
  })

  it('sets a name aside that leaves no room for its acknowledgment, whole or not', async () => {
    const text = JSON.stringify(directive('Endless'))
    for (const [length, content] of [
      [254, text],
      [255, '{'],
    ] as const) {
      writeFileSync(path.join(docs.inbox, `${'x'.repeat(length - 5)}.json`), content)
    }
    expect(docs.unacknowledged()).toEqual([])
    expect(docs.quarantined().map(({ reason }) => reason)).toEqual([
      expect.stringContaining('too long'),
      expect.stringContaining('too long'),
    ])
  })

  it('believes only the acknowledgment file, not what a signal says of itself', async () => {
    const [filed] = await send(
      directive('Claims', { acknowledged: true, acknowledged_at: '2026-11-20T23:05:01Z' }),
    )
    expect(docs.all()).toEqual([{ ...filed, acknowledged: undefined, acknowledged_at: undefined }])
    expect(docs.unacknowledged()).toHaveLength(1)
  })

  it('does not set aside a file that somebody is still writing', async () => {
    writeFileSync(path.join(docs.inbox, '2026-11-20T230501Z-report-slow.json'), '{"id": ')
    expect(docs.unacknowledged()).toEqual([])
    expect(docs.quarantined()).toEqual([])
    expect(readdirSync(docs.inbox)).toHaveLength(1)
  })
})

describe('acknowledging', () => {
  it('writes the file of the specification beside the signal, once', async () => {
    const [filed] = await send(directive('Seen'))
    docs.acknowledge(filed?.id.slice(0, 8) ?? '')
    const file = path.join(docs.inbox, `${filed?.file}.ack`)
    const first = readFileSync(file, 'utf8')
    expect(JSON.parse(first)).toEqual({
      acknowledged: true,
      acknowledged_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    docs.acknowledge(filed?.file ?? '')
    expect(readFileSync(file, 'utf8')).toBe(first)
    expect(docs.unacknowledged()).toEqual([])
    expect(docs.all()).toEqual([{ ...filed, ...JSON.parse(first) }])
  })

  it('sees an acknowledgment although a longer name sorts between', async () => {
    const [filed] = await send(directive('Seen'))
    const stem = filed?.file.replace(/\.json$/, '') ?? ''
    writeFileSync(path.join(docs.inbox, `${stem}.json-x.json`), '{}')
    docs.acknowledge(filed?.file ?? '')
    expect(docs.unacknowledgedFiles()).not.toContain(filed?.file)
  })

  it('refuses a reference that fits none or several', async () => {
    await send(
      directive('A', { id: 'aaaaaaaa-0000-4000-8000-000000000001' }),
      directive('B', { id: 'aaaaaaaa-0000-4000-8000-000000000002' }),
    )
    expect(() => docs.acknowledge('nothing')).toThrow(SignalNotFoundError)
    expect(() => docs.acknowledge('aaaaaaaa')).toThrow('more than one')
    expect(() => docs.acknowledge('../../outbox/x.json')).toThrow(SignalNotFoundError)
  })
})

describe('a sender that was killed', () => {
  const deadPid = 2 ** 22 + 1

  it('gets its record when the signal had arrived', async () => {
    const [filed] = await send(directive('Arrived'))
    const { file, ...signal } = filed ?? { file: '', id: '' }
    const record = path.join(meta.outbox, file)
    const leftover = path.join(meta.outbox, `.${signal.id}.${deadPid}.tmp`)
    writeFileSync(leftover, readFileSync(record))
    expect(readdirSync(meta.outbox)).toHaveLength(2)
    repairOutbox(meta, () => docs)
    expect(readdirSync(meta.outbox)).toEqual([file])
  })

  it('leaves nothing when the signal had not arrived', async () => {
    const signal = directive('Lost')
    writeFileSync(path.join(meta.outbox, `.${signal.id}.${deadPid}.tmp`), JSON.stringify(signal))
    repairOutbox(meta, () => docs)
    expect(readdirSync(meta.outbox)).toEqual([])
    expect(readdirSync(docs.inbox)).toEqual([])
  })

  it('is left alone while it lives', async () => {
    const signal = directive('Going')
    const name = `.${signal.id}.${process.pid}.tmp`
    writeFileSync(path.join(meta.outbox, name), JSON.stringify(signal))
    repairOutbox(meta, () => docs)
    expect(readdirSync(meta.outbox)).toEqual([name])
  })
})
