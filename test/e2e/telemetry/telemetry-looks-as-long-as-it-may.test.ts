// Proves that looks which are cut off anywhere count, together, what one long look counts, and that a workspace
// which is away or made anew is not counted twice. It fails when a cut loses or doubles a signal, a state or a span.
import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import type { LedgerDraft } from '../../../src/telemetry/telemetry-ledger.ts'
import { look } from '../../../src/telemetry/look-for-news.ts'
import { mostEvents } from '../../../src/telemetry/spans.ts'
import { agent, fedDone, newFederation, workspaceOf } from '../../support/fed.ts'
import { until } from '../../support/until.ts'
import { someOf } from '../../support/thorough.ts'

let root: string

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain the answer', site: 'Explain the site' })
})

const launch = (team: string, ...more: string[]) =>
  fedDone(root, ['launch', '--team', team, '--agent', agent('good'), ...more])

/** Looks that may take so many steps each, until one finds nothing new. */
function looked(steps: number, before?: LedgerDraft): LedgerDraft {
  const federation = new Federation(root)
  let ledger = before
  for (let idle = 0; idle < 60;) {
    let left = steps
    const { hasNews, ledger: next } = look(ledger, federation, () => (left -= 1) >= 0)
    ledger = next
    // which teams have their turn is left to chance
    idle = hasNews ? 0 : idle + 1
  }
  return ledger as LedgerDraft
}

const totalsOf = ({ teams }: LedgerDraft) =>
  Object.fromEntries(
    Object.keys(teams)
      .toSorted()
      .map((id) => [id, teams[id]?.totals]),
  )
const spansOf = ({ spans }: LedgerDraft) =>
  spans.toSorted((a, b) => (a.trace + a.id < b.trace + b.id ? -1 : 1))

test.each(someOf([2, 3, 5, 8], 2))('looks of %i steps', async (steps) => {
  await fedDone(root, ['send', 'docs', '--type', 'report', '--subject', 'Ports are open'])
  await launch('docs')
  await launch('docs', '--reset')
  await launch('site')
  const whole = looked(Infinity)
  const cut = looked(steps)
  expect(spansOf(whole)).toHaveLength(18)
  expect(totalsOf(whole).docs?.transitions).toMatchObject({ 'aggregating complete': 2 })
  expect(totalsOf(cut)).toEqual(totalsOf(whole))
  expect(spansOf(cut)).toEqual(spansOf(whole))
})

test('a look at folders that rest reads nothing', async () => {
  await launch('docs')
  let ledger = looked(Infinity)
  // what was read again is another object in the ledger
  await until('a look that reads nothing', () => {
    const next = look(ledger, new Federation(root), () => true)
    expect(next.hasNews).toBe(false)
    const isRead = Object.entries(next.ledger.teams).some(([id, team]) => team !== ledger.teams[id])
    ledger = next.ledger
    return !isRead
  })
})

test('a workspace that is away for a while has lost nothing and counts no second time', async () => {
  await launch('docs')
  const before = looked(Infinity)
  const workspace = workspaceOf(root, 'docs')
  renameSync(workspace, `${workspace}-away`)
  const meanwhile = looked(Infinity, before)
  expect(totalsOf(meanwhile)).toEqual(totalsOf(before))
  renameSync(`${workspace}-away`, workspace)
  expect(totalsOf(looked(Infinity, meanwhile))).toEqual(totalsOf(before))
})

test('a team that was removed and made anew goes on counting', async () => {
  await launch('docs')
  const before = looked(Infinity)
  const federation = new Federation(root)
  rmSync(workspaceOf(root, 'docs'), { recursive: true })
  federation.registry.update((registry) => {
    registry.teams = registry.teams.filter(({ domainId }) => domainId !== 'docs')
  })
  await federation.onboard({ domain: 'docs', archetype: 'deliverable' })
  await fedDone(root, ['send', 'docs', '--type', 'directive', '--subject', 'Explain the answer'])
  await launch('docs')
  const after = looked(Infinity, before)
  expect(totalsOf(after).docs?.transitions).toMatchObject({
    'aggregating complete': 2,
    'preparing scanning': 2,
  })
  expect(new Set(after.spans.map(({ trace, id }) => trace + id)).size).toBe(after.spans.length)
  expect(after.spans.filter(({ name }) => name === 'mission')).toHaveLength(2)
})

test('a state keeps its last events and says how many it lost', async () => {
  const federation = new Federation(root)
  const count = mostEvents + 40
  await federation.sendMany(
    Array.from({ length: count }, (_, index) => ({
      from: 'docs',
      to: 'docs',
      type: 'report' as const,
      subject: `Nonsense ${index}`,
      body: '',
    })),
  )
  await launch('docs')
  const preparing = looked(Infinity).spans.find(({ name }) => name === 'preparing')
  expect(preparing?.events).toHaveLength(mostEvents)
  expect(preparing?.events.at(-1)?.name).toBe('report.mission-planned')
  // the directive, and the report that ended the state
  expect(preparing?.droppedEvents).toBe(count + 2 - mostEvents)
  expect(existsSync(path.join(root, '.fed', 'telemetry.json'))).toBe(false)
})
