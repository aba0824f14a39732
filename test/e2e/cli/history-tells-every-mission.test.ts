// Proves that a team's history tells every mission by its number, also those that resets put away, each signal once
// and with what its agent was told. It fails when a mission is missing, told under another's number, or twice.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import type { HistoryEntry } from '../../../src/index.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import { fed, fedDone, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'

let root: string

const team = () => new Federation(root).team('docs')
const report = async (subject: string, body: string) => (await team()).tell({ type: 'report', subject, body })

beforeAll(async () => {
  root = await newFederation({ docs: 'Explain the storage' })
  await report('mission-planned', 'read src/app.ts')
  await beginMission(await team(), 'Explain the registry', { giveUp: true })
  await report('mission-planned', 'read nothing that exists')
  await beginMission(await team(), 'Explain the machines', { giveUp: true })
})

const told = (entries: readonly HistoryEntry[]) =>
  entries.map(({ mission, event, outcome }) => `${mission} ${event} ${outcome}`)

const all = [
  '1 directive.explain-the-storage accepted',
  '1 report.mission-planned accepted',
  '2 directive.explain-the-registry accepted',
  '2 report.mission-planned refused',
  '3 directive.explain-the-machines accepted',
]

test('the present mission, unless more is asked for', async () => {
  expect(told(await fedJson(root, ['history', 'docs']))).toEqual(all.slice(4))
  expect(told((await team()).history())).toEqual(all.slice(4))
})

test('all of them, in order', async () => {
  expect(told(await fedJson(root, ['history', 'docs', '--all']))).toEqual(all)
  expect(told(await (await new Federation(root).team('docs')).history('all'))).toEqual(all)
  const text = await fedDone(root, ['history', 'docs', '--all'])
  expect(text.match(/^mission.*$/gm)).toEqual([
    'mission 1: Explain the storage',
    'mission 2: Explain the registry',
    'mission 3: Explain the machines',
  ])
  expect(text).toMatch(/mission 2: [^\n]+\n(?: {2}[^\n]+\n)+\nmission 3:/)
})

test('one by its number', async () => {
  expect(told(await fedJson(root, ['history', 'docs', '--mission', '2']))).toEqual(all.slice(2, 4))
  expect(told((await team()).history(1))).toEqual(all.slice(0, 2))
  expect(await fed(root, ['history', 'docs', '--mission', '4'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'fed: --mission 4: docs has no such mission; it has 1 to 3\n',
  })
  expect((await fed(root, ['history', 'docs', '--mission', '2', '--all'])).code).toBe(2)
})

test('a damaged commit is named, and hides the present mission from nobody', async () => {
  const folder = path.join(workspaceOf(root, 'docs'), '.fed', 'missions', '1')
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const damaged = path.join(folder, file)
  // it is read-only: somebody removes it and writes another
  rmSync(damaged)
  writeFileSync(damaged, '{"version": 1,')
  const { code, stderr } = await fed(root, ['history', 'docs', '--all'])
  expect([code, stderr]).toEqual([2, expect.stringContaining(damaged)])
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(told(await fedJson(root, ['history', 'docs']))).toEqual(all.slice(4))
})
