import { guardLabel, type Chart } from './chart.ts'
import { fonts, type Content, type Line } from './contents.ts'
import { dotSize, type Area, type Drawing, type Edge, type StateBox } from './drawing.ts'
import type { LayoutPlaces } from './kept-layouts.ts'
import { layOut } from './lay-out.ts'
import { edgeKey, visitsInWords, visitsOf, type Path, type Visits } from './mission-path.ts'
import { at, lineElements } from './svg-line.ts'
import { pathStyleElement, sortOf, styleElement } from './svg-style.ts'
import { textWidth } from './text-size.ts'
import { escaped } from './xml.ts'

export interface SvgOptions {
  /** Name or id of the state to highlight. */
  readonly current?: string | undefined
  /** The way to mark: each state with its turns and the time spent there, each edge that was taken. */
  readonly path?: Path | undefined
  /** For a page that marks states and edges itself: they bear `data-state` and `data-edge`, and no style is given. */
  readonly isPart?: boolean
  /** Where its layout may have been kept; where the shipped ones are, unless told otherwise. */
  readonly layouts?: LayoutPlaces | undefined
}

/** What each element is drawn with. */
interface Marks extends SvgOptions {
  readonly visits: ReadonlyMap<string, Visits>
}

/** Draws a chart as one SVG file for light and dark pages; the same chart gives the same bytes. */
export async function toSvg(chart: Chart, options: SvgOptions = {}): Promise<string> {
  return svgOf(chart, await layOut(chart, options.layouts), options)
}

function svgOf(chart: Chart, drawing: Drawing, options: SvgOptions): string {
  const { boxes, starts, edges, ...size } = drawing
  const isPart = options.isPart === true
  const { x, y, width, height } = isPart ? innerArea(drawing) : { x: 0, y: 0, ...size }
  const marks = { ...options, visits: visitsOf(options.path?.stays ?? []) }
  const name = escaped(chart.root.name)
  const leaves = boxes.filter(({ state }) => state.states.length === 0 && state.kind !== 'history')
  const about = `Statechart of ${name}: ${leaves.map(({ state }) => escaped(state.name)).join(', ')}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}" role="img" ${isPart ? `aria-label="${about}"` : 'aria-labelledby="t d"'}>`,
    // a page may hold several, where an id is nobody's own and a title a tooltip over everything
    ...(isPart ? [] : [`<title id="t">${name}</title>`, `<desc id="d">${about}</desc>`, styleElement]),
    ...(options.path === undefined ? [] : [pathStyleElement]),
    // the root is the page's own panel then
    ...boxes.slice(isPart ? 1 : 0).flatMap((box) => boxElements(box, marks)),
    ...starts.flatMap(({ dot, points }) => [
      lineElements(points, true),
      `<circle class="dot" cx="${dot.x}" cy="${dot.y}" r="${dotSize / 2}"/>`,
    ]),
    // labels stand on lines, the main path on all others
    ...edges.filter(({ main }) => !main).map((edge) => edgeLine(edge, marks)),
    ...edges.filter(({ main }) => main).map((edge) => edgeLine(edge, marks)),
    ...edges.flatMap((edge) => labelElements(edge, marks)),
    '</svg>',
    '',
  ].join('\n')
}

/** What a drawing covers without its root and the root's beginning. */
function innerArea({ boxes, starts, edges }: Drawing): Area {
  const points = [
    ...[...boxes.slice(1), ...edges.map(({ label }) => label)].flatMap((area) => [
      area,
      { x: area.x + area.width, y: area.y + area.height },
    ]),
    ...edges.flatMap((edge) => edge.points),
    ...starts.map(({ dot }) => dot),
  ]
  const [left, top] = [Math.min(...points.map(({ x }) => x)), Math.min(...points.map(({ y }) => y))]
  const [right, bottom] = [Math.max(...points.map(({ x }) => x)), Math.max(...points.map(({ y }) => y))]
  const room = 8
  return { x: left - room, y: top - room, width: right - left + 2 * room, height: bottom - top + 2 * room }
}

function edgeLine(edge: Edge, { path, isPart }: Marks): string {
  const key = edgeKey(edge)
  const line = lineElements(edge.points, edge.main, path?.taken.has(key) === true ? ' taken' : '')
  return isPart === true ? `<g data-edge="${escaped(key)}">${line}</g>` : line
}

