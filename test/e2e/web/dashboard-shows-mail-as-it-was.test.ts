// Proves that a mailbox is shown as it was at any moment: what came later is not in it, what was acknowledged or put
// away since still waits in it, and mail that lies there for somebody else is nobody's. Fails when only the newest
// signals, or only those of the inbox, are looked at.
import { copyFileSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Mail } from '../../../src/apps/web/dashboard/mail-view.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import { putAway } from '../../../src/records/signals/put-away.ts'
import type { Mailbox } from '../../../src/records/signals/mailbox.ts'
import { newFederation } from '../../support/fed.ts'

let federation: Federation
let mailbox: Mailbox
beforeEach(async () => {
  federation = new Federation(await newFederation({ docs: undefined }))
  mailbox = federation.mailbox('docs')
})

const at = (minutes: number) => Date.parse('2026-03-31T23:58:00.000Z') + minutes * 60_000

/** A signal that came so many minutes later. */
function arrive(minutes: number, subject: string, to = 'docs'): string {
  const timestamp = new Date(at(minutes)).toISOString()
  const id = `00000000-0000-4000-8000-${String(minutes).padStart(12, '0')}`
  const file = `${timestamp.slice(0, 19).replaceAll(':', '')}Z-report-${subject}.json`
  const signal = {
    id,
    timestamp,
    from: 'meta',
    to,
    type: 'report',
    subject,
    body: '',
    protocol: 'file-signal-v1',
  }
  writeFileSync(path.join(mailbox.inbox, file), JSON.stringify(signal))
  return file
}

function acknowledge(file: string, minutes: number): void {
  const acknowledgment = { acknowledged: true, acknowledged_at: new Date(at(minutes)).toISOString() }
  writeFileSync(path.join(mailbox.inbox, `${file}.ack`), JSON.stringify(acknowledgment))
}

/** What had come, each with whether it waited. */
const shown = (mail: Mail, minutes: number) =>
  mail
    .readAt(at(minutes))
    .signals.map(({ subject, acknowledged }) => [
      subject,
      acknowledged === null || acknowledged > at(minutes),
    ])

test('what was acknowledged and put away since waits at the moment at which it waited', () => {
  const mail = new Mail(mailbox)
  acknowledge(arrive(0, 'first'), 5)
  acknowledge(arrive(4, 'second'), 20)
  arrive(10, 'third')
  arrive(11, 'astray', 'nobody')
  expect(mail.read()).toMatchObject({ isWhole: true, left: 0 })
  expect(putAway(mailbox, mailbox.workspace, at(30)).months).toEqual({ '2026-03': 1, '2026-04': 1 })
  expect(mail.read()).toMatchObject({ isWhole: false, signals: [{ subject: 'third' }] })
  expect([-1, 1, 6, 12, 25].map((minutes) => shown(mail, minutes))).toEqual([
    [],
    [['first', true]],
    [
      ['first', false],
      ['second', true],
    ],
    [
      ['first', false],
      ['second', true],
      ['third', true],
    ],
    [
      ['first', false],
      ['second', false],
      ['third', true],
    ],
  ])
})

test('of very many signals those are shown that had come', () => {
  const first = arrive(0, 'first')
  // one file under many names: reading is what counts
  for (let second = 1; second < 320; second += 1) {
    const later = new Date(at(1) + second * 1000).toISOString().slice(0, 19).replaceAll(':', '')
    copyFileSync(path.join(mailbox.inbox, first), path.join(mailbox.inbox, `${later}Z${first.slice(18)}`))
  }
  const mail = new Mail(mailbox)
  expect(mail.read()).toMatchObject({ isWhole: false, left: 20 })
  expect(mail.readAt(at(0))).toMatchObject({ signals: [{ subject: 'first' }], left: 0 })
})

test('what was set aside has its time', () => {
  mkdirSync(mailbox.quarantine, { recursive: true })
  writeFileSync(path.join(mailbox.quarantine, 'ab-bad.json'), '{')
  const reason = path.join(mailbox.quarantine, 'ab-bad.json.reason')
  writeFileSync(reason, 'no JSON\n')
  utimesSync(reason, at(3) / 1000, at(3) / 1000)
  expect(readdirSync(mailbox.quarantine)).toHaveLength(2)
  expect(new Mail(mailbox).read().quarantined).toMatchObject([{ reason: 'no JSON', at: at(3) }])
})

test("a move is told as one only in fed's own words", async () => {
  const root = await newFederation({ docs: undefined })
  const own = new Federation(root)
  await own.send({
    from: 'docs',
    to: 'meta',
    type: 'report',
    subject: 'docs: postgres to sqlite',
    body: 'Decide by noon, please',
  })
  await beginMission(await own.team('docs'), 'Explain it')
  await (await own.team('docs')).tell({ type: 'report', subject: 'mission-planned', body: 'Read src/app.ts' })
  const moves = new Mail(own.mailbox('meta')).read().signals.map(({ subject, move }) => [subject, move])
  expect(moves).toContainEqual(['docs: postgres to sqlite', null])
  expect(moves).toContainEqual(['docs: preparing to scanning', { from: 'preparing', to: 'scanning' }])
})
