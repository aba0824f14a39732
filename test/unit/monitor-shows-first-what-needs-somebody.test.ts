// Proves that the live view of the monitor shows what needs somebody whatever the window's size, and only counts what
// does not. Fails when a healthy team takes the place of one that is not, or when a line is lost without a word.
import { expect, test } from 'vitest'
import { screenOf } from '../../src/apps/cli/monitor-screen.ts'
import type { CycleReport, FiledSignal, TeamReport } from '../../src/index.ts'

const at = '2026-11-22T08:00:00.000Z'
const style = { isColoured: false }

function teamOf(name: string, more: Partial<TeamReport> = {}): TeamReport {
  return {
    team: name,
    archetype: 'deliverable',
    status: 'active',
    state: 'scanning',
    since: at,
    lastActive: at,
    handled: 0,
    waiting: 0,
    waitingSince: null,
    waitsFor: null,
    working: false,
    used: null,
    healthy: true,
    started: true,
    findings: [],
    ...more,
  }
}

const ill = (name: string) =>
  teamOf(name, {
    healthy: false,
    state: 'failed',
    findings: [{ kind: 'failed', team: name, message: `it failed: no ${name}`, fix: 'begin anew' }],
  })

function mailOf(type: FiledSignal['type'], from: string): FiledSignal {
  const id = `${type}-${from}`
  return {
    id,
    timestamp: at,
    from,
    to: 'meta',
    type,
    subject: 'Ports',
    body: '',
    protocol: 'file-signal-v1',
    file: id,
  }
}

function reportOf(teams: readonly TeamReport[], mail: readonly FiledSignal[] = []): CycleReport {
  const findings = teams.flatMap((team) => team.findings)
  return { at, healthy: findings.length === 0, teams, findings, settled: [], mail, inbox: mail.length }
}

const numbered = (count: number, make: (name: string) => TeamReport) =>
  Array.from({ length: count }, (_, index) => make(`team-${index + 1}`))

test('where all fits, all is shown, what is not healthy first', () => {
  const lines = screenOf(
    reportOf([teamOf('docs'), ill('api')], [mailOf('report', 'docs'), mailOf('alert', 'api')]),
    style,
    24,
  )
  expect(lines.map((line) => line.replace(/ {2}.*$/, ''))).toEqual([
    at,
    '✗ api',
    '',
    '',
    'mail for meta:',
    '',
    '✓ docs',
    'mail for meta, reports are acknowledged now:',
    '',
  ])
})

test('of forty healthy teams those at work are shown, and the others counted', () => {
  const teams = [
    ...numbered(39, (name) => teamOf(name, { state: 'complete' })),
    teamOf('busy', { working: true }),
  ]
  const lines = screenOf(reportOf(teams), style, 10)
  expect(lines).toHaveLength(10)
  expect(lines[1]).toMatch(/^✓ busy .* an agent works$/)
  expect(lines.at(-1)).toBe('✓ and 32 more healthy: 32 complete')
})

test('teams that were never launched are counted apart from those that are well', () => {
  const idle = numbered(20, (name) => teamOf(name, { state: 'preparing', started: false }))
  const report = reportOf([...numbered(10, teamOf), ...idle])
  expect(screenOf(report, style, 2)).toEqual([
    `${at}  30 teams, 10 healthy, 20 not started, 0 unread for meta`,
    '✓ 10 healthy: 10 scanning; 20 not started',
  ])
  expect(screenOf(reportOf(idle), style, 3).at(-1)).toBe('· and 19 more not started')
})

test.each([
  // rows of the window, lines that name a team that failed, and how it ends
  [24, 5, '✓ and 30 more healthy: 30 scanning'],
  [8, 5, '✓ 35 healthy: 35 scanning'],
  [5, 2, '✓ 35 healthy: 35 scanning'],
  [3, 0, '✓ 35 healthy: 35 scanning'],
])('in %d rows five of forty that failed come first', (rows, failed, end) => {
  const teams = [...numbered(35, teamOf), ...['api', 'docs', 'shop', 'site', 'wiki'].map(ill)]
  const lines = screenOf(reportOf(teams, [mailOf('question', 'team-1')]), style, rows)
  expect(lines.length).toBeLessThanOrEqual(rows)
  expect(lines.filter((line) => /^✗ (?:api|docs|shop|site|wiki) /.test(line))).toHaveLength(failed)
  expect(lines.at(-1)).toBe(end)
  expect(lines.join('\n')).not.toContain('more lines')
})

test('what does not fit is named', () => {
  const lines = screenOf(reportOf(numbered(40, ill)), style, 6)
  expect(lines).toHaveLength(6)
  expect(lines[1]).toBe('✗ team-1  it failed: no team-1')
  expect(lines.at(-1)).toMatch(/^✗ and 36 more: team-5, team-6, /)
  expect(screenOf(reportOf(numbered(40, ill)), style, 2).at(-1)).toMatch(/^✗ 40 things to look at: /)
})
