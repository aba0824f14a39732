// Proves that of two processes that do the same at the same moment one does it and the other waits, leaves or is
// refused: steps, monitoring cycles, a milestone beside a cycle, pauses, acknowledgments, onboardings. Fails when
// both do it, neither does, or one of them dies of the other.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openFederation, type CycleReport, type Federation } from '../../src/index.ts'
import { inboxOf, newFederation } from '../support/federation.ts'
import { atOnce } from '../support/twins.ts'

type Report = CycleReport['teams'][number]

const team = (root: string, id = 'team') => path.join(root, '.fed', 'teams', id)
const inboxFiles = (workspace: string) => readdirSync(path.join(workspace, '.fed', 'signals', 'inbox'))
const outboxFiles = (workspace: string) => readdirSync(path.join(workspace, '.fed', 'signals', 'outbox'))
const order = (subject: string, to = 'team') => ({ from: 'meta', to, type: 'directive', subject }) as const

async function begin(...teams: string[]): Promise<{ root: string; federation: Federation }> {
  const root = newFederation()
  const federation = await openFederation(root)
  for (const domain of teams) await federation.onboard({ domain, archetype: 'deliverable' })
  return { root, federation }
}

/** What a team did and told in a life without mail, nothing of it twice. */
async function expectOnce(federation: Federation, id: string, signals: readonly string[]): Promise<void> {
  const one = await federation.team(id)
  const history = one.history()
  expect(history.map(({ signal }) => signal).toSorted()).toEqual(signals.toSorted())
  for (const [index, { from }] of history.entries()) expect(from).toBe(history[index - 1]?.to ?? 'preparing')
  const { state, status, mailbox } = await one.status()
  expect(state).toBe(history.at(-1)?.to ?? 'preparing')
  expect(status).toBe(state === 'paused' ? 'paused' : 'active')
  expect(mailbox.unacknowledged).toBe(0)
  const told = history.filter(
    ({ from, to, outcome, sender }) => from !== to || (outcome === 'refused' && sender !== id),
  )
  const heard = [...inboxOf(federation.root).values()].filter(({ from }) => from === id)
  expect(heard).toHaveLength(told.length)
  expect(outboxFiles(one.actor.workspace).filter((name) => !name.endsWith('.json'))).toEqual([])
}

test('of two steps one handles everything and the other nothing', async () => {
  const { root, federation } = await begin('team')
  const sent: string[][] = []
  const rounds = await atOnce(root, ['step', 'step'], 30, async () => {
    const subjects = ['Carry on', 'pause', 'pause', 'resume', 'resume']
    const signals = await federation.sendMany(subjects.map((subject) => order(subject)))
    sent.push(signals.map(({ id }) => id))
  })
  for (const [round, outcomes] of rounds.entries()) {
    const handled = outcomes.map(({ result }) => result as string[]).toSorted((a, b) => a.length - b.length)
    expect(handled).toEqual([[], sent[round]])
  }
  await expectOnce(federation, 'team', sent.flat())
})

test('two monitoring cycles handle each signal of each team once', async () => {
  const teams = ['team', 'other', 'third']
  const { root, federation } = await begin(...teams)
  const sent: Record<string, string[]> = { team: [], other: [], third: [] }
  const rounds = await atOnce(root, ['monitor', 'monitor'], 15, async () => {
    const drafts = teams.flatMap((to) =>
      ['Carry on', 'pause', 'resume', 'resume'].map((one) => order(one, to)),
    )
    for (const { to, id } of await federation.sendMany(drafts)) sent[to]?.push(id)
  })
  for (const outcomes of rounds) {
    const reports = outcomes.flatMap(({ result }) => result as Report[])
    expect(reports.filter(({ error }) => error !== undefined)).toEqual([])
    for (const id of teams) {
      const handled = reports.filter((one) => one.team === id).map((one) => one.handled)
      expect(handled.toSorted((a, b) => a - b)).toEqual([0, 4])
    }
  }
  for (const id of teams) await expectOnce(federation, id, sent[id] as string[])
})

