import type { ElkNode } from 'elkjs/lib/elk.bundled.js'
import { lineElements, at } from '../../../diagram/svg-line.ts'
import { textWidth, wrap } from '../../../diagram/text-size.ts'
import { escaped } from '../../../diagram/xml.ts'
import { layOutGraph } from '../../../diagram/elk.ts'
import { readFlowchart, type FlowGroup, type Flowchart, type FlowNode } from './flowchart-text.ts'

/** A diagram with more boxes or arrows than this takes longer to lay out than anybody waits. */
const mostNodes = 120
const mostEdges = 240

const font = { size: 12.5 }
const small = { size: 11 }
const lineHeight = 16

/** Mermaid's flowchart as SVG in the page's own style; undefined for what is none, or is too large. */
export async function drawFlowchart(source: string): Promise<string | undefined> {
  const chart = readFlowchart(source)
  if (chart === undefined || chart.nodes.length === 0) return undefined
  if (chart.nodes.length > mostNodes || chart.edges.length > mostEdges) return undefined
  try {
    return svgOf(await layOutGraph(graphOf(chart), { from: [] }), chart)
  } catch (error) {
    // the layout engine has its limits, and the source says the same
    if (error instanceof Error) return undefined
    throw error
  }
}

const linesOf = (label: string) => label.split('\n').flatMap((line) => wrap(line, 220, font))

function graphOf({ direction, nodes, groups, edges }: Flowchart): ElkNode {
  const boxOf = ({ id, label }: FlowNode): ElkNode => {
    const lines = linesOf(label)
    return {
      id,
      width: Math.max(56, ...lines.map((line) => textWidth(line, font))) + 24,
      height: lines.length * lineHeight + 18,
    }
  }
  const groupOf = ({ id, label }: FlowGroup): ElkNode => {
    const [width, height] = [textWidth(label, small) + 28, 40]
    const children = childrenOf(id)
    if (children.length === 0) return { id, width, height }
    // ELK lays a downward graph out lying on its side, and turns all but this size back
    const minimum =
      direction === 'DOWN' || direction === 'UP' ? `(${height},${width})` : `(${width},${height})`
    return {
      id,
      layoutOptions: {
        'elk.padding': '[top=34,left=14,bottom=14,right=14]',
        'elk.nodeSize.constraints': 'MINIMUM_SIZE',
        'elk.nodeSize.minimum': minimum,
      },
      children,
    }
  }
  const childrenOf = (outer: string | undefined): ElkNode[] => [
    ...nodes.filter(({ group }) => group === outer).map(boxOf),
    ...groups.filter(({ group }) => group === outer).map(groupOf),
  ]
  return {
    id: '',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': direction,
      'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
      'elk.edgeRouting': 'ORTHOGONAL',
      'elk.json.edgeCoords': 'ROOT',
      'elk.json.shapeCoords': 'ROOT',
      'elk.spacing.nodeNode': '22',
      'elk.layered.spacing.nodeNodeBetweenLayers': '42',
      'elk.padding': '[top=12,left=12,bottom=12,right=12]',
    },
    children: childrenOf(undefined),
    edges: edges.map(({ from, to, label }, index) => ({
      id: `edge ${index}`,
      sources: [from],
      targets: [to],
      labels: label === '' ? [] : [{ text: label, width: textWidth(label, small) + 10, height: lineHeight }],
    })),
  }
}

function svgOf(graph: ElkNode, { nodes, groups, edges }: Flowchart): string {
  const areas = new Map<string, { x: number; y: number; width: number; height: number }>()
  const collect = ({ id, x = 0, y = 0, width = 0, height = 0, children = [] }: ElkNode): void => {
    areas.set(id, { x, y, width, height })
    children.forEach(collect)
  }
  collect(graph)
  const { width = 0, height = 0 } = graph
  const none = { x: 0, y: 0, width: 0, height: 0 }
  const lines = (graph.edges ?? []).map(({ sections = [], labels = [] }, index) => {
    const points = sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [
      startPoint,
      ...bendPoints,
      endPoint,
    ])
    const words = labels.map(
      (label) =>
        `<text class="note" x="${(label.x ?? 0) + (label.width ?? 0) / 2}" y="${(label.y ?? 0) + 12}" text-anchor="middle">${escaped(label.text ?? '')}</text>`,
    )
    return `${lineElements(points, edges[index]?.isThick === true)}${words.join('')}`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${Math.ceil(height)}" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" role="img" aria-label="flowchart">`,
    ...groups.map(({ id, label }) => {
      const area = areas.get(id) ?? none
      return `<rect class="frame" ${at(area)} rx="10"/><text class="group" x="${area.x + 14}" y="${area.y + 21}">${escaped(label)}</text>`
    }),
    ...lines,
    ...nodes.map(({ id, label, shape }) => {
      const area = areas.get(id) ?? none
      const texts = linesOf(label)
      const top = area.y + (area.height - texts.length * lineHeight) / 2
      const radius = shape === 'round' ? area.height / 2 : shape === 'choice' ? 2 : 7
      return [
        `<rect class="leaf${shape === 'choice' ? ' choice' : ''}" ${at(area)} rx="${radius}"/>`,
        ...texts.map(
          (line, index) =>
            `<text class="word" x="${area.x + area.width / 2}" y="${top + index * lineHeight + 12.5}" text-anchor="middle">${escaped(line)}</text>`,
        ),
      ].join('')
    }),
    '</svg>',
  ].join('\n')
}
