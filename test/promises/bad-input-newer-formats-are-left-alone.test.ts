// Proves that what a newer release wrote is told as newer, with the file and what to do, that neither a command nor the
// doctor's repair changes a byte of it, and that teams beside it go on. It fails when it is called damaged, repaired,
// put aside or removed, or when one team's files hold up another.
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { chatChecks } from '../../src/apps/chat/chat-checks.ts'
import { ChatLedger } from '../../src/apps/chat/chat-ledger.ts'
import { LocalChannel } from '../../src/apps/chat/local-channel.ts'
import { examine, repairAll } from '../../src/apps/doctor/examine.ts'
import { NewerFormatError } from '../../src/errors/newer-format.ts'
import { Federation } from '../../src/federation/federation.ts'
import { faultsOf, recordFault } from '../../src/federation/hooks/faults.ts'
import { initialize } from '../../src/federation/onboarding/set-up.ts'
import { federationLayout } from '../../src/protocol/folder-layout.ts'
import { ledgerDocument, newLedger, type Ledger } from '../../src/telemetry/telemetry-ledger.ts'
import {
  everythingIn,
  half,
  newest,
  newPatient,
  overwrite,
  type Patient,
} from '../support/damaged-federation.ts'
import { fed, newRepository } from '../support/fed.ts'
import { recordSession } from '../support/monitored.ts'
import { someOf } from '../support/thorough.ts'

beforeAll(() => void vi.stubEnv('FED_TELEMETRY_ENABLED', 'false'))
afterAll(() => void vi.unstubAllEnvs())

/** Writes a file as the next release would; returns it. */
function renew(file: string): string {
  const text = readFileSync(file, 'utf8')
  const newer = text.replace(/(fed-[a-z-]+-)(\d+)\b/, (_, name, version) => `${name}${Number(version) + 1}`)
  if (newer === text) throw new Error(`${file} names no format`)
  overwrite(file, newer)
  return file
}

/** Files of a newer release, and what else the doctor may say then. */
const newer: readonly [string, (patient: Patient) => string][] = [
  ['a lifecycle', ({ lifecycle }) => (renew(newest(lifecycle)), renew(lifecycle))],
  ['the newest version of a lifecycle', ({ lifecycle }) => renew(newest(lifecycle))],
  ["a lifecycle's published file", ({ lifecycle }) => renew(lifecycle)],
  ['an identity', ({ own }) => renew(own('team.json'))],
  ["the federation's record", ({ fed: place }) => renew(place('federation.json'))],
  [
    'a session',
    ({ root, own }) => {
      recordSession(root, 'docs', { end: { exitCode: 0, cause: 'ended' } })
      return renew(own('sessions', '1-1.json'))
    },
  ],
  [
    "a session's end",
    ({ root, own }) => {
      recordSession(root, 'docs', { end: { exitCode: 0, cause: 'ended' } })
      return renew(own('sessions', '1-1.end.json'))
    },
  ],
  [
    'the ledger of a chat',
    ({ root, fed: place }) => {
      mkdirSync(place('chat'))
      new ChatLedger(root, 'local').update((before) => ({ ...before, place: '1 x' }))
      renew(newest(place('chat', 'local.json')))
      return renew(place('chat', 'local.json'))
    },
  ],
  [
    'a message',
    ({ root }) => {
      const channel = new LocalChannel(root, 'shop')
      channel.say('ann', '@shop status')
      return renew(channel.file)
    },
  ],
  [
    'what telemetry counted',
    ({ root }) => {
      const { file } = ledgerDocument(root).shape
      ledgerDocument(root).commit(undefined, newLedger('2026-11-21T12:00:00.000Z') as Ledger)
      return renew(file)
    },
  ],
]

