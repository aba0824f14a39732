// Proves that a history is followed commit by commit: each is told once, in its order, through a reset and past a
// damaged one. Fails when the history is read anew each time.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import { replay } from '../../../src/engine/inspection/replay.ts'
import { HistoryTail } from '../../../src/apps/web/inspector/feed.ts'
import { newFederation } from '../../support/fed.ts'

test('each commit is told once, also after a reset, and a damaged one hides no other', async () => {
  const root = await newFederation({ docs: 'Cover the storage' })
  const team = await new Federation(root).team('docs')
  const tail = new HistoryTail(team)
  const ids = () => tail.read().map(({ id }) => id)
  const told = [...ids()]
  expect(told.length).toBeGreaterThan(1)
  expect(ids()).toEqual([])
  await team.pause()
  const paused = ids()
  expect(paused).toHaveLength(2)
  await team.resume()
  await team.tell({ type: 'alert', subject: 'information-missing', body: 'There is none' })
  await team.reset()
  told.push(...paused, ...ids())
  await team.pause()
  told.push(...ids())
  expect(told).toEqual([...replay(team.actor)].map(({ id }) => id))
  expect(new Set(told).size).toBe(told.length)

  const kept = path.join(team.actor.workspace, '.fed', 'missions', '1')
  const [file = ''] = readdirSync(kept).filter((name) => name.endsWith('.json'))
  rmSync(path.join(kept, file))
  writeFileSync(path.join(kept, file), '{')
  const again = new HistoryTail(team).read().map(({ id }) => id)
  expect(again.length).toBeGreaterThan(4)
  expect(told).toEqual(expect.arrayContaining(again.slice(1)))
  expect(again.at(-1)).toBe(told.at(-1))
})
