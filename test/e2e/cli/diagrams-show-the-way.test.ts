// Proves that a team's diagram shows the way that its mission took, turn by turn, in all three formats, and that
// `fed diagram <team>` draws it. Fails when a move is matched to another edge, or time is given to another state.
import { expect, test } from 'vitest'
import { coding } from '../../../machines/coding.ts'
import { deliverable } from '../../../machines/deliverable.ts'
import { chartOf } from '../../../src/diagram/chart.ts'
import { toMermaid } from '../../../src/diagram/mermaid.ts'
import { pathOf, takenEdges, visitsOf } from '../../../src/diagram/mission-path.ts'
import { toSvg } from '../../../src/diagram/svg.ts'
import { toText } from '../../../src/diagram/text.ts'
import { fedDone, newFederation } from '../../support/fed.ts'

const begun = Date.parse('2026-11-20T10:00:00Z')
const after = (seconds: number) => new Date(begun + seconds * 1000).toISOString()
const moves = [
  { at: after(4), event: 'report.mission-planned', from: 'preparing', to: 'scanning' },
  { at: after(10), event: 'directive.pause', from: 'scanning', to: 'paused' },
  { at: after(70), event: 'directive.resume', from: 'paused', to: 'scanning' },
]
const chart = chartOf(deliverable)
const path = pathOf(chart, moves, { state: 'preparing', begun, until: begun + 75_000 })

test('a pause and the way back are edges of the parent and of its memory', () => {
  expect([...path.taken]).toEqual([
    'deliverable.working.preparing deliverable.working.scanning',
    'deliverable.working deliverable.paused',
    'deliverable.paused deliverable.working.resumed',
  ])
  expect([...visitsOf(path.stays)]).toEqual([
    ['preparing', { turns: [1], time: 4000 }],
    ['scanning', { turns: [2, 4], time: 11_000 }],
    ['paused', { turns: [3], time: 60_000 }],
  ])
})

test('of two ways that fit, the innermost and the exact one was taken', () => {
  const back = { event: 'report.tests-failed', from: 'testing', to: 'implementing' }
  expect([...takenEdges(chartOf(coding), [back])]).toEqual([
    'coding.working.testing coding.working.implementing',
  ])
})

test('each format marks the states with their turns and times', async () => {
  const marks = { current: 'scanning', path }
  const svg = await toSvg(chart, marks)
  expect(svg.match(/class="time"[^>]*>[^<]+/g)?.map((text) => text.replace(/^.*>/, ''))).toEqual([
    '1 · 4.0 s',
    '2, 4 · 11 s',
    '3 · 1 min',
  ])
  expect(svg.match(/class="line[^"]* taken"/g)).toHaveLength(3)
  const text = toText(chart, marks)
  expect(text).toContain('● scanning   2, 4 · 11 s ◀ current')
  expect(text).toContain('✓ paused   3 · 1 min')
  expect(text).toMatch(/way: preparing 4\.0 s → scanning 6\.0 s → paused 1 min → scanning 5\.0 s\n$/)
  const mermaid = toMermaid(chart, marks)
  expect(mermaid).toContain('class s_scanning current')
  expect(mermaid).toMatch(/note right of s_paused\n\s+3 · 1 min\n/)
})

test('the command draws the way of a real team', async () => {
  const root = await newFederation({ docs: 'Cover the storage' })
  await fedDone(root, ['report', 'mission-planned', '--body', 'src/app.ts', '--team', 'docs'])
  const drawing = await fedDone(root, ['diagram', 'docs', '--format', 'text'])
  expect(drawing).toMatch(/✓ preparing \(initial\) {3}1 · .+ s\n/)
  expect(drawing).toMatch(/● scanning {3}2 · .+ s ◀ current/)
})
