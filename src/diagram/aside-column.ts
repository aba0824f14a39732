import type { Asides } from './asides.ts'
import type { Chart, ChartState } from './chart.ts'
import type { Bundle } from './bundles.ts'
import { labelContent, nothing, stateContent, type Content } from './contents.ts'
import {
  historySize,
  margin,
  type Drawing,
  type Edge,
  type Label,
  type Point,
  type StateBox,
} from './drawing.ts'

interface Row {
  readonly bundle: Bundle
  readonly content: Content
  /** Of its line, from the centre of the state's box. */
  readonly offset: number
}

interface Slot {
  readonly state: ChartState
  readonly content: Content
  readonly height: number
  /** How far labels of the lines to the host reach above and below the centre. */
  readonly reach: number
  /** From the top of the column to the centre of the box. */
  readonly centre: number
  readonly rows: readonly Row[]
}

/** A column of states and its lines to the host, not yet placed. */
export interface AsideColumn {
  readonly asides: Asides
  readonly slots: readonly Slot[]
  readonly width: number
  readonly height: number
  /** Room between the host and the column, which holds the labels. */
  readonly gutter: number
}

const between = 16
const lineBeforeLabel = 20
const lineAfterLabel = 28

/** Measures the column: each box as high as its lines need, labels clear of each other. */
export function asideColumn(chart: Chart, asides: Asides): AsideColumn {
  const ids = new Set(asides.column.map(({ id }) => id))
  const toHost = ({ source, target }: Bundle) => !ids.has(source) || !ids.has(target)
  const slots: Slot[] = []
  for (const state of asides.column) {
    const rows = rowsOf(
      asides.bundles.filter((each) => toHost(each) && [each.source, each.target].includes(state.id)),
    )
    const content = stateContent(state, chart)
    const span = (rows.at(-1)?.offset ?? 0) - (rows[0]?.offset ?? 0)
    const height = Math.max(content.height, span + 28)
    const reach = rows.length === 0 ? 0 : (rows.at(-1)?.offset ?? 0) + (rows.at(-1)?.content.height ?? 0) / 2
    const above = slots.at(-1)
    const gap = above === undefined ? 0 : gapBetween(asides, above.state, state)
    const centre =
      above === undefined
        ? Math.max(height / 2, reach)
        : above.centre + Math.max(above.height / 2 + gap + height / 2, above.reach + between + reach)
    slots.push({ state, content, height, reach, centre, rows })
  }
  const last = slots.at(-1)
  const labels = slots.flatMap(({ rows }) => rows.map(({ content }) => content.width))
  return {
    asides,
    slots,
    width: Math.max(180, ...slots.map(({ content }) => content.width), ...pairWidths(asides)),
    height: last === undefined ? 0 : last.centre + Math.max(last.height / 2, last.reach),
    gutter: lineBeforeLabel + Math.max(0, ...labels) + lineAfterLabel,
  }
}

function rowsOf(bundles: readonly Bundle[]): Row[] {
  const contents = bundles.map(({ transitions }) => labelContent(transitions))
  const total = contents.reduce((sum, { height }) => sum + height, 0) + between * (contents.length - 1)
  let top = -total / 2
  return bundles.map((bundle, index) => {
    const content = contents[index]!
    const offset = top + content.height / 2
    top += content.height + between
    return { bundle, content, offset }
  })
}

function gapBetween({ bundles }: Asides, above: ChartState, below: ChartState): number {
  const labels = linking(bundles, above, below).map(({ transitions }) => labelContent(transitions).height)
  return labels.length === 0 ? 28 : Math.max(...labels) + lineBeforeLabel + lineAfterLabel
}

/** Two states linked both ways have two labels side by side between them. */
function pairWidths({ bundles }: Asides): number[] {
  return bundles
    .filter(({ source, target }) => bundles.some((back) => back.source === target && back.target === source))
    .map(({ transitions }) => 2 * labelContent(transitions).width + between)
}

