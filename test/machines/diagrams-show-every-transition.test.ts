// Proves that no drawing leaves out a transition that a machine declares. Fails when a format drops events,
// guards or targets, or when the reading of xstate's machines misses some of what it declares.
import { and, not, or, setup } from 'xstate'
import { describe, expect, test } from 'vitest'
import { coding } from '../../machines/coding.ts'
import { consultant } from '../../machines/consultant.ts'
import { deliverable } from '../../machines/deliverable.ts'
import { registryStatus } from '../../machines/registry-status.ts'
import { chartOf, guardLabel, mainPath, statesWithin } from '../../src/diagram/chart.ts'
import { toMermaid } from '../../src/diagram/mermaid.ts'
import { toSvg } from '../../src/diagram/svg.ts'
import { toText } from '../../src/diagram/text.ts'

interface DeclaredState {
  readonly on?: Record<string, unknown>
  readonly states?: Record<string, DeclaredState>
}

/** Counted in the machine's own literal, without the code under test. */
function declaredEvents({ on = {}, states = {} }: DeclaredState): string[] {
  const own = Object.entries(on).flatMap(([event, to]) => (Array.isArray(to) ? to : [to]).map(() => event))
  return [...own, ...Object.values(states).flatMap(declaredEvents)]
}

const machines = [deliverable, coding, consultant, registryStatus].map((machine) => ({
  name: machine.id,
  declared: declaredEvents(machine.config as DeclaredState),
  chart: chartOf(machine),
}))

describe.each(machines)('$name', ({ declared, chart }) => {
  test('every declared transition is in the model, once', () => {
    expect(chart.transitions.map(({ event }) => event).toSorted()).toEqual(declared.toSorted())
  })

  test('the text names each transition with its target and guards', () => {
    const lines = toText(chart).split('\n')
    const names = new Map(statesWithin(chart.root).map(({ id, name }) => [id, name]))
    for (const { event, targets, guards } of chart.transitions) {
      const telling = lines.filter(
        (line) =>
          line.includes(` ${event} `) &&
          targets.every((target) => line.includes(`→ ${names.get(target)}`)) &&
          line.endsWith(guardLabel({ guards })),
      )
      expect(telling.length).toBeGreaterThan(0)
    }
  })

  test('Mermaid and SVG show each event and each state', async () => {
    const mermaid = toMermaid(chart)
    const svg = await toSvg(chart)
    for (const { event } of chart.transitions) {
      expect(mermaid).toContain(event)
      expect(svg).toMatch(new RegExp(`class="event [a-z]+"[^>]*>(↻ )?${event.replaceAll(/[.*]/g, '\\$&')}<`))
    }
    for (const { name, kind } of statesWithin(chart.root).slice(1)) {
      expect(mermaid).toContain(`state "${kind === 'history' ? 'H (history)' : name}" as `)
      expect(svg).toContain(kind === 'history' ? '>H</text>' : `>${name}</text>`)
    }
  })
})

test('the main path of the deliverable lifecycle is the five states of the mission', () => {
  const names = mainPath(chartOf(deliverable)).map((id) => id.split('.').at(-1))
  expect(names).toEqual(['preparing', 'scanning', 'distilling', 'aggregating', 'complete'])
})

test('what our own machines do not use is read too: parallel, after, always, combined and inline guards', () => {
  const odd = setup({ guards: { a: () => true, b: () => true } }).createMachine({
    id: 'odd',
    initial: 'one',
    states: {
      one: {
        always: { target: 'both', guard: and(['a', or(['b', not('a')]), () => true]) },
        after: { 100: 'both' },
      },
      both: {
        type: 'parallel',
        onDone: 'one',
        states: {
          left: { initial: 'x', states: { x: { on: { N: 'y' } }, y: { type: 'final' } } },
          right: {
            id: 'custom',
            initial: 'z',
            states: { z: { on: { up: '#custom' } }, past: { type: 'history', history: 'deep' } },
          },
        },
      },
    },
  })
  const chart = chartOf(odd)
  const told = chart.transitions.map((each) => [
    each.source,
    each.event,
    each.targets,
    guardLabel(each),
    each.inside,
  ])
  expect(told).toEqual([
    ['odd.one', 'after 100 ms', ['odd.both'], '', false],
    ['odd.one', 'always', ['odd.both'], '[a ∧ (b ∨ ¬a) ∧ inline]', false],
    ['odd.both', 'done', ['odd.one'], '', false],
    ['odd.both.left.x', 'N', ['odd.both.left.y'], '', false],
    ['odd.both.right.z', 'up', ['custom'], '', true],
  ])
  expect(statesWithin(chart.root).find(({ kind }) => kind === 'history')?.deep).toBe(true)
})

test('a current state is marked in the text and in the SVG, and only that one', async () => {
  const chart = chartOf(deliverable)
  expect(toText(chart, { current: 'scanning' }).match(/● .*/g)).toEqual(['● scanning ◀ current'])
  expect(toText(chart)).not.toContain('●')
  const svg = await toSvg(chart, { current: 'scanning' })
  expect(svg.match(/class="leaf current"[^]*?class="name"[^>]*>([^<]*)</)?.[1]).toBe('scanning')
  expect(svg.split('class="leaf current"')).toHaveLength(2)
})
