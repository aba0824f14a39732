import type { TeamRow } from './past.ts'
import { model, toneOf } from './page-model.ts'
import { present, shownMoment, shownRange } from './moment.ts'
import { filteredTeams } from './team-list.ts'
import { clock } from './figures-in-words.ts'

export const rulerHeight = 20
const tallestTrack = 18
const shortestTrack = 4
/** Width of the teams' names, where tracks are tall enough for them. */
const nameWidth = 116

/** Where the tracks of the teams are drawn, in pixels. */
export interface Geometry {
  readonly width: number
  readonly height: number
  readonly track: number
  readonly left: number
  readonly rows: readonly TeamRow[]
}

export function geometry(): Geometry | undefined {
  const tracks = document.querySelector<HTMLElement>('#tracks')
  if (tracks === null || tracks.clientWidth === 0) return undefined
  const rows = filteredTeams()
  const room = tracks.clientHeight - rulerHeight
  const track = Math.max(shortestTrack, Math.min(tallestTrack, Math.floor(room / Math.max(1, rows.length))))
  const left = track >= 11 && tracks.clientWidth > 600 ? nameWidth : 0
  const height = Math.max(tracks.clientHeight, rulerHeight + track * rows.length)
  return { width: tracks.clientWidth, height, track, left, rows }
}

let colours: Record<string, string> = {}

/** Colours are the style sheet's, and others by night. */
export function readColours(): void {
  const probe = document.createElement('i')
  document.body.append(probe)
  const names = [
    'early',
    'second',
    'third',
    'late',
    'done',
    'failed',
    'paused',
    'aside',
    'none',
    'text',
    'muted',
    'line',
    'accent',
    'bad',
    'canvas',
    'selected',
  ]
  colours = Object.fromEntries(
    names.map((name) => {
      probe.style.setProperty('color', `var(--${name})`)
      return [name, getComputedStyle(probe).color]
    }),
  )
  probe.remove()
}

/** Draws the tracks of all teams: a bar for each time in a state, a mark for each refusal. */
export function drawTimeline(): void {
  const canvas = document.querySelector<HTMLCanvasElement>('#canvas')
  const place = geometry()
  const pen = canvas?.getContext('2d')
  if (canvas === null || place === undefined || pen === null || pen === undefined) return
  const { width, height, track, left, rows } = place
  const scale = devicePixelRatio
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    canvas.style.setProperty('width', `${width}px`)
    canvas.style.setProperty('height', `${height}px`)
  }
  pen.setTransform(scale, 0, 0, scale, 0, 0)
  pen.clearRect(0, 0, width, height)
  const { from, to } = shownRange()
  const xOf = (at: number) => left + ((at - from) / (to - from)) * (width - left)
  drawRuler(pen, place, from, to, xOf)
  const bar = track >= 11 ? track - 7 : track - 1
  for (const [index, row] of rows.entries()) {
    const y = rulerHeight + index * track
    if (row.team === model.selected) {
      pen.fillStyle = colours.selected ?? ''
      pen.fillRect(0, y, width, track)
    }
    for (const [at, segment] of row.segments.entries()) {
      const next = row.segments[at + 1]
      const end = next?.at ?? present()
      if (end < from || segment.at > to) continue
      const [x, right] = [Math.max(left, xOf(segment.at)), xOf(Math.min(end, to))]
      const tone = toneOf(row.spine, segment.state, segment.phase)
      const isOver = segment.phase === 'finished'
      pen.fillStyle = colours[tone] ?? ''
      pen.globalAlpha = isOver ? 0.28 : 1
      // a moment is seen, however short it was
      pen.fillRect(x, y + (track - bar) / 2, Math.max(1, right - x - (right - x > 3 ? 1 : 0)), bar)
      pen.globalAlpha = 1
      if (isOver && x >= left) pen.fillRect(x, y + (track - bar) / 2, 3, bar)
    }
    pen.fillStyle = colours.bad ?? ''
    for (const at of row.refusals) if (at >= from && at <= to) pen.fillRect(xOf(at) - 1, y + 1, 2, track - 2)
    if (left > 0) drawName(pen, row, y + track / 2, left)
  }
  drawMoment(pen, xOf, height, to)
}

function drawName(pen: CanvasRenderingContext2D, row: TeamRow, y: number, left: number): void {
  pen.font = `11px ${getComputedStyle(document.body).fontFamily}`
  pen.textBaseline = 'middle'
  pen.textAlign = 'left'
  pen.fillStyle = (row.team === model.selected ? colours.text : colours.muted) ?? ''
  let name = row.team
  while (pen.measureText(name).width > left - 18 && name.length > 3) name = `${name.slice(0, -2)}…`
  pen.fillText(name, 12, y)
}

function drawMoment(
  pen: CanvasRenderingContext2D,
  xOf: (at: number) => number,
  height: number,
  to: number,
): void {
  const x = Math.round(xOf(Math.min(shownMoment(), to)))
  pen.fillStyle = colours.accent ?? ''
  pen.fillRect(x - 1, 0, model.moment === undefined ? 1 : 2, height)
  if (model.moment === undefined) return
  pen.beginPath()
  pen.moveTo(x - 5, 0)
  pen.lineTo(x + 5, 0)
  pen.lineTo(x, 7)
  pen.fill()
}

const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800,
  604_800,
]

function drawRuler(
  pen: CanvasRenderingContext2D,
  { width, height, left }: Geometry,
  from: number,
  to: number,
  xOf: (at: number) => number,
): void {
  const room = (to - from) / Math.max(1, (width - left) / 110)
  const step = (steps.find((seconds) => seconds * 1000 >= room) ?? 2_592_000) * 1000
  const offset = new Date(from).getTimezoneOffset() * 60_000
  pen.font = `10.5px ${getComputedStyle(document.body).fontFamily}`
  pen.textBaseline = 'middle'
  pen.textAlign = 'left'
  for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to; at += step) {
    const x = Math.round(xOf(at))
    pen.fillStyle = colours.line ?? ''
    pen.fillRect(x, rulerHeight - 4, 1, height)
    pen.fillStyle = colours.muted ?? ''
    const text = clock(at)
    pen.fillText(step >= 60_000 ? text.replace(/:\d\d$/, '') : text, x + 4, 9)
  }
}
