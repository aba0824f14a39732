// Proves that `fed archive-signals` moves old mail on demand only, says what it did, and takes it back. It fails
// when a wrong age or month is taken for something, or when archived mail is counted as new after all.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { fed, fedDone, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'
import { mailOf } from '../../support/standing.ts'

let root: string
const month = new Date().toISOString().slice(0, 7)
const archive = ['archive-signals']

beforeEach(async () => {
  // the mission's directive is handled and acknowledged, and meta has a report on nothing yet
  root = await newFederation({ docs: 'Explain it', api: undefined })
})

interface Moved {
  readonly mailboxes: readonly { readonly address: string; readonly signals: number }[]
}

test('moves what is old and acknowledged in every mailbox, and back', async () => {
  await fedDone(root, ['send', 'meta', '--from', 'docs', '--type', 'report', '--subject', 'Seen'])
  await fedDone(root, ['send', 'meta', '--from', 'docs', '--type', 'report', '--subject', 'Not seen'])
  const [seen] = await mailOf(root, 'meta')
  await fedDone(root, ['ack', 'meta', String(seen?.id)])

  expect(await fedDone(root, [...archive, '--older-than', '30d'])).toBe(
    'nothing is that old and acknowledged\n',
  )
  expect(await fedDone(root, [...archive, '--older-than', '0s', '--dry-run'])).toContain('would be archived')
  expect(await fedDone(root, [...archive, '--list'])).toBe('nothing is archived\n')
  const { mailboxes } = await fedJson<Moved>(root, [...archive, '--older-than', '0'])
  expect(mailboxes).toEqual([
    { address: 'meta', signals: 1, months: { [month]: 1 } },
    { address: 'docs', signals: 1, months: { [month]: 1 } },
    { address: 'api', signals: 0, months: {} },
  ])
  expect(existsSync(path.join(workspaceOf(root, 'docs'), '.fed', 'signals', 'archive', month))).toBe(true)
  expect(await fedDone(root, [...archive, '--list'])).toMatch(
    new RegExp(`^meta +${month} +1 signal +.*\\ndocs +${month} +1 signal +.*${month}\\n$`),
  )
  expect(await mailOf(root, 'meta', 'all')).toMatchObject([{ subject: 'Not seen' }])
  expect(await mailOf(root, 'docs', 'all')).toEqual([])
  expect((await fed(root, ['doctor'])).code).toBe(0)

  expect(await fedDone(root, [...archive, 'docs', '--restore', month, '--dry-run'])).toContain('would be')
  expect(await fedDone(root, [...archive, 'docs', '--restore', month])).toBe(
    `docs  1 signal of ${month} back in the inbox\n`,
  )
  expect(await mailOf(root, 'docs', 'all')).toMatchObject([{ acknowledged: true }])
  expect(await mailOf(root, 'docs')).toEqual([])
  expect(await fedJson<Moved>(root, [...archive, '--restore', month])).toMatchObject({
    mailboxes: [{ address: 'meta', signals: 1, left: 0 }],
  })
})

test.each<[readonly string[], number, RegExp]>([
  [[], 2, /what to archive\? give --older-than/],
  [['--older-than', 'yesterday'], 2, /give an age such as 12h, 30d or 8w/],
  [['--older-than', '30'], 2, /give an age/],
  [['--older-than', '-1d'], 2, /give an age/],
  [['--older-than', '99999999w'], 2, /give an age/],
  [['--older-than', '1d', '--list'], 2, /cannot be used with/],
  [['--older-than', '1d', '--restore', '2026-01'], 2, /cannot be used with/],
  [['--restore', '2026-13'], 2, /give a month such as/],
  [['--restore', '../../x'], 2, /give a month such as/],
  [['--restore', '1999-01'], 4, /no signal of 1999-01 is archived/],
  [['docs', '--restore', '1999-01'], 4, /no signal of docs of 1999-01 is archived/],
  [['nobody', '--older-than', '1d'], 4, /no team 'nobody'/],
])('fed archive-signals %j', async (args, code, message) => {
  const ended = await fed(root, [...archive, ...args])
  expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringMatching(message)])
})

test('its help has an example and says who looks where', async () => {
  const help = await fedDone(root, [...archive, '--help'])
  expect(help).toContain('fed archive-signals --older-than 30d')
  expect(help).toContain('look into the inbox only')
})