test('a milestone told beside a monitoring cycle is answered, whoever handled it', async () => {
  const count = 10
  const ids = Array.from({ length: count }, (_, index) => `team-${index + 1}`)
  const { root, federation } = await begin(...ids)
  const rounds = await atOnce(root, ['report', 'monitor'], count, async (round) => {
    await federation.send(order('Document the storage', `team-${round}`))
    // handled at once: in one millisecond with the milestone it could be the later of the two
    await (await federation.team(`team-${round}`)).step()
  })
  for (const [told, cycle] of rounds) {
    expect(told).toEqual({ result: 'accepted' })
    const reports = cycle?.result as Report[]
    expect(reports.filter(({ error }) => error !== undefined)).toEqual([])
  }
  for (const id of ids) {
    const history = await (await federation.team(id)).history()
    expect(history.map(({ event, outcome }) => [event, outcome])).toEqual([
      ['directive.document-the-storage', 'accepted'],
      ['report.mission-planned', 'accepted'],
    ])
    await expectOnce(
      federation,
      id,
      history.map(({ signal }) => signal),
    )
  }
})

test('of two pauses, as of two resumptions, one is accepted; the other joins it or is told why not', async () => {
  const { root, federation } = await begin('team')
  let refusals = 0
  for (const [act, state] of [
    ['pause', 'paused'],
    ['resume', 'preparing'],
    ['pause', 'paused'],
  ] as const) {
    const [outcomes = []] = await atOnce(root, [act, act], 1, async () => undefined)
    const refused = outcomes.filter(({ error }) => error === 'RefusedError')
    expect(outcomes.filter(({ error }) => error === undefined).length + refused.length).toBe(2)
    refusals += refused.length
    expect(await (await federation.team('team')).status()).toMatchObject({ state })
  }
  const history = await (await federation.team('team')).history()
  const accepted = history.filter(({ outcome }) => outcome === 'accepted')
  expect(accepted.map(({ event }) => event)).toEqual([
    'directive.pause',
    'directive.resume',
    'directive.pause',
  ])
  // who finds it done already, or the other's directive still waiting, sends none of its own
  expect(history.length - accepted.length).toBeLessThanOrEqual(refusals)
  await expectOnce(
    federation,
    'team',
    history.map(({ signal }) => signal),
  )
})

test('two who acknowledge the same signals leave one whole acknowledgment of each', async () => {
  const { root, federation } = await begin('team', 'peer')
  const rounds = await atOnce(root, ['acknowledge', 'acknowledge'], 8, async (round) => {
    const draft = { from: 'peer', to: 'team', type: 'question', subject: `Question ${round}` } as const
    await federation.sendMany(Array.from({ length: 10 }, () => draft))
  })
  for (const outcomes of rounds) expect(outcomes.map(({ error }) => error)).toEqual([undefined, undefined])
  const [inbox, outbox] = [inboxFiles(team(root)), outboxFiles(team(root))]
  const signals = inbox.filter((name) => name.endsWith('.json'))
  expect(inbox.toSorted()).toEqual(signals.flatMap((name) => [name, `${name}.ack`]).toSorted())
  expect(signals).toHaveLength(80)
  for (const name of signals) {
    const file = path.join(team(root), '.fed', 'signals', 'inbox', `${name}.ack`)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ acknowledged: true })
  }
  expect(outbox).toEqual([])
})

test('of two onboardings of one team one creates it, whole, and the other hears that it exists', async () => {
  const { root, federation } = await begin()
  const count = 8
  const rounds = await atOnce(root, ['onboard', 'onboard'], count, async () => undefined)
  const ids = Array.from({ length: count }, (_, index) => `new-${index + 1}`)
  for (const [index, outcomes] of rounds.entries()) {
    const [first, second] = outcomes.toSorted((a, b) => (a.error ?? '').localeCompare(b.error ?? ''))
    expect(first).toEqual({ result: ids[index] })
    expect(second).toMatchObject({ error: 'TeamExistsError' })
  }
  expect(federation.registry.read().teams.map(({ domainId }) => domainId)).toEqual(ids)
  for (const id of ids) {
    const { id: signal } = await federation.send(order('Carry on', id))
    expect(await (await federation.team(id)).step()).toMatchObject({
      handled: [{ signal, outcome: 'accepted' }],
    })
    await expectOnce(federation, id, [signal])
  }
  const directories = ids.filter((_, index) => index % 2 === 0).toSorted()
  expect(readdirSync(path.join(root, '.fed', 'teams')).toSorted()).toEqual(directories)
})