function linking(bundles: readonly Bundle[], a: ChartState, b: ChartState): Bundle[] {
  return bundles.filter(
    ({ source, target }) => (source === a.id && target === b.id) || (source === b.id && target === a.id),
  )
}

/** Puts the column on the right of the spine, over the height of the host, and draws its lines. */
export function beside(spine: Drawing, host: StateBox, column: AsideColumn): Drawing {
  const left = spine.width - margin + column.gutter
  const top = host.y + host.content.height
  const slack = (host.height - host.content.height - column.height) / (column.slots.length + 1)
  const boxes = column.slots.map(({ state, content, centre, height }, index): StateBox => {
    const y = top + slack * (index + 1) + centre - height / 2
    return { state, content, x: left, y, width: column.width, height }
  })
  const histories: StateBox[] = []
  const edges: Edge[] = []
  for (const [index, { rows }] of column.slots.entries()) {
    const box = boxes[index]!
    for (const { bundle, content, offset } of rows) {
      const y = box.y + box.height / 2 + offset
      const history = column.asides.histories.find(({ id }) => id === bundle.target)
      let right = host.x + host.width
      if (history !== undefined) {
        const x = right - margin - historySize
        const area = { x, y: y - historySize / 2, width: historySize, height: historySize }
        histories.push({ ...area, state: history, content: nothing })
        right = x + historySize
      }
      const outward = bundle.target === box.state.id
      const points = [
        { x: right, y },
        { x: left, y },
      ]
      const middle = left - column.gutter + (column.gutter + (outward ? -8 : 8)) / 2
      edges.push({
        ...bundle,
        points: outward ? points : points.toReversed(),
        label: labelAt({ x: middle, y }, content),
        main: false,
      })
    }
  }
  const linked = linksWithin(column, boxes)
  const rightmost = Math.max(left + column.width, ...linked.map(({ label }) => label.x + label.width))
  return {
    ...spine,
    width: rightmost + margin,
    boxes: [...spine.boxes, ...histories, ...boxes].map((box, index) =>
      index === 0 ? { ...box, width: rightmost + margin } : box,
    ),
    edges: [...spine.edges, ...edges, ...linked],
  }
}

function linksWithin({ asides, slots }: AsideColumn, boxes: readonly StateBox[]): Edge[] {
  return slots.flatMap((_, first) =>
    slots.slice(first + 1).flatMap((__, further) => {
      const [above, below] = [boxes[first]!, boxes[first + 1 + further]!]
      const links = linking(asides.bundles, above.state, below.state)
      return links.map((bundle, nth): Edge => {
        const content = labelContent(bundle.transitions)
        const points =
          further === 0 ? straight(above, below, content, nth, links.length) : around(above, below, content)
        const [a, b] = further === 0 ? [points[0]!, points[1]!] : [points[1]!, points[2]!]
        const label = labelAt({ x: a.x, y: (a.y + b.y) / 2 }, content)
        return {
          ...bundle,
          points: bundle.source === above.state.id ? points : points.toReversed(),
          label,
          main: false,
        }
      })
    }),
  )
}

function straight(above: StateBox, below: StateBox, label: Content, nth: number, of: number): Point[] {
  const side = of === 1 ? 0 : nth === 0 ? -1 : 1
  const x = above.x + above.width / 2 + side * (label.width / 2 + between / 2)
  return [
    { x, y: above.y + above.height },
    { x, y: below.y },
  ]
}

function around(above: StateBox, below: StateBox, { width }: Content): Point[] {
  const right = above.x + above.width
  const x = right + lineBeforeLabel + width / 2
  const [from, to] = [above.y + above.height / 2, below.y + below.height / 2]
  return [
    { x: right, y: from },
    { x, y: from },
    { x, y: to },
    { x: right, y: to },
  ]
}

function labelAt({ x, y }: Point, content: Content): Label {
  const { width, height } = content
  return { x: x - width / 2, y: y - height / 2, width, height, content }
}
