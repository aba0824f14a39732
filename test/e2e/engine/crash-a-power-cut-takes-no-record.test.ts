// Proves that what a power cut takes of a sender's outbox, and of the published registry, is there again after the next
// command of that team, whichever it is. It fails when only the doctor writes it, when a record that somebody removed
// while the machine runs, or long before, is written as well, or when that of an earlier team of the name is.
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { fed, fedDone, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'
import type { FiledSignal } from '../../../src/records/signals/mailbox.ts'

let root: string
const signals = (team: string, box: string) =>
  team === 'meta'
    ? path.join(root, '.fed', 'signals', box)
    : path.join(workspaceOf(root, team), '.fed', 'signals', box)
const records = () => readdirSync(signals('docs', 'outbox')).toSorted()
const textOf = (file: string) => readFileSync(path.join(signals('docs', 'outbox'), file), 'utf8')

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain the answer', api: undefined })
  await fedDone(root, ['report', 'mission-planned', '--team', 'docs', '--body', 'read src/app.ts'])
})

/** The signal that docs sent last, and its file in an outbox and an inbox. */
const sendOne = (subject: string, to = 'api') =>
  fedJson<FiledSignal>(root, ['send', to, '--from', 'docs', '--type', 'report', '--subject', subject])

/** What a power cut is to fed, beside what it takes: the machine starts again. */
const startAgain = () =>
  writeFileSync(
    path.join(root, '.fed', 'boot.json'),
    JSON.stringify({ format: 'fed-boot-1', id: 'another run of the machine' }),
  )

const deadPid = 2 ** 22 + 1

/** What a power cut leaves of a record that was not on the disk. */
const cuts: Readonly<Record<string, (record: string) => void>> = {
  'neither its name nor the temporary one': (record) => rmSync(record),
  'its temporary name': (record) =>
    renameSync(
      record,
      path.join(path.dirname(record), `.9e107d9d-3725-4b1c-8e0a-5b1f0c2a7d11.${deadPid}.tmp`),
    ),
}

const commands: Readonly<Record<string, readonly string[]>> = {
  'its report': ['report', 'progress', '--team', 'docs'],
  'its question': ['send', 'meta', '--from', 'docs', '--type', 'question', '--subject', 'Which?'],
  'its step': ['pause', 'docs'],
}

describe.each(Object.entries(cuts))('of a record is left %s', (_, cut) => {
  test.each(Object.entries(commands))('and %s writes it', async (_name, command) => {
    const { file } = await sendOne('Done')
    const before = records()
    const text = textOf(file)
    cut(path.join(signals('docs', 'outbox'), file))
    startAgain()
    await fed(root, [...command])
    expect(records()).toEqual(expect.arrayContaining(before))
    expect(textOf(file)).toBe(text)
    expect(readdirSync(signals('docs', 'outbox')).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

test('all that it took is written, of signals to whomever', async () => {
  const sent = [await sendOne('One'), await sendOne('Two', 'meta'), await sendOne('Three')]
  const before = records()
  for (const name of before) rmSync(path.join(signals('docs', 'outbox'), name))
  startAgain()
  await fed(root, ['report', 'progress', '--team', 'docs'])
  expect(records()).toEqual(expect.arrayContaining(before))
  expect(before).toEqual(expect.arrayContaining(sent.map(({ file }) => file)))
})

test('what is older than that stays as somebody left it', async () => {
  const old = await sendOne('Old')
  const hourAgo = new Date(Date.now() - 3_600_000)
  utimesSync(path.join(signals('api', 'inbox'), old.file), hourAgo, hourAgo)
  const { file } = await sendOne('New')
  for (const name of [old.file, file]) rmSync(path.join(signals('docs', 'outbox'), name))
  startAgain()
  await sendOne('Next')
  expect(records()).toContain(file)
  expect(records()).not.toContain(old.file)
})

test('while the machine runs on, what somebody removed stays removed, and no inbox is looked into for it', async () => {
  const { file } = await sendOne('Done')
  rmSync(path.join(signals('docs', 'outbox'), file))
  await sendOne('Next')
  expect(records()).not.toContain(file)
})

test('a team is given no record of an earlier one of its name', async () => {
  const { file } = await sendOne('Earlier')
  await fedDone(root, ['archive', 'docs'])
  await fedDone(root, ['offboard', 'docs'])
  await fedDone(root, ['onboard', 'docs', '--archetype', 'deliverable'])
  const next = await sendOne('Later')
  rmSync(path.join(signals('docs', 'outbox'), next.file))
  startAgain()
  await sendOne('Last')
  expect(records()).toContain(next.file)
  expect(records()).not.toContain(file)
})

describe('a published registry', () => {
  const published = () => path.join(root, '.fed', 'team-registry.json')
  const versions = () => path.join(root, '.fed', 'team-registry.d')
  const newest = () =>
    Math.max(
      ...readdirSync(versions()).flatMap((name) =>
        /^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : [],
      ),
    )
  const states: Readonly<Record<string, () => void>> = {
    'behind its versions': () => {
      rmSync(published())
      copyFileSync(path.join(versions(), `${newest() - 1}.json`), published())
    },
    missing: () => rmSync(published()),
  }

  test.each(
    Object.keys(states).flatMap((state) => Object.keys(commands).map((command) => [state, command] as const)),
  )('that is %s is published by %s', async (state, command) => {
    await sendOne('Done')
    states[state]?.()
    await fed(root, [...(commands[command] as string[])])
    expect(existsSync(published())).toBe(true)
    expect(readFileSync(published(), 'utf8')).toBe(
      readFileSync(path.join(versions(), `${newest()}.json`), 'utf8'),
    )
  })
})
