import type { ElkExtendedEdge, ElkNode, ElkPort, LayoutOptions } from 'elkjs/lib/elk.bundled.js'
import { mainPath, statesWithin, type Chart, type ChartState } from './chart.ts'
import { bundlesOf, type Bundle } from './bundles.ts'
import { layOutGraph, type LayoutPlaces } from './kept-layouts.ts'
import { labelContent, stateContent, type Content } from './contents.ts'
import {
  dotSize,
  historySize,
  margin,
  overlap,
  type Area,
  type Drawing,
  type Edge,
  type Point,
  type Start,
  type StateBox,
} from './drawing.ts'

/** What the layout of a chart's spine leaves out, and how much room it keeps for that. */
export interface LeftOut {
  readonly states: ReadonlySet<string>
  /** The compound state beside which the states that were left out will stand. */
  readonly host: string
  /** Height that the host needs below its heading. */
  readonly hostRoom: number
  readonly hostMarginRight: number
}

const wholeGraph: LayoutOptions = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.edgeCoords': 'ROOT',
  'elk.json.shapeCoords': 'ROOT',
  'elk.spacing.nodeNode': '36',
  'elk.spacing.edgeNode': '24',
  'elk.spacing.edgeEdge': '16',
  'elk.spacing.edgeLabel': '12',
  'elk.layered.spacing.nodeNodeBetweenLayers': '26',
  'elk.layered.spacing.edgeNodeBetweenLayers': '18',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '16',
}

/**
 * Lays out the states from top to bottom by ELK: the main path straight down, ways back on the right of it,
 * shortcuts on the left.
 */
export async function layOutSpine(chart: Chart, places: LayoutPlaces, leftOut?: LeftOut): Promise<Drawing> {
  const bundles = bundlesOf(chart).filter(({ source, target }) =>
    [source, target].every((id) => leftOut?.states.has(id) !== true),
  )
  const contents = new Map(statesWithin(chart.root).map((state) => [state.id, stateContent(state, chart)]))
  const main = mainPath(chart)
  const laidOut = await layOutGraph(graphOf(chart, bundles, contents, main, leftOut), places)
  return drawingOf(laidOut, chart, bundles, contents, main)
}

function graphOf(
  { root }: Chart,
  bundles: readonly Bundle[],
  contents: ReadonlyMap<string, Content>,
  main: readonly string[],
  leftOut: LeftOut | undefined,
): ElkNode {
  const states = statesWithin(root).filter(({ id }) => leftOut?.states.has(id) !== true)
  const order = states.map(({ id }) => id)
  const compounds = new Set(states.filter((state) => state.states.length > 0).map(({ id }) => id))
  const ports = new Map<string, ElkPort[]>()

  function end(state: string, line: string, side: string): string {
    // ELK turns a line around the whole of a compound to reach a fixed side of it: there it may choose
    if (compounds.has(state)) return state
    const port = { id: `${line}@${state}`, layoutOptions: { 'elk.port.side': side } }
    ports.set(state, [...(ports.get(state) ?? []), port])
    return port.id
  }

  function edge({ source, target, transitions }: Bundle, index: number): ElkExtendedEdge {
    const id = edgeId(index)
    const [from, to] = [main.indexOf(source), main.indexOf(target)]
    const onMain = from >= 0 && to >= 0
    const back = onMain ? to < from : order.indexOf(target) < order.indexOf(source)
    const [out, into] = back
      ? ['EAST', 'EAST']
      : onMain && to > from + 1
        ? ['WEST', 'WEST']
        : ['SOUTH', 'NORTH']
    const { width, height } = labelContent(transitions)
    return {
      id,
      sources: [end(source, id, out)],
      targets: [end(target, id, into)],
      labels: [{ text: id, width: width + 2 * labelGap, height, layoutOptions: inline }],
      layoutOptions: onMain && to === from + 1 ? straight : {},
    }
  }

  function start({ id, initial }: ChartState): ElkExtendedEdge[] {
    if (initial === undefined) return []
    return [
      {
        id: startId(id),
        sources: [dotId(id)],
        targets: [end(initial, startId(id), 'NORTH')],
        layoutOptions: straight,
      },
    ]
  }

  function node(state: ChartState): ElkNode {
    const { width, height } = contents.get(state.id)!
    if (!compounds.has(state.id)) {
      const isHistory = state.kind === 'history'
      return {
        id: state.id,
        width: isHistory ? historySize : leafWidth(contents, states),
        height: isHistory ? historySize : height,
        ports: ports.get(state.id) ?? [],
        layoutOptions: { 'elk.portConstraints': 'FIXED_SIDE' },
      }
    }
    const isHost = state.id === leftOut?.host
    const right = isHost ? leftOut.hostMarginRight : margin
    const dot = { id: dotId(state.id), width: dotSize, height: dotSize }
    return {
      id: state.id,
      children: [
        ...(state.initial === undefined ? [] : [dot]),
        ...state.states.filter(({ id }) => leftOut?.states.has(id) !== true).map(node),
      ],
      layoutOptions: {
        'elk.padding': `[top=${height + 18},left=${margin},bottom=${margin},right=${right}]`,
        'elk.nodeSize.constraints': 'MINIMUM_SIZE',
        // ELK lays a downward graph out lying on its side, and turns all but this size back
        'elk.nodeSize.minimum': `(${isHost ? height + leftOut.hostRoom + 2 * margin : 0},${width})`,
      },
    }
  }

  // edges first: they say which ports the nodes have
  const edges = [...bundles.map(edge), ...states.flatMap(start)]
  const graph = node(root)
  return { ...graph, edges, layoutOptions: { ...graph.layoutOptions, ...wholeGraph } }
}

