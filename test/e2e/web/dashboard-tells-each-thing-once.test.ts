// Proves that what a change costs does not grow with the length of a team's life: the dashboard reads only the
// versions that are new, tells only what they added, and a page that kept what it was told knows as much as one
// that is told everything. Fails when a past is read or told again, or when a page misses a part of it unnoticed.
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { FederationView } from '../../../src/apps/web/dashboard/federation-view.ts'
import { rowWith, type TeamRow } from '../../../src/apps/web/dashboard/page/page-model.ts'
import type { Change } from '../../../src/apps/web/dashboard/shown.ts'
import { TeamView } from '../../../src/apps/web/dashboard/team-view.ts'
import { Federation } from '../../../src/federation/federation.ts'
import type { Lifecycle } from '../../../src/engine/decide/lifecycle.ts'
import { disk } from '../../../src/platform/storage/disk.ts'
import type { Team } from '../../../src/federation/team.ts'
import { newFederation } from '../../support/fed.ts'
import { until } from '../../support/until.ts'

afterEach(() => vi.restoreAllMocks())

async function move(team: Team, times: number): Promise<void> {
  for (let moved = 0; moved < times; moved += 1) await (team.present().paused ? team.resume() : team.pause())
}

/** Repeats a team's last two moves. */
function repeat({ actor: { lifecycle } }: Team, times: number): void {
  const last = lifecycle.versions().slice(-2)
  for (let again = 0; again < times; again += 1)
    for (const version of last) lifecycle.update(() => lifecycle.version(version) as Lifecycle)
}

/** What is read and told of a team's next move, after so many and their repetitions. */
async function costOfMove(federation: Federation, name: string, times: number) {
  const team = await federation.team(name)
  const view = new TeamView(await federation.team(name))
  const news = () => view.news(federation.registry.entry(name), Date.now())
  await move(team, 2)
  repeat(team, times)
  expect(news().past).toMatchObject({ after: 0, segments: { length: 3 + 2 * times } })
  await move(team, 1)
  const versions = (calls: readonly (readonly [string])[]) =>
    calls.filter(([file]) => file.includes(`${path.sep}lifecycle.d`)).length
  const [read, list] = [vi.spyOn(disk, 'read'), vi.spyOn(disk, 'list')]
  const told = news()
  const cost = { read: versions(read.mock.calls), listed: versions(list.mock.calls) }
  vi.restoreAllMocks()
  expect(told.past.segments).toMatchObject([{ state: told.state }])
  expect(view.life(told.past.after).commits).toHaveLength(1)
  return { ...cost, bytes: JSON.stringify(told).length }
}

test('a move costs after a long life what it costs after a short one', async () => {
  const federation = new Federation(await newFederation({ long: 'Cover it all', brief: 'Cover it all' }))
  const brief = await costOfMove(federation, 'brief', 0)
  const long = await costOfMove(federation, 'long', 150)
  expect(long.read).toBe(brief.read)
  expect(long.listed).toBe(0)
  // numbers have more digits
  expect(Math.abs(long.bytes - brief.bytes)).toBeLessThan(12)
})

test('who was told of each change knows what whoever comes later is told', async () => {
  const federation = new Federation(await newFederation({ docs: 'Cover the storage' }))
  const team = await federation.team('docs')
  await move(team, 2)
  let kept: TeamRow | undefined
  const told: Change[] = []
  const view = new FederationView(federation, await federation.opener(), (change) => {
    told.push(change)
    for (const news of change.rows) {
      const next = rowWith(kept, news)
      expect(next).toBeDefined()
      kept = next
    }
  })
  const knows = (version: number) => until('it was told', () => kept?.until === version)
  try {
    await knows(team.actor.lifecycle.read()?.version ?? 0)
    const before = kept
    await move(team, 2)
    await team.tell({ type: 'report', subject: 'files-read' })
    await team.reset()
    await team.direct('Cover the rest', '')
    const { version = 0 } = team.actor.lifecycle.read() ?? {}
    await knows(version)
    const { rows } = view.whole()
    expect(rows.map((news) => rowWith(undefined, news))).toEqual([kept])
    expect(kept).toMatchObject({
      refusals: { length: 1 },
      missions: [{ subject: 'Cover the storage' }, { subject: 'Cover the rest' }],
    })
    expect(told.flatMap((change) => change.rows).filter(({ past }) => past.after === 0)).toHaveLength(1)
    // one who missed the first part of it knows that something is missing
    const last = told.flatMap((change) => change.rows).findLast(({ past }) => past.until === version)
    expect(last && rowWith({ ...(before as TeamRow), until: 1 }, last)).toBeUndefined()
    expect(last && rowWith(undefined, last)).toBeUndefined()
  } finally {
    view.close()
  }
})
