import type { TeamRow } from '../shown.ts'
import { h, type Shown } from './dom.ts'
import {
  model,
  momentsOf,
  present,
  shownMoment,
  shownRange,
  standingAt,
  toneOf,
  wholeRange,
} from './model.ts'
import { select, showMoment, update } from './store.ts'
import { filteredTeams } from './team-list.ts'
import { clock, lasting } from './words.ts'

const spans: readonly (readonly [string, number | undefined])[] = [
  ['10 min', 600_000],
  ['1 h', 3_600_000],
  ['6 h', 21_600_000],
  ['1 d', 86_400_000],
  ['7 d', 604_800_000],
]

const rulerHeight = 20
const tallestTrack = 18
const shortestTrack = 4
/** Width of the teams' names, where tracks are tall enough for them. */
const nameWidth = 116

/** The time of all teams, and the moment in it that is shown. */
export function timelinePanel(): Shown {
  const { from, to } = shownRange()
  const isLive = model.moment === undefined
  return h(
    'footer',
    { class: `timeline${isLive ? '' : ' past'}`, 'aria-label': 'Timeline' },
    h(
      'div',
      { class: 'bar' },
      h(
        'button',
        {
          type: 'button',
          id: 'live',
          class: isLive ? `live${model.isConnected ? '' : ' lost'}` : '',
          title: 'Back to now (l)',
          onclick: () => showMoment(undefined),
        },
        isLive ? (model.isConnected ? 'Live' : 'Not live') : 'Back to live',
      ),
      h(
        'span',
        { class: 'moment', id: 'moment' },
        isLive ? clock(present()) : `${clock(shownMoment())} · ${lasting(present() - shownMoment())} ago`,
      ),
      h(
        'button',
        {
          type: 'button',
          title: 'The event before ([)',
          'aria-label': 'The event before',
          onclick: () => stepBy(-1),
        },
        '◂',
      ),
      h(
        'button',
        {
          type: 'button',
          title: 'The event after (])',
          'aria-label': 'The event after',
          onclick: () => stepBy(1),
        },
        '▸',
      ),
      h('input', {
        type: 'range',
        id: 'scrub',
        'aria-label': 'Moment',
        'aria-valuetext': clock(shownMoment()),
        min: '0',
        max: '10000',
        step: '1',
        value: String(Math.round(((shownMoment() - from) / (to - from)) * 10_000)),
        oninput: (event: { target: HTMLInputElement }) => {
          const share = Number(event.target.value) / 10_000
          showMoment(share >= 1 ? undefined : from + share * (to - from))
        },
      }),
      h(
        'span',
        { class: 'spans', role: 'group', 'aria-label': 'Span' },
        spans.map(([name, length]) =>
          h('button', { type: 'button', onclick: () => showSpan(length ?? 0) }, name),
        ),
        h('button', { type: 'button', onclick: () => update(() => (model.range = wholeRange())) }, 'All'),
        h(
          'button',
          {
            type: 'button',
            title: 'The last day, as it grows (f)',
            'aria-pressed': String(model.range === undefined),
            onclick: fit,
          },
          'Fit',
        ),
      ),
    ),
    h(
      'div',
      { class: 'tracks', id: 'tracks' },
      h('canvas', {
        id: 'canvas',
        onpointerdown: press,
        onpointermove: hover,
        onpointerleave: unhover,
        onwheel: zoom,
      }),
    ),
    h('div', { id: 'hover', role: 'presentation' }),
  )
}

export function fit(): void {
  update(() => {
    model.range = undefined
  })
}

function showSpan(length: number): void {
  const middle = model.moment
  const to = middle === undefined ? present() : Math.min(present(), middle + length / 2)
  update(() => {
    model.range = { from: to - length, to }
  })
}

/** To the moment before or after at which anything happened to the team that is selected, or to any. */
export function stepBy(direction: 1 | -1): void {
  const row = model.rows.get(model.selected ?? '')
  const moments =
    row === undefined ? [...model.rows.values()].flatMap(momentsOf).toSorted((a, b) => a - b) : momentsOf(row)
  const here = shownMoment()
  const next = direction < 0 ? moments.findLast((at) => at < here) : moments.find((at) => at > here)
  if (next !== undefined) showMoment(next)
  else if (direction > 0) showMoment(undefined)
}

interface Geometry {
  readonly width: number
  readonly height: number
  readonly track: number
  readonly left: number
  readonly rows: readonly TeamRow[]
}

function geometry(): Geometry | undefined {
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
      const tone = toneOf(row.spine, segment.state, segment.stance)
      const isOver = segment.stance === 'finished'
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

/** The moment and the team at a place of the canvas. */
function placeOf(event: PointerEvent | WheelEvent): { moment: number; row: TeamRow | undefined } | undefined {
  const place = geometry()
  if (place === undefined) return undefined
  const { from, to } = shownRange()
  const box = (event.currentTarget as Element).getBoundingClientRect()
  const share = (event.clientX - box.left - place.left) / (place.width - place.left)
  const row = place.rows[Math.floor((event.clientY - box.top - rulerHeight) / place.track)]
  return { moment: from + Math.min(1, Math.max(0, share)) * (to - from), row }
}

function press(event: PointerEvent): void {
  if (event.button !== 0) return
  const found = placeOf(event)
  if (found === undefined) return
  const canvas = event.currentTarget as HTMLCanvasElement
  canvas.setPointerCapture(event.pointerId)
  if (found.row !== undefined) select(found.row.team)
  showMoment(found.moment)
}

function hover(event: PointerEvent): void {
  const found = placeOf(event)
  const hint = document.querySelector<HTMLElement>('#hover')
  if (found === undefined || hint === null) return
  if ((event.buttons & 1) === 1) showMoment(found.moment)
  const standing = found.row === undefined ? undefined : standingAt(found.row, found.moment)
  hint.textContent = [
    clock(found.moment),
    ...(found.row === undefined ? [] : [found.row.team]),
    ...(standing === undefined ? [] : [standing.state ?? '']),
  ].join('  ')
  hint.className = 'shown'
  const right = innerWidth - hint.offsetWidth - 8
  hint.style.setProperty('left', `${Math.min(right, event.clientX + 12)}px`)
  const tracks = document.querySelector('#tracks')?.getBoundingClientRect()
  hint.style.setProperty('top', `${Math.max((tracks?.top ?? 0) - 26, event.clientY - 34)}px`)
}

function unhover(): void {
  document.querySelector('#hover')?.removeAttribute('class')
}

/** The wheel zooms around the pointer; sideways it moves. */
function zoom(event: WheelEvent): void {
  if (!event.ctrlKey && !event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) {
    const tracks = document.querySelector('#tracks')
    // many teams are scrolled through
    if (tracks !== null && tracks.scrollHeight > tracks.clientHeight + 1) return
  }
  const found = placeOf(event)
  if (found === undefined) return
  event.preventDefault()
  const { from, to } = shownRange()
  const length = to - from
  const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
  const next = isSideways
    ? { from: from + (event.deltaX / 800) * length, to: to + (event.deltaX / 800) * length }
    : zoomed(from, to, found.moment, Math.exp(event.deltaY / 400))
  if (next.to - next.from < 1000) return
  update(() => {
    model.range = next.to > present() ? { from: next.from - (next.to - present()), to: present() } : next
  })
}

function zoomed(from: number, to: number, around: number, factor: number): { from: number; to: number } {
  return { from: around - (around - from) * factor, to: around + (to - around) * factor }
}
