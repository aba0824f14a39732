// Proves that a drawing can be read: labels cover neither states nor each other, lines cross neither, text
// fits its box, the main path is straight. Fails when the layout engine or a measure changes for the worse.
import { setup } from 'xstate'
import { describe, expect, test } from 'vitest'
import { builtInCharts } from '../../src/diagram/diagram-files.ts'
import { chartOf } from '../../src/diagram/chart.ts'
import { overlap, type Area, type Drawing, type Point } from '../../src/diagram/drawing.ts'
import { layOut } from '../../src/diagram/lay-out.ts'

const busy = setup({}).createMachine({
  id: 'busy',
  initial: 'idle',
  states: {
    idle: { on: { GO: 'work', LEAVE: 'gone', AGAIN: 'work.past' } },
    work: {
      initial: 'a',
      states: {
        a: { on: { NEXT: 'b', FAIL: '#busy.gone' } },
        b: { on: { NEXT: 'c', BACK: 'a' } },
        c: { on: { BACK: 'a', DONE: '#busy.gone' } },
        past: { type: 'history', history: 'deep' },
      },
      on: { STOP: 'idle', HOLD: 'held' },
    },
    held: { on: { STOP: 'gone', GO: 'work', AGAIN: 'work.past' } },
    gone: { type: 'final' },
  },
})

const segments = (points: readonly Point[]): Area[] =>
  points.slice(1).map((to, index) => {
    const from = points[index]!
    const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)]
    // as thin as an area may be that still overlaps what it crosses
    return {
      x,
      y,
      width: Math.max(0.1, Math.abs(from.x - to.x)),
      height: Math.max(0.1, Math.abs(from.y - to.y)),
    }
  })
const inset = ({ x, y, width, height }: Area, by: number): Area => ({
  x: x + by,
  y: y + by,
  width: width - 2 * by,
  height: height - 2 * by,
})
const leavesOf = ({ boxes }: Drawing) => boxes.filter(({ state }) => state.states.length === 0)

describe.each([...builtInCharts(), chartOf(busy)].map((chart) => ({ name: chart.root.name, chart })))(
  '$name',
  async ({ chart }) => {
    const drawing = await layOut(chart)
    const { edges, starts, boxes } = drawing
    const leaves = leavesOf(drawing)
    const labels = edges.map(({ label }) => label)

    test('every state and every edge has its place within the drawing', () => {
      const whole = { x: 0, y: 0, width: drawing.width, height: drawing.height }
      for (const { x, y, width, height } of [...boxes, ...labels]) {
        expect(x >= 0 && y >= 0 && x + width <= whole.width && y + height <= whole.height).toBe(true)
        expect(width > 0 && height > 0).toBe(true)
      }
      for (const { points } of [...edges, ...starts]) expect(points.length).toBeGreaterThan(1)
    })

    test('no two labels overlap, and none overlaps a leaf, a heading or a dot', () => {
      const headings = boxes.filter(({ state }) => state.states.length > 0)
      const obstacles = [
        ...leaves,
        ...headings.map((box) => ({ ...box, height: box.content.height })),
        ...starts.map(({ dot }) => ({ x: dot.x - 6, y: dot.y - 6, width: 12, height: 12 })),
      ]
      for (const [index, label] of labels.entries()) {
        for (const other of labels.slice(index + 1)) expect(overlap(label, other)).toBe(false)
        for (const obstacle of obstacles) expect(overlap(label, obstacle)).toBe(false)
      }
      for (const [index, leaf] of leaves.entries())
        for (const other of leaves.slice(index + 1)) expect(overlap(leaf, other)).toBe(false)
    })

    test("no line runs through a leaf or through another edge's label, and each runs through its own", () => {
      for (const edge of edges) {
        const lines = segments(edge.points)
        const others = edges.filter((other) => other !== edge).map(({ label }) => label)
        for (const line of lines) {
          for (const other of others) expect(overlap(line, other)).toBe(false)
          for (const leaf of leaves) expect(overlap(line, inset(leaf, 1))).toBe(false)
        }
        expect(lines.some((line) => overlap(line, edge.label))).toBe(true)
      }
    })

    test('lines are level or upright', () => {
      for (const { points } of [...edges, ...starts])
        for (const { width, height } of segments(points))
          expect(Math.min(width, height)).toBeLessThanOrEqual(1)
    })

    test('text fits into its box', () => {
      for (const box of [...boxes, ...labels]) {
        expect(box.content.width).toBeLessThanOrEqual(box.width)
        expect(box.content.height).toBeLessThanOrEqual(box.height)
      }
    })

    test('children lie within their compound state, below its heading', () => {
      for (const box of boxes) {
        for (const child of boxes.filter(({ state }) => box.state.states.some(({ id }) => id === state.id))) {
          expect(child.y).toBeGreaterThanOrEqual(box.y + box.content.height)
          expect(child.x > box.x && child.x + child.width < box.x + box.width).toBe(true)
          expect(child.y + child.height).toBeLessThan(box.y + box.height)
        }
      }
    })
  },
)

test.each(builtInCharts().map((chart) => ({ name: chart.root.name, chart })))(
  'the main path of $name is one straight line downward',
  async ({ chart }) => {
    const points = (await layOut(chart)).edges.filter(({ main }) => main).flatMap((edge) => edge.points)
    expect(new Set(points.map(({ x }) => x)).size).toBe(1)
    const downward = points.map(({ y }) => y)
    expect(downward).toEqual(downward.toSorted((a, b) => a - b))
  },
)