describe('the doctor', () => {
  test.each(someOf(newer, 5))('tells %s as newer and changes nothing of it', async (_, make) => {
    const patient = await newPatient()
    const file = make(patient)
    const before = everythingIn(patient.fed())
    const { fixed, findings } = await repairAll(patient.root, chatChecks)
    expect(fixed).toEqual([])
    const told = findings.filter(({ where }) => where === file)
    expect(told).toEqual([
      {
        severity: 'error',
        area: expect.any(String) as string,
        where: file,
        message: expect.stringMatching(
          /^(?:docs: )?a newer fed wrote it, as fed-([a-z-]+)-2, and this one reads up to fed-\1-1$/,
        ) as string,
        fix: 'use the fed that wrote it, or a newer one',
      },
    ])
    expect(JSON.stringify(findings)).not.toContain('damaged')
    expect(everythingIn(patient.fed())).toEqual(before)
  })

  test('sees what is damaged beside it', async () => {
    const { root, own, fed: place } = await newPatient()
    const { actor } = await new Federation(root).onboard({ domain: 'api', archetype: 'deliverable' })
    for (const team of ['docs', 'api']) recordSession(root, team, { end: { exitCode: 0, cause: 'ended' } })
    const channel = new LocalChannel(root, 'shop')
    channel.say('ann', '@shop status')
    new ChatLedger(root, 'local').update((before) => ({ ...before, place: '1 x' }))
    const whole = [own('team.json'), own('sessions', '1-1.json'), channel.file].map(renew)
    const beside = (...names: string[]) => path.join(actor.workspace, '.fed', ...names)
    const damaged = [beside('team.json'), beside('sessions', '1-1.json'), place('chat', 'local.json')]
    for (const file of damaged) half(file)
    const findings = await examine(root, chatChecks)
    const told = (file: string) => findings.find(({ where }) => where === file)?.message
    for (const file of whole) expect(told(file)).toContain('a newer fed wrote it')
    for (const file of damaged) expect(told(file)).toContain('it is damaged')
  })

  test('tells of the record of a federation in which there is no team yet', async () => {
    const root = newRepository()
    initialize(root)
    const file = renew(federationLayout(root).record)
    const told = async () => (await examine(root)).find(({ where }) => where === file)?.message
    expect(await told()).toContain('a newer fed wrote it')
    half(file)
    expect(await told()).toContain('it is damaged')
  })

  test('puts no workspace aside of which nothing can be read here', async () => {
    const patient = await newPatient()
    new Federation(patient.root).registry.update((draft) => ({ ...draft, teams: [] }))
    const file = renew(patient.own('team.json'))
    const before = everythingIn(patient.workspace)
    const { fixed, findings } = await repairAll(patient.root)
    expect(fixed).toEqual([])
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([{ where: file }])
    expect(everythingIn(patient.workspace)).toEqual(before)
  })
})

test('a hook that fails is noted once and stops nobody, whoever wrote into its log before', async () => {
  const { root, fed: place } = await newPatient()
  const [file, log] = [path.join(root, 'hook.ts'), place('hook-faults.jsonl')]
  recordFault(root, file, { function: 'load', file, message: 'no' })
  renew(log)
  const lines = () => readFileSync(log, 'utf8').trim().split('\n').length
  for (let turn = 0; turn < 3; turn += 1) recordFault(root, file, { function: 'load', file, message: 'no' })
  expect(lines()).toBe(2)
  expect(() => faultsOf(root, file)).toThrow(NewerFormatError)
})

describe('commands', () => {
  test('name the team whose life is newer, and serve those beside it', async () => {
    const patient = await newPatient()
    const { root, lifecycle } = patient
    const federation = new Federation(root)
    await federation.onboard({ domain: 'api', archetype: 'deliverable' })
    renew(newest(lifecycle))
    const file = renew(lifecycle)
    const before = everythingIn(patient.workspace)
    await federation.send({ from: 'meta', to: 'api', type: 'directive', subject: 'Explain it', body: 'x' })
    const refused = `${file}: a newer fed wrote it, as fed-lifecycle-2, and this one reads up to fed-lifecycle-1`

    const monitored = await fed(root, ['monitor', '--json'])
    expect(monitored.code).toBe(1)
    expect(JSON.parse(monitored.stdout)).toMatchObject({
      teams: [
        {
          team: 'docs',
          state: null,
          findings: [
            { kind: 'unreadable', message: refused, fix: 'use the fed that wrote it, or a newer one' },
          ],
        },
        { team: 'api', handled: 1, healthy: true },
      ],
    })
    const listed = await fed(root, ['status', '--json'])
    expect(listed.code).toBe(1)
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { team: 'docs', error: expect.stringContaining(refused) as string },
      { team: 'api', state: 'preparing' },
    ])
    for (const command of [
      ['status', 'docs'],
      ['report', 'mission-planned', '--team', 'docs'],
      ['launch', 'docs'],
    ]) {
      const { code, stdout, stderr } = await fed(root, command)
      expect({ code, stdout }, command.join(' ')).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(`${refused}. Nothing was changed: use the fed that wrote it, or a newer one`)
      expect(stderr).not.toContain('    at ')
    }
    const lives = (all: Map<string, string>) =>
      new Map([...all].filter(([name]) => !name.startsWith(path.join('.fed', 'signals'))))
    expect(lives(everythingIn(patient.workspace))).toEqual(lives(before))
  })
})