function boxElements(box: StateBox, marks: Marks): string[] {
  const { state, content, x, y, width, height } = box
  const { current, visits, isPart } = marks
  const tooltip = `<title>${escaped(state.id)}</title>`
  if (state.kind === 'history') {
    const [cx, cy] = [x + width / 2, y + height / 2]
    return [
      `<g>${tooltip}<circle class="leaf" cx="${cx}" cy="${cy}" r="${width / 2}"/>`,
      `<text class="name" x="${cx}" y="${cy + 5}" text-anchor="middle">${state.deep ? 'H*' : 'H'}</text></g>`,
    ]
  }
  const isRoot = x === 0 && y === 0
  if (isRoot)
    return [`<rect class="canvas" ${at(inset(box, 0.6))} rx="16"/>`, ...textElements(content, box, 24)]
  const isCurrent = current === state.name || current === state.id
  const visited = state.states.length === 0 ? visits.get(state.name) : undefined
  const parts =
    state.states.length > 0
      ? frameParts(box)
      : [
          `<rect class="leaf${visited === undefined ? '' : ' visited'}${isCurrent ? ' current' : ''}" ${at(box)} rx="10"/>`,
          ...(state.kind === 'final' ? [`<rect class="ring" ${at(inset(box, 4))} rx="7"/>`] : []),
          ...textElements(content, { ...box, y: y + (height - content.height) / 2 }, 16),
        ]
  const stay = visited === undefined || isPart === true ? [] : stayElements(box, visited)
  const attributes =
    isPart === true ? ` data-state="${escaped(state.id)}" data-name="${escaped(state.name)}"` : ''
  const marked = isCurrent && stay.length > 0 ? ' class="current"' : ''
  return [`<g${attributes}${marked}>${tooltip}`, ...parts, ...stay, '</g>']
}

/** On the upper edge of a state: in whose turns it was entered, and how long it was all in all. */
function stayElements({ x, y, width }: StateBox, visits: Visits): string[] {
  const text = visitsInWords(visits)
  const wide = textWidth(text, { size: 11, bold: true }) + 16
  const area = { x: x + width - wide - 12, y: y - 10, width: wide, height: 20 }
  return [
    `<rect class="stay" ${at(area)} rx="10"/>`,
    `<text class="time" x="${area.x + wide / 2}" y="${y + 4}" text-anchor="middle">${escaped(text)}</text>`,
  ]
}

function frameParts(box: StateBox): string[] {
  const { content, x, y, width } = box
  const bottom = y + content.height
  const heading = `M${x + 0.6} ${bottom}V${y + 14}Q${x + 0.6} ${y + 0.6} ${x + 14} ${y + 0.6}H${x + width - 14}Q${x + width - 0.6} ${y + 0.6} ${x + width - 0.6} ${y + 14}V${bottom}Z`
  return [
    `<rect class="frame" ${at(box)} rx="14"/>`,
    `<path class="heading" d="${heading}"/>`,
    ...textElements(content, box, 18),
  ]
}

function labelElements(edge: Edge, { isPart }: Marks): string[] {
  const { label, transitions } = edge
  const sort = sortOf(transitions[0]?.event ?? '')
  const told = transitions.map((each) => [
    each.event,
    guardLabel(each),
    ...each.actions.map((name) => `/ ${name}`),
  ])
  return [
    `<g${isPart === true ? ` data-label="${escaped(edgeKey(edge))}"` : ''}><title>${escaped(told.map((parts) => parts.filter((part) => part !== '').join(' ')).join('\n'))}</title>`,
    `<rect class="label ${sort}" ${at(label)} rx="10"/>`,
    ...textElements(label.content, label),
    '</g>',
  ]
}

/** Lines of text from a left side, or centred where none is given. */
function textElements({ lines }: Content, box: Area, side?: number): string[] {
  const x = side === undefined ? box.x + box.width / 2 : box.x + side
  const anchor = side === undefined ? ' text-anchor="middle"' : ''
  return lines.map((line) => {
    const y = Math.round(box.y + line.top + fonts[line.font].size + 1)
    return `<text class="${classOf(line)}" x="${x}" y="${y}"${anchor}>${escaped(line.text)}</text>`
  })
}

function classOf({ font, text }: Line): string {
  return font === 'event' ? `event ${sortOf(text.replace('↻ ', ''))}` : font
}

function inset({ x, y, width, height }: Area, by: number): Area {
  return { x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by }
}
