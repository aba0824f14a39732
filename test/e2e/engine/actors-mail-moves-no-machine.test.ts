// Proves that only meta's directives, a team's own signals and a consultant's questions reach its machine:
// everything else stays in the inbox, unacknowledged, for the agent. Fails when one team can move another, when
// mail is acknowledged that nobody read, or when a foreign directive is answered twice.
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import { signalTypes } from '../../../src/protocol/signal.ts'
import { compose } from '../../../src/records/signals/compose.ts'
import { inboxOf } from '../../support/federation.ts'
import { explore, lifecycles } from '../../support/graph.ts'
import { accepted, everySample, type Sample } from '../../support/samples.ts'
import { TestTeam } from '../../support/test-team.ts'
import { someOf } from '../../support/thorough.ts'

const inbox = (team: TestTeam) => path.join(team.workspace, '.fed', 'signals', 'inbox')
const peerMail = (team: TestTeam) => [...inboxOf(`${team.root}/.fed/teams/peer`).values()]

describe.each(lifecycles)('$id', (machine) => {
  const states = explore(machine).situations

  test.each(someOf(states, 6))('in $name, nothing that others send moves the team', async ({ path: way }) => {
    const team = await TestTeam.begin(machine.id)
    await team.walk(way)
    const before = team.head()
    const names = new Set((accepted[machine.id] as readonly Sample[]).map(({ subject }) => subject))
    const foreign = [...names].flatMap((subject) =>
      (['meta', 'peer'] as const).flatMap((from) =>
        signalTypes
          .filter((type) => type !== 'directive' && !(type === 'question' && machine.id === 'consultant'))
          .map((type): Sample => ({ name: '', from, type, subject, body: 'src/app.ts', evidence: {} })),
      ),
    )
    for (const sample of accepted[machine.id] as readonly Sample[]) team.arrange(sample)
    const sent = []
    for (const sample of foreign) sent.push(await team.send(sample))
    const { handled, deferred } = await (await team.open()).step()
    expect({ handled, deferred }).toEqual({ handled: [], deferred: [] })
    expect(team.head()).toEqual(before)
    expect(sent.filter((signal) => team.isAcknowledged(signal))).toEqual([])
  })

  test.each(someOf(states, 6))(
    'in $name, directives of another team are answered once and stay',
    async ({ path: way }) => {
      const team = await TestTeam.begin(machine.id)
      await team.walk(way)
      const { snapshot, version } = team.head()
      const subjects = ['Document the storage', 'pause', 'resume', 'retire', 'merged', 'changes-requested']
      const signals = []
      for (const subject of subjects) {
        signals.push(
          await team.send({ name: '', from: 'peer', type: 'directive', subject, body: '', evidence: {} }),
        )
      }
      const asked = peerMail(team).length
      const { handled } = await (await team.open()).step()
      expect(handled.map(({ outcome, refusal }) => [outcome, refusal?.kind])).toEqual(
        subjects.map(() => ['refused', 'not-from-meta']),
      )
      for (const mark of [`${version + 1}.done`])
        rmSync(path.join(team.workspace, '.fed', 'lifecycle.d', mark))
      for (let again = 0; again < 2; again += 1) await (await team.open()).step()
      expect(team.head()).toMatchObject({ snapshot, version: version + 1 })
      const alerts = peerMail(team).slice(asked)
      expect(alerts.map(({ type, subject }) => [type, subject]).toSorted()).toEqual(
        subjects.map((subject) => ['alert', `Refused: ${subject}`]).toSorted(),
      )
      expect(signals.filter((signal) => team.isAcknowledged(signal))).toEqual([])
    },
  )
})

const [mission] = accepted.deliverable as readonly Sample[] as readonly [Sample]
const fromPeer: Sample = { ...mission, from: 'peer' }

test('a foreign directive delivered under a second name is not answered a second time', async () => {
  const team = await TestTeam.begin('deliverable')
  await team.walk([fromPeer])
  const [[file]] = [...inboxOf(team.workspace)] as [[string, unknown]]
  copyFileSync(path.join(inbox(team), file), path.join(inbox(team), 'copy.json'))
  for (let again = 0; again < 2; again += 1) await (await team.open()).step()
  expect(peerMail(team)).toHaveLength(1)
})

test('a foreign directive that lies unread is not answered again after a thousand signals or a reset', async () => {
  const team = await TestTeam.begin('deliverable')
  await team.walk([fromPeer])
  const unheard = everySample('deliverable').find(({ subject }) => subject === 'nobody-heard-of-it') as Sample
  const { type, subject, body } = unheard
  const drafts = Array.from({ length: 1050 }, () => ({ from: 'team', to: 'team', type, subject, body }))
  await new Federation(team.root).sendMany(drafts)
  expect((await (await team.open()).step()).handled).toHaveLength(1050)
  await (await team.open()).reset()
  const { handled } = await (await team.open()).step()
  expect(handled).toEqual([])
  expect(peerMail(team)).toHaveLength(1)
  expect(team.head().remembered.length).toBeLessThan(1100)
})

test('mail for somebody else that lies in the inbox is left alone', async () => {
  const team = await TestTeam.begin('deliverable')
  const before = team.head()
  const stray = compose({ from: 'meta', to: 'peer', type: 'directive', subject: 'pause' })
  writeFileSync(path.join(inbox(team), 'stray.json'), JSON.stringify(stray))
  expect((await (await team.open()).step()).handled).toEqual([])
  expect(team.head()).toEqual(before)
  expect((await team.open()).mailbox.misaddressed()).toHaveLength(1)
})

test('a consultant that asks itself is never taken for its own answer', async () => {
  const consultants = accepted.consultant as readonly Sample[]
  const named = (subject: string) => consultants.find((one) => one.subject === subject) as Sample
  const team = await TestTeam.begin('consultant')
  await team.walk(['Document the storage', 'domain-mapped', 'index-built'].map(named))
  // its answer would be 'Answer: ???', whose event is that of an answer
  await team.walk([{ ...named('Which port'), from: 'self', subject: '???' }, named('Which port')])
  await team.walk([named('answer')])
  const { state, context } = (await team.open()).present()
  expect([state, context]).toMatchObject([
    'researching',
    { answered: 1, question: { subject: 'Which port' } },
  ])
  expect(peerMail(team)).toEqual([])
})
