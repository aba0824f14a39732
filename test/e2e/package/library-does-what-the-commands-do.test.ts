// Proves that programs can use what the commands use, as the design promises it. It fails when an export or a
// method is missing, answers something else, or throws an error that cannot be told apart.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  ConfigValidationError,
  FederationNotFoundError,
  monitor,
  openFederation,
  RefusedError,
  SignalNotFoundError,
  TeamExistsError,
  TeamNotFoundError,
  UsageError,
  type Federation,
  type FiledSignal,
  type RegistryEntry,
} from '../../../src/index.ts'
import { newFederation, newFolder, workspaceOf } from '../../support/fed.ts'
import { until } from '../../support/until.ts'

let root: string
let federation: Federation

beforeEach(async () => {
  root = await newFederation({ docs: undefined })
  federation = await openFederation(path.join(root, 'src'))
})

const note = (subject: string) => ({ from: 'meta', to: 'docs', type: 'report', subject, body: '' }) as const

test('a federation is opened from anywhere inside it', async () => {
  expect(federation.root).toBe(root)
  expect((await openFederation(workspaceOf(root, 'docs'))).root).toBe(root)
  await expect(openFederation(newFolder('nowhere'))).rejects.toThrow(FederationNotFoundError)
})

describe('signals', () => {
  test('are sent one by one or many at once, and read in order', async () => {
    const sent = await federation.send(note('First'))
    expect(sent).toMatchObject({
      ...note('First'),
      protocol: 'file-signal-v1',
      file: expect.stringMatching(/-report-first\.json$/),
    })
    const many = await federation.sendMany(['Second', 'Third', 'Third'].map(note))
    expect(new Set(many.map(({ file }) => file)).size).toBe(3)
    const mailbox = federation.mailbox('docs')
    const read = mailbox.unacknowledged()
    expect(read.map(({ subject }) => subject)).toEqual(['First', 'Second', 'Third', 'Third'])
    expect(read).toEqual([sent, ...many])
  })

  test('are sent all or none', async () => {
    const faulty = [note('First'), { ...note('Second'), to: 'nobody' }]
    await expect(federation.sendMany(faulty)).rejects.toThrow(TeamNotFoundError)
    await expect(federation.sendMany([note('First'), note(' ')])).rejects.toThrow(UsageError)
    expect(federation.mailbox('docs').all()).toEqual([])
    expect(readdirSync(path.join(root, '.fed', 'signals', 'outbox'))).toEqual([])
  })

  test('are acknowledged by id or file, again without harm', async () => {
    const [first, second] = await federation.sendMany([note('First'), note('Second')])
    const mailbox = federation.mailbox('docs')
    mailbox.acknowledge(String(first?.id))
    mailbox.acknowledge(String(first?.file))
    expect(mailbox.unacknowledged()).toEqual([second])
    expect(mailbox.all()).toMatchObject([{ id: first?.id, acknowledged: true }, { id: second?.id }])
    expect(() => mailbox.acknowledge('no-such-signal')).toThrow(SignalNotFoundError)
  })

  test('are watched as they come', async () => {
    const seen: FiledSignal[][] = []
    await federation.send(note('First'))
    const end = federation.mailbox('docs').watch((signals) => seen.push(signals))
    expect(seen.map((signals) => signals.map(({ subject }) => subject))).toEqual([['First']])
    await federation.send(note('Second'))
    await until('the second signal', () => seen.at(-1)?.some(({ subject }) => subject === 'Second'))
    end()
  })
})

describe('the registry', () => {
  test('refuses a change of what is not there any more', () => {
    const { lockVersion } = federation.registry.read()
    const remark =
      (text: string) =>
      ({ teams }: ReturnType<typeof federation.registry.read>) => {
        for (const team of teams) team.remark = text
      }
    const changed = federation.registry.update(remark('mine'), { expectedLockVersion: lockVersion })
    expect(changed).toMatchObject({
      lockVersion: lockVersion + 1,
      teams: [{ domain: 'docs', remark: 'mine' }],
    })
    expect(() => federation.registry.update(remark('late'), { expectedLockVersion: lockVersion })).toThrow(
      RefusedError,
    )
    expect(federation.registry.read()).toEqual(changed)
  })

  test('takes a team past no transition of its machine', async () => {
    const put = (status: RegistryEntry['status']) => () =>
      federation.registry.update(({ teams }) => {
        for (const team of teams) team.status = status
      })
    const before = federation.registry.read()
    for (const status of ['archived', 'paused'] as const)
      expect(put(status)).toThrow(
        `docs is active and its lifecycle is working, so it does not become ${status};`,
      )
    expect(() =>
      federation.registry.updateEntry('docs', (entry) => ({ ...entry, status: 'archived' })),
    ).toThrow(RefusedError)
    expect(federation.registry.read()).toEqual(before)
    await (await federation.team('docs')).pause()
    expect(put(undefined)).toThrow('docs is paused and its lifecycle is paused')
    const ways: ((entry: RegistryEntry) => RegistryEntry)[] = [
      (entry) => ({ ...entry, domainId: 'renamed', status: 'active' }),
      (entry) => ({ ...entry, toJSON: () => ({ ...entry, status: 'active' }) }),
      (entry) => ({ ...entry, domainId: Object('docs') as string, status: 'active' }),
    ]
    for (const way of ways)
      expect(() =>
        federation.registry.update((registry) => ({ ...registry, teams: registry.teams.map(way) })),
      ).toThrow(RefusedError)
    expect(put('archived')().teams).toMatchObject([{ domainId: 'docs', status: 'archived' }])
    expect(put('active')).toThrow('docs is archived and its lifecycle is paused')
    expect(put('paused')().teams).toMatchObject([{ status: 'paused' }])
  })

  test('takes nothing that is not valid', () => {
    const before = federation.registry.read()
    expect(() =>
      federation.registry.update((registry) => ({ ...registry, teams: [{ domain: 'x' } as never] })),
    ).toThrow(ConfigValidationError)
    expect(federation.registry.read()).toEqual(before)
  })
})

describe('teams', () => {
  test('are onboarded, directed, stepped and looked at', async () => {
    await expect(federation.onboard({ domain: 'docs', archetype: 'deliverable' })).rejects.toThrow(
      TeamExistsError,
    )
    const team = await federation.onboard({ domain: 'api', archetype: 'coding' })
    await federation.send({ from: 'meta', to: 'api', type: 'directive', subject: 'Add a port', body: '' })
    expect(await team.step()).toMatchObject({
      team: 'api',
      state: 'preparing',
      handled: [{ outcome: 'accepted' }],
    })
    expect(await (await federation.team('api')).status()).toMatchObject({
      team: 'api',
      archetype: 'coding',
      state: 'preparing',
      accepts: expect.arrayContaining([{ event: 'directive.pause', missing: [] }]),
      mission: { subject: 'Add a port' },
    })
    expect(team.history()).toMatchObject([{ event: 'directive.add-a-port', outcome: 'accepted' }])
    await expect(federation.team('nobody')).rejects.toThrow(TeamNotFoundError)
  })

  test('are monitored', async () => {
    await federation.send({ from: 'docs', to: 'meta', type: 'question', subject: 'Which port?' })
    expect(await monitor(federation)).toMatchObject({
      at: expect.stringMatching(/Z$/),
      teams: [{ team: 'docs', state: 'preparing', handled: 0, waiting: 0 }],
      inbox: 1,
    })
  })
})
