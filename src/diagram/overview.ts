import type { Area, Point } from './drawing.ts'
import { at, lineElements } from './svg-line.ts'
import { sortOf, styleElement } from './svg-style.ts'
import { textWidth } from './text-size.ts'
import { escaped } from './xml.ts'

const [width, height] = [1000, 452]
const team: Area = { x: 404, y: 64, width: 568, height: 360 }
const meta: Area = { x: 28, y: 64, width: 168, height: 206 }
const metaInbox: Area = { x: 48, y: 116, width: 128, height: 56 }
const metaOutbox: Area = { x: 48, y: 190, width: 128, height: 56 }
const outbox: Area = { x: 428, y: 116, width: 140, height: 56 }
const inbox: Area = { x: 428, y: 190, width: 140, height: 56 }
const machine: Area = { x: 612, y: 116, width: 336, height: 130 }
const agent: Area = { x: 428, y: 336, width: 268, height: 64 }
const document: Area = { x: 752, y: 336, width: 196, height: 64 }
const states = ['preparing', 'scanning', 'distilling', 'aggregating', 'complete']

/** The idea in one picture: signals are files, a machine decides, evidence becomes a document. */
export function overviewSvg(): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d">`,
    '<title id="t">How fed works</title>',
    '<desc id="d">A directive travels as a signal file from meta to the inbox of a team. The machine of the team decides what it may do next, an agent session does the work and reports to the same inbox, and a checked document comes out.</desc>',
    styleElement,
    `<rect class="canvas" ${at({ x: 0.6, y: 0.6, width: width - 1.2, height: height - 1.2 })} rx="16"/>`,
    text('title', { x: 28, y: 38 }, 'Signals are files, a machine decides, evidence counts'),
    ...frame(meta, 'meta', 'the lead'),
    ...frame(team, 'team docs', 'its own workspace'),
    ...box(metaInbox, 'inbox', 'what happened'),
    ...box(metaOutbox, 'outbox', 'what was asked'),
    ...box(outbox, 'outbox', 'what it told'),
    ...box(inbox, 'inbox', 'one file a signal'),
    ...box(machine, 'machine', 'what may happen next'),
    ...box(agent, 'agent session', 'reads the codebase, logs findings'),
    ...box(document, 'deliverable.md', 'the result, checked'),
    ...chain(),
    ...arrow(
      [rightOf(metaOutbox, 218), leftOf(inbox, 218)],
      true,
      { x: 300, y: 218 },
      'directive-mission.json',
    ),
    ...arrow(
      [leftOf(outbox, 144), rightOf(metaInbox, 144)],
      false,
      { x: 300, y: 144 },
      'report-scanning.json',
    ),
    ...arrow([rightOf(inbox, 218), leftOf(machine, 218)], true),
    ...arrow([leftOf(machine, 144), rightOf(outbox, 144)], false),
    ...arrow([below(machine, 654), above(agent, 654)], true, { x: 654, y: 291 }, 'prompt'),
    ...arrow([above(agent, 510), below(inbox, 510)], true, { x: 510, y: 291 }, 'report-files-read'),
    ...arrow([rightOf(agent, 368), leftOf(document, 368)], true),
    ...arrow([above(document, 850), below(machine, 850)], true, { x: 850, y: 291 }, 'evidence'),
    '</svg>',
    '',
  ].join('\n')
}

function frame(area: Area, name: string, note: string): string[] {
  const { x, y } = area
  return [
    `<rect class="frame" ${at(area)} rx="14"/>`,
    text('title', { x: x + 20, y: y + 31 }, name),
    text('description', { x: x + 28 + textWidth(name, { size: 15, bold: true }), y: y + 31 }, note),
  ]
}

function box(area: Area, name: string, note: string): string[] {
  const { x, y } = area
  return [
    `<rect class="leaf" ${at(area)} rx="10"/>`,
    text('name', { x: x + 14, y: y + 25 }, name),
    text('description', { x: x + 14, y: y + 43 }, note),
  ]
}

/** The states of the document's lifecycle as a row of dots. */
function chain(): string[] {
  const y = machine.y + 84
  const step = (machine.width - 84) / (states.length - 1)
  const first = machine.x + 42
  const dots = states.map((state, index) => {
    const x = first + index * step
    const final = index === states.length - 1 ? `<circle class="ring" cx="${x}" cy="${y}" r="10"/>` : ''
    return `${final}<circle class="dot" cx="${x}" cy="${y}" r="6"/>${text('guard', { x, y: y + 28 }, state, true)}`
  })
  const lines = states.slice(1).map((_, index) => {
    const x = first + index * step
    return lineElements(
      [
        { x: x + 6, y },
        { x: x + step - (index === states.length - 2 ? 11 : 8), y },
      ],
      true,
    )
  })
  return [...lines, ...dots]
}

function arrow(points: readonly Point[], main: boolean, middle?: Point, label = ''): string[] {
  const line = lineElements(points, main)
  if (middle === undefined) return [line]
  const sort = sortOf(label.replace('-', '.'))
  const labelWidth = textWidth(label, { size: 12, mono: true }) + 20
  const area = { x: middle.x - labelWidth / 2, y: middle.y - 14, width: labelWidth, height: 28 }
  return [
    line,
    `<rect class="label ${sort}" ${at(area)} rx="10"/>`,
    text(`event ${sort}`, { x: middle.x, y: middle.y + 4 }, label, true),
  ]
}

function text(style: string, { x, y }: Point, content: string, centred = false): string {
  const anchor = centred ? ' text-anchor="middle"' : ''
  return `<text class="${style}" x="${x}" y="${y}"${anchor}>${escaped(content)}</text>`
}

const leftOf = ({ x }: Area, y: number): Point => ({ x, y })
const rightOf = ({ x, width: wide }: Area, y: number): Point => ({ x: x + wide, y })
const above = ({ y }: Area, x: number): Point => ({ x, y })
const below = ({ y, height: high }: Area, x: number): Point => ({ x, y: y + high })
