import { update } from './model-changes.ts'
import type { VNode } from 'preact'
import { model } from './page-model.ts'
import { momentsOf, present, shownMoment, shownRange, wholeRange } from './moment.ts'
import { showMoment } from './server-events.ts'
import { drawTimeline } from './tracks.ts'
import { hover, press, unhover, zoom } from './tracks-pointer.ts'
import { clock, lasting } from './figures-in-words.ts'

const spans: readonly (readonly [string, number | undefined])[] = [
  ['10 min', 600_000],
  ['1 h', 3_600_000],
  ['6 h', 21_600_000],
  ['1 d', 86_400_000],
  ['7 d', 604_800_000],
]

/** The time of all teams, and the moment in it that is shown. */
export function timelinePanel(): VNode {
  const { from, to } = shownRange()
  const isLive = model.moment === undefined
  return (
    <footer class={`timeline${isLive ? '' : ' past'}`} aria-label="Timeline">
      <div class="bar">
        <button
          type="button"
          id="live"
          class={isLive ? `live${model.isConnected ? '' : ' lost'}` : ''}
          title="Back to now (l)"
          onClick={() => showMoment(undefined)}
        >
          {isLive ? (model.isConnected ? 'Live' : 'Not live') : 'Back to live'}
        </button>
        <span class="moment" id="moment">
          {isLive ? clock(present()) : `${clock(shownMoment())} · ${lasting(present() - shownMoment())} ago`}
        </span>
        <button
          type="button"
          title="The event before ([)"
          aria-label="The event before"
          onClick={() => stepBy(-1)}
        >
          ◂
        </button>
        <button
          type="button"
          title="The event after (])"
          aria-label="The event after"
          onClick={() => stepBy(1)}
        >
          ▸
        </button>
        <input
          type="range"
          id="scrub"
          aria-label="Moment"
          aria-valuetext={clock(shownMoment())}
          min="0"
          max="10000"
          step="1"
          value={String(Math.round(((shownMoment() - from) / (to - from)) * 10_000))}
          onInput={({ currentTarget }) => {
            const share = Number(currentTarget.value) / 10_000
            showMoment(share >= 1 ? undefined : from + share * (to - from))
          }}
        />
        <span class="spans" role="group" aria-label="Span">
          {spans.map(([name, length]) => (
            <button type="button" onClick={() => showSpan(length ?? 0)}>
              {name}
            </button>
          ))}
          <button type="button" onClick={() => update(() => (model.range = wholeRange()))}>
            All
          </button>
          <button
            type="button"
            title="The last day, as it grows (f)"
            aria-pressed={model.range === undefined}
            onClick={fit}
          >
            Fit
          </button>
        </span>
      </div>
      <div class="tracks" id="tracks" onScroll={drawTimeline}>
        <div>
          <canvas
            id="canvas"
            onPointerDown={press}
            onPointerMove={hover}
            onPointerLeave={unhover}
            onWheel={zoom}
          />
        </div>
      </div>
      <div id="hover" role="presentation" />
    </footer>
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
