// Proves that nothing that others leave behind stops a team or makes a signal count twice: a workspace that is
// gone, one id sent to two teams, a clock that ran ahead. Fails when a step throws, or an outcome is doubled.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Federation } from '../../src/federation/federation.ts'
import { compose, type SignalDraft } from '../../src/records/signals/compose.ts'
import { deliverAll } from '../../src/records/signals/deliver.ts'
import { inboxOf, newFederation, reload } from '../support/federation.ts'

let root: string
const workspace = (team: string) => path.join(root, '.fed', 'teams', team)
const outbox = (team: string) => path.join(workspace(team), '.fed', 'signals', 'outbox')

beforeEach(async () => {
  root = newFederation()
  const federation = new Federation(root)
  for (const domain of ['team', 'peer', 'other'])
    await federation.onboard({ domain, archetype: 'deliverable' })
})

async function put(draft: Omit<SignalDraft, 'type'>) {
  const federation = new Federation(root)
  const signal = compose({ ...draft, type: 'directive' })
  const [filed] = await deliverAll([
    { signal, from: federation.mailbox(draft.from), to: federation.mailbox(draft.to) },
  ])
  return filed?.file ?? ''
}

const step = async (team = 'team') => (await reload(root, team)).step()
const outcomes = async (team = 'team') => (await step(team)).handled.map(({ outcome }) => outcome)

test('an answer to a team whose workspace is gone does not stop the one that answers', async () => {
  await put({ from: 'peer', to: 'team', subject: 'Do as I say' })
  rmSync(workspace('peer'), { recursive: true })
  expect(await outcomes()).toEqual(['refused'])
  await put({ from: 'meta', to: 'team', subject: 'Document it' })
  expect(await outcomes()).toEqual(['accepted'])
})

test('two teams that refuse one signal each answer for themselves', async () => {
  const id = '11111111-2222-4333-8444-555555555555'
  const timestamp = '2026-11-20T10:00:00.000Z'
  for (const to of ['team', 'other']) {
    await put({ from: 'peer', to, subject: 'Do as I say', id, timestamp })
    await step(to)
  }
  const alerts = [...inboxOf(workspace('peer')).values()].filter(({ type }) => type === 'alert')
  expect(alerts.map(({ from }) => from).toSorted()).toEqual(['other', 'team'])
})

test.each([2, 30])(
  'a signal dated %i hours ahead counts once when its acknowledgment is lost',
  async (hours) => {
    await put({ from: 'meta', to: 'team', subject: 'Document it' })
    await step()
    const timestamp = new Date(Date.now() + hours * 3_600_000).toISOString()
    const file = await put({ from: 'meta', to: 'team', subject: 'Say it louder', timestamp })
    expect(await outcomes()).toEqual(['accepted'])
    for (const subject of ['One', 'Two', 'Three']) {
      await put({ from: 'meta', to: 'team', subject })
      await step()
    }
    const acknowledgment = path.join(workspace('team'), '.fed', 'signals', 'inbox', `${file}.ack`)
    rmSync(acknowledgment)
    expect(await outcomes()).toEqual([])
    expect(existsSync(acknowledgment)).toBe(true)
  },
)

test('what lies in an outbox under a temporary name stops nobody', async () => {
  mkdirSync(path.join(outbox('team'), '.11111111-2222-4333-8444-555555555555.4194305.tmp'))
  await put({ from: 'meta', to: 'team', subject: 'Document it' })
  expect(await outcomes()).toEqual(['accepted'])
})

test('the record of a delivered signal waits until its recipient can be looked at again', async () => {
  const file = await put({ from: 'team', to: 'peer', subject: 'Look here' })
  const leftover = path.join(outbox('team'), '.11111111-2222-4333-8444-555555555555.4194305.tmp')
  renameSync(path.join(outbox('team'), file), leftover)
  renameSync(workspace('peer'), `${workspace('peer')}-away`)
  await step()
  expect(existsSync(leftover)).toBe(true)
  renameSync(`${workspace('peer')}-away`, workspace('peer'))
  await step()
  expect([existsSync(leftover), existsSync(path.join(outbox('team'), file))]).toEqual([false, true])
})