/** All leaves are as wide as the widest: a column with two straight sides. */
function leafWidth(contents: ReadonlyMap<string, Content>, states: readonly ChartState[]): number {
  const leaves = states.filter(({ kind }) => kind === 'atomic' || kind === 'final')
  return Math.max(180, ...leaves.map(({ id }) => contents.get(id)?.width ?? 0))
}

const straight = {
  'elk.layered.priority.straightness': '20',
  'elk.layered.priority.direction': '20',
  'elk.layered.priority.shortness': '20',
}
const inline = { 'elk.edgeLabels.inline': 'true' }
/** ELK puts labels side by side without any space between them. */
const labelGap = 7
const edgeId = (index: number) => `edge ${index}`
const startId = (state: string) => `start ${state}`
const dotId = (state: string) => `dot ${state}`

function drawingOf(
  graph: ElkNode,
  { root }: Chart,
  bundles: readonly Bundle[],
  contents: ReadonlyMap<string, Content>,
  main: readonly string[],
): Drawing {
  const areas = new Map(nodesWithin(graph).map((node) => [node.id, areaOf(node)]))
  const lines = new Map((graph.edges ?? []).map((edge) => [edge.id, edge]))
  const boxes = statesWithin(root).flatMap((state): StateBox[] => {
    const area = areas.get(state.id)
    return area === undefined ? [] : [{ ...area, state, content: contents.get(state.id)! }]
  })
  const edges = bundles.map((bundle, index): Edge => {
    const line = lines.get(edgeId(index))
    const from = main.indexOf(bundle.source)
    const content = labelContent(bundle.transitions)
    const { x, y } = areaOf(line?.labels?.[0] ?? {})
    return {
      ...bundle,
      points: pointsOf(line),
      label: { x: x + labelGap, y, width: content.width, height: content.height, content },
      main: from >= 0 && main[from + 1] === bundle.target,
    }
  })
  const starts = boxes.flatMap(({ state }): Start[] => {
    const dot = areas.get(dotId(state.id))
    if (dot === undefined) return []
    const points = pointsOf(lines.get(startId(state.id)))
    const shift = shiftOver(boxes, edges, state, dot)
    const moved = points.map(({ x, y }) => ({ x: x + shift, y }))
    return [{ dot: { x: dot.x + dotSize / 2 + shift, y: dot.y + dotSize / 2 }, points: moved }]
  })
  return { width: graph.width ?? 0, height: graph.height ?? 0, boxes, starts, edges }
}

/** How far to move the dot before a compound state, so that it stands over the leaf in which all begins. */
function shiftOver(
  boxes: readonly StateBox[],
  edges: readonly Edge[],
  { initial }: ChartState,
  dot: Area,
): number {
  const byId = new Map(boxes.map((box) => [box.state.id, box]))
  const entered = byId.get(initial ?? '')
  let leaf = entered
  while (leaf?.state.initial !== undefined) leaf = byId.get(leaf.state.initial)
  if (entered === undefined || leaf === undefined || leaf === entered) return 0
  const shift = leaf.x + leaf.width / 2 - (dot.x + dotSize / 2)
  const swept = { x: dot.x + shift, y: dot.y, width: dotSize, height: entered.y - 1 - dot.y }
  const leaves = boxes.filter(({ state }) => state.states.length === 0)
  const taken = [...leaves, ...edges.map(({ label }) => label)].some((area) => overlap(area, swept))
  return taken ? 0 : shift
}

function nodesWithin(node: ElkNode): ElkNode[] {
  return [node, ...(node.children ?? []).flatMap(nodesWithin)]
}

function areaOf({ x = 0, y = 0, width = 0, height = 0 }: Partial<Area>): Area {
  return { x, y, width, height }
}

function pointsOf(edge: ElkExtendedEdge | undefined): Point[] {
  return (edge?.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [
    startPoint,
    ...bendPoints,
    endPoint,
  ])
}
