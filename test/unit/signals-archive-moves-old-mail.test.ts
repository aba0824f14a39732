// Proves that archiving moves exactly the acknowledged mail that is old enough, each byte as it was, and back.
// It fails when something unacknowledged or young is moved, a name is overwritten, or a byte is not the same.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import type { SignalMessage } from '../../src/protocol/signal.ts'
import { fileNamesOf } from '../../src/protocol/event-name.ts'
import { archivedFile, archivedMonths, archiveFolder } from '../../src/records/signals/archive-months.ts'
import { bringBack } from '../../src/records/signals/bring-back.ts'
import { compose } from '../../src/records/signals/compose.ts'
import { Mailbox } from '../../src/records/signals/mailbox.ts'
import { putAway } from '../../src/records/signals/put-away.ts'
import { newFolder } from '../support/federation.ts'

const day = 86_400_000

function newMailbox() {
  const workspace = newFolder('mailbox')
  const mailbox = new Mailbox('docs', workspace)
  mailbox.create()
  return { workspace, mailbox, archive: archiveFolder(workspace) }
}

interface Filed {
  readonly at?: string
  readonly to?: string
  readonly subject?: string
  /** Text of its acknowledgment, or the time that it tells; none without it. */
  readonly acknowledged?: string
}

/** Puts a signal into an inbox as another program might. */
function file(mailbox: Mailbox, { at, to = 'docs', subject = 'Something', acknowledged }: Filed) {
  const signal = compose({ from: 'meta', to, type: 'report', subject, ...(at && { timestamp: at }) })
  const name = fileNamesOf(signal).find((one) => !existsSync(path.join(mailbox.inbox, one))) as string
  const place = path.join(mailbox.inbox, name)
  writeFileSync(place, JSON.stringify(signal), { mode: 0o444 })
  if (acknowledged !== undefined) {
    const isTime = acknowledged.startsWith('20')
    const text = isTime ? JSON.stringify({ acknowledged: true, acknowledged_at: acknowledged }) : acknowledged
    writeFileSync(`${place}.ack`, text)
  }
  return { signal, name }
}

function contentOf(dir: string): Record<string, string> {
  if (!existsSync(dir)) return {}
  return Object.fromEntries(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((one) => [path.relative(dir, one), readFileSync(one, 'utf8')]),
  )
}

const march = '2026-03-04T10:00:00.000Z'

test('only what is acknowledged, old enough and for this address leaves', () => {
  const { workspace, mailbox, archive } = newMailbox()
  const now = new Date().toISOString()
  const gone = [
    file(mailbox, { at: march, subject: 'Old', acknowledged: '2026-03-05T00:00:00Z' }),
    file(mailbox, { at: march, subject: 'Unreadable time', acknowledged: '{' }),
    file(mailbox, { at: march, subject: 'Empty acknowledgment', acknowledged: '' }),
  ]
  const stays = [
    file(mailbox, { at: march, subject: 'Unacknowledged' }),
    file(mailbox, { at: march, subject: 'Acknowledged lately', acknowledged: now }),
    file(mailbox, { at: now, subject: 'Young and unreadable', acknowledged: '{' }),
    file(mailbox, { at: march, to: 'api', subject: 'For another', acknowledged: march }),
  ]
  writeFileSync(path.join(mailbox.inbox, 'no-signal.json'), '{')
  writeFileSync(path.join(mailbox.inbox, 'no-signal.json.ack'), '')
  mkdirSync(path.join(mailbox.inbox, 'folder.json'))
  mkdirSync(path.join(mailbox.inbox, 'folder.json.ack'))

  const before = Date.now() - 30 * day
  const content = contentOf(workspace)
  expect(putAway(mailbox, workspace, before, true)).toEqual({ signals: 3, months: { '2026-03': 3 } })
  expect(contentOf(workspace)).toEqual(content)

  expect(putAway(mailbox, workspace, before)).toEqual({ signals: 3, months: { '2026-03': 3 } })
  expect(readdirSync(archive)).toEqual(['2026-03'])
  const moved = gone.flatMap(({ name }) => [name, `${name}.ack`])
  expect(readdirSync(path.join(archive, '2026-03')).toSorted()).toEqual(moved.toSorted())
  for (const { signal, name } of gone) {
    expect(archivedFile(workspace, signal)).toBe(path.join(archive, '2026-03', name))
    expect(existsSync(path.join(mailbox.inbox, name))).toBe(false)
  }
  for (const { signal, name } of stays) {
    expect(archivedFile(workspace, signal)).toBeUndefined()
    expect(existsSync(path.join(mailbox.inbox, name))).toBe(true)
  }
  expect(putAway(mailbox, workspace, before).signals).toBe(0)
})

