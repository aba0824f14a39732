// Proves that a monitoring cycle carries every team on, and tells what it cannot. It fails when one damaged
// team keeps the others from being stepped, when damage is not told, or when a watch misses or does not end.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { CycleReport } from '../../../src/index.ts'
import { fed, fedDone, fedJson, newFederation, startFed, workspaceOf } from '../../support/fed.ts'
import { until } from '../../support/until.ts'

let root: string

beforeEach(async () => {
  root = await newFederation({ api: undefined, docs: undefined, site: undefined })
})

const direct = (team: string) =>
  fedDone(root, ['send', team, '--type', 'directive', '--subject', 'Explain it'])

function damage(team: string): void {
  const lifecycle = path.join(workspaceOf(root, team), '.fed', 'lifecycle.json')
  rmSync(lifecycle)
  writeFileSync(lifecycle, '{ "version": ')
}

test('one cycle steps all', async () => {
  await direct('docs')
  await direct('site')
  const report = await fedJson<CycleReport>(root, ['monitor'])
  expect(report.teams.map(({ team, state, handled }) => [team, state, handled])).toEqual([
    ['api', 'preparing', 0],
    ['docs', 'preparing', 1],
    ['site', 'preparing', 1],
  ])
  expect(await fedDone(root, ['monitor'])).toMatch(
    /3 teams, not started, 0 unread for meta\n· api +deliverable +\w+ +active/,
  )
  expect(await fedJson(root, ['status', 'site'])).toMatchObject({ mission: { subject: 'Explain it' } })
})

test('what waits is counted as the status counts it', async () => {
  await fedDone(root, ['send', 'docs', '--type', 'report', '--subject', 'Ports are open'])
  const inbox = path.join(workspaceOf(root, 'docs'), '.fed', 'signals', 'inbox')
  // half written by a foreign program: no signal yet
  writeFileSync(path.join(inbox, '2026-01-01T000000Z-report-half.json'), '{')
  const { teams } = await fedJson<CycleReport>(root, ['monitor'])
  expect(teams.map(({ waiting }) => waiting)).toEqual([0, 1, 0])
  expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ mailbox: { unacknowledged: 1 } })
})

test('a damaged team is told and does not keep the others from it', async () => {
  await direct('site')
  damage('docs')
  const { code, stdout, stderr } = await fed(root, ['monitor'])
  expect([code, stderr]).toEqual([1, ''])
  expect(stdout).toMatch(
    /✗ docs +deliverable +unreadable +active .*\n +unreadable: \S*lifecycle\.json is damaged: .*\n +→ 'fed doctor' .*\n· api .*\n· site .* 1 handled/,
  )
  const { teams } = JSON.parse((await fed(root, ['monitor', '--json'])).stdout) as CycleReport
  expect(teams.map(({ state }) => state)).toEqual(['preparing', null, 'preparing'])
  expect(await fed(root, ['status', 'docs'])).toMatchObject({ code: 2, stdout: '' })
  const overview = await fed(root, ['status'])
  expect(overview.code).toBe(1)
  expect(overview.stdout).toMatch(
    /api .*\ndocs +deliverable +unreadable .*\n .*is damaged.*\nsite .*Explain it/,
  )
})

test('a watch goes on until it is interrupted', async () => {
  const watch = startFed(root, ['monitor', '--watch', '--interval', '20ms', '--json'])
  const reports = () =>
    watch
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as CycleReport)
  await until('two cycles', () => reports().length >= 2)
  await direct('docs')
  await until('the mission in a cycle', () =>
    reports().some(({ teams }) => teams.some(({ team, handled }) => team === 'docs' && handled === 1)),
  )
  watch.kill('SIGINT')
  const { code, stderr } = await watch.ended
  expect([code, stderr]).toEqual([130, ''])
})
