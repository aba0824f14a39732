import { model, toneOf, type TeamRow } from './page-model.ts'
import { present, shownMoment, shownRange } from './moment.ts'
import { shownGroups, type Group } from './groups.ts'
import { clock } from './figures-in-words.ts'

const rulerHeight = 20
const tallestTrack = 18
/** Lower ones would have no names. */
const shortestTrack = 13

/** A track of the timeline: a team, or the name of the teams below it. */
type Line = TeamRow | Group

/** Where the tracks of the teams are drawn, in pixels. Only what is seen of them is. */
export interface Geometry {
  readonly width: number
  readonly height: number
  readonly track: number
  /** Width of the names. */
  readonly left: number
  readonly lines: readonly Line[]
  /** How far the tracks are scrolled. */
  readonly top: number
}

export function geometry(): Geometry | undefined {
  const tracks = document.querySelector<HTMLElement>('#tracks')
  if (tracks === null || tracks.clientWidth === 0) return undefined
  const lines = linesShown()
  const { clientWidth: width, clientHeight: height, scrollTop: top } = tracks
  const fitting = Math.floor((height - rulerHeight) / Math.max(1, lines.length))
  const track = Math.max(shortestTrack, Math.min(tallestTrack, fitting))
  return { width, height, track, left: width > 600 ? 132 : 92, lines, top }
}

function linesShown(): Line[] {
  return shownGroups().flatMap((group): Line[] =>
    group.name === '' ? [...group.rows] : [group, ...group.rows],
  )
}

/** The team whose track is at a height of the canvas. */
export function teamAt({ lines, track, top }: Geometry, y: number): TeamRow | undefined {
  const line = y < rulerHeight ? undefined : lines[Math.floor((y - rulerHeight + top) / track)]
  return line !== undefined && 'team' in line ? line : undefined
}

/** Scrolls until a team's track is seen; false where it has none yet. */
export function revealTrack(team: string | undefined): boolean {
  const place = geometry()
  const index = place?.lines.findIndex((line) => 'team' in line && line.team === team) ?? -1
  if (place === undefined || index < 0) return false
  const { track, height } = place
  const [above, below] = [index * track, (index + 1) * track - (height - rulerHeight)]
  const tracks = document.querySelector<HTMLElement>('#tracks')
  if (tracks !== null) tracks.scrollTop = Math.min(above, Math.max(below, tracks.scrollTop))
  return true
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
    'panel',
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
  const { width, height, track, left, lines, top } = place
  const whole = Math.max(height, rulerHeight + track * lines.length)
  canvas.parentElement?.style.setProperty('height', `${whole}px`)
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
  pen.save()
  pen.beginPath()
  pen.rect(0, rulerHeight, width, height - rulerHeight)
  pen.clip()
  const first = Math.floor(top / track)
  const last = Math.ceil((top + height - rulerHeight) / track)
  for (const [index, line] of lines.slice(first, last).entries()) {
    const y = rulerHeight + (first + index) * track - top
    if ('team' in line) drawTrack(pen, line, { place, y, from, to, xOf })
    else drawHeading(pen, line, y + track / 2, width)
  }
  pen.restore()
  drawMoment(pen, xOf, height, to)
}

interface Drawn {
  readonly place: Geometry
  readonly y: number
  readonly from: number
  readonly to: number
  readonly xOf: (at: number) => number
}

function drawTrack(pen: CanvasRenderingContext2D, row: TeamRow, { place, y, from, to, xOf }: Drawn): void {
  const { width, track, left } = place
  const bar = track - 7
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
    // what was never begun takes no time
    const isIdle = next === undefined && !row.started
    pen.fillStyle = colours[isIdle ? 'none' : tone] ?? ''
    pen.globalAlpha = isOver || isIdle ? 0.28 : 1
    // a moment is seen, however short it was
    pen.fillRect(x, y + (track - bar) / 2, Math.max(1, right - x - (right - x > 3 ? 1 : 0)), bar)
    pen.globalAlpha = 1
    if (isOver && x >= left) pen.fillRect(x, y + (track - bar) / 2, 3, bar)
  }
  pen.fillStyle = colours.bad ?? ''
  for (const at of row.refusals) if (at >= from && at <= to) pen.fillRect(xOf(at) - 1, y + 1, 2, track - 2)
  pen.fillStyle = (row.team === model.selected ? colours.text : colours.muted) ?? ''
  drawName(pen, row.team, y + track / 2, left - 18)
}

function drawHeading(
  pen: CanvasRenderingContext2D,
  { name, tone, rows }: Group,
  y: number,
  width: number,
): void {
  pen.fillStyle = colours.line ?? ''
  pen.fillRect(0, Math.round(y), width, 1)
  const text = `${name} · ${rows.length}`
  pen.font = `600 11px ${getComputedStyle(document.body).fontFamily}`
  pen.fillStyle = colours.panel ?? ''
  pen.fillRect(0, y - 7, pen.measureText(text).width + 34, 14)
  pen.fillStyle = colours[tone] ?? ''
  pen.fillRect(12, y - 3, 7, 7)
  pen.fillStyle = colours.text ?? ''
  pen.textBaseline = 'middle'
  pen.textAlign = 'left'
  pen.fillText(text, 25, y)
}

function drawName(pen: CanvasRenderingContext2D, whole: string, y: number, room: number): void {
  pen.font = `11px ${getComputedStyle(document.body).fontFamily}`
  pen.textBaseline = 'middle'
  pen.textAlign = 'left'
  let name = whole
  while (pen.measureText(name).width > room && name.length > 3) name = `${name.slice(0, -2)}…`
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