test('what is archived comes back byte for byte, with its permissions', async () => {
  const { workspace, mailbox, archive } = newMailbox()
  for (const at of [march, '2026-03-31T23:59:59.999Z', '2026-04-01T01:00:00.000+02:00'])
    file(mailbox, { at, acknowledged: march })
  const april = file(mailbox, { at: '2026-03-31T23:30:00.000-02:00', acknowledged: march })
  chmodSync(path.join(mailbox.inbox, april.name), 0o640)
  const content = contentOf(workspace)

  putAway(mailbox, workspace, Date.now())
  expect(contentOf(mailbox.inbox)).toEqual({})
  expect(archivedMonths(workspace)).toMatchObject([
    { month: '2026-03', signals: 3 },
    { month: '2026-04', signals: 1, folder: path.join(archive, '2026-04') },
  ])
  expect(await bringBack(mailbox, workspace, '2026-03', true)).toEqual({ signals: 3, left: 0 })
  expect(contentOf(mailbox.inbox)).toEqual({})
  expect(await bringBack(mailbox, workspace, '2026-03')).toEqual({ signals: 3, left: 0 })
  expect(await bringBack(mailbox, workspace, '2026-04')).toEqual({ signals: 1, left: 0 })
  expect(contentOf(workspace)).toEqual(content)
  expect(readdirSync(archive)).toEqual([])
  expect(await bringBack(mailbox, workspace, '2026-04')).toEqual({ signals: 0, left: 0 })
})

test('a name that another signal has in the archive or the inbox is never taken from it', async () => {
  const { workspace, mailbox } = newMailbox()
  const signals: SignalMessage[] = []
  for (let round = 0; round < 3; round += 1) {
    signals.push(file(mailbox, { at: march, acknowledged: march }).signal)
    putAway(mailbox, workspace, Date.now())
  }
  const kept = signals.map((signal) => archivedFile(workspace, signal))
  expect(new Set(kept).size).toBe(3)
  const later = file(mailbox, { at: march })
  expect(await bringBack(mailbox, workspace, '2026-03')).toEqual({ signals: 3, left: 0 })
  expect(mailbox.unacknowledged().map(({ id }) => id)).toEqual([later.signal.id])
  expect(
    mailbox
      .all()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([...signals, later.signal].map(({ id }) => id).toSorted())
  expect(mailbox.all().filter(({ acknowledged }) => acknowledged)).toHaveLength(3)
})

test('a name stays taken while a signal that has a later one for its sake stays', () => {
  const { workspace, mailbox } = newMailbox()
  const first = file(mailbox, { at: march, acknowledged: march })
  const second = file(mailbox, { at: march })
  expect(second.name).not.toBe(fileNamesOf(second.signal)[0])
  expect(putAway(mailbox, workspace, Date.now()).signals).toBe(0)
  expect(existsSync(path.join(mailbox.inbox, first.name))).toBe(true)
  mailbox.acknowledgeFiles([second.name])
  expect(putAway(mailbox, workspace, Date.now() + 1000).signals).toBe(2)
  for (const { signal } of [first, second]) expect(archivedFile(workspace, signal)).toBeDefined()
})

test('a signal without an acknowledgment in the archive does not come back as a new one', async () => {
  const { workspace, mailbox, archive } = newMailbox()
  const { name } = file(mailbox, { at: march, acknowledged: march })
  putAway(mailbox, workspace, Date.now())
  rmSync(path.join(archive, '2026-03', `${name}.ack`))
  expect(await bringBack(mailbox, workspace, '2026-03')).toEqual({ signals: 0, left: 1 })
  expect(mailbox.unacknowledgedFiles()).toEqual([])
  expect(existsSync(path.join(archive, '2026-03', name))).toBe(true)
})

test('thousands move and come back, also with one acknowledgment file for all', async () => {
  const { workspace, mailbox } = newMailbox()
  const count = 3000
  const names = Array.from({ length: count }, (_, index) => `${uuid()}-${index}.json`)
  for (const name of names) {
    const signal = compose({ from: 'meta', to: 'docs', type: 'report', subject: 'One', timestamp: march })
    writeFileSync(path.join(mailbox.inbox, name), JSON.stringify(signal))
  }
  mailbox.acknowledgeFiles(names, false)
  const content = contentOf(mailbox.inbox)
  expect(putAway(mailbox, workspace, Date.now() + 1000).signals).toBe(count)
  expect(contentOf(mailbox.inbox)).toEqual({})
  expect(await bringBack(mailbox, workspace, '2026-03')).toEqual({ signals: count, left: 0 })
  expect(contentOf(mailbox.inbox)).toEqual(content)
})
