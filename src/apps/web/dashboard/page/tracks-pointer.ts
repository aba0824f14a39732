import { model, type TeamRow } from './page-model.ts'
import { update } from './model-changes.ts'
import { present, shownRange, standingAt } from './moment.ts'
import { select, showMoment } from './server-events.ts'
import { geometry, teamAt } from './tracks.ts'
import { clock } from './figures-in-words.ts'

/** The moment and the team at a place of the canvas. */
function placeOf(event: PointerEvent | WheelEvent): { moment: number; row: TeamRow | undefined } | undefined {
  const place = geometry()
  if (place === undefined) return undefined
  const { from, to } = shownRange()
  const box = (event.currentTarget as Element).getBoundingClientRect()
  const share = (event.clientX - box.left - place.left) / (place.width - place.left)
  const row = teamAt(place, event.clientY - box.top)
  return { moment: from + Math.min(1, Math.max(0, share)) * (to - from), row }
}

/** Shows the moment that is pressed, of the team whose track it is. */
export function press(event: PointerEvent): void {
  if (event.button !== 0) return
  const found = placeOf(event)
  if (found === undefined) return
  const canvas = event.currentTarget as HTMLCanvasElement
  canvas.setPointerCapture(event.pointerId)
  if (found.row !== undefined) select(found.row.team)
  showMoment(found.moment)
}

export function hover(event: PointerEvent): void {
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

export function unhover(): void {
  document.querySelector('#hover')?.removeAttribute('class')
}

/** The wheel zooms around the pointer; sideways it moves. */
export function zoom(event: WheelEvent): void {
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
