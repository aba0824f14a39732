import { model, toneOf, type TeamRow } from './page-model.ts'
import type { VNode } from 'preact'
import { shownMoment, wayOf, type Standing } from './moment.ts'
import { light } from './highlight-path.ts'
import { openDialog } from './server-events.ts'

/** The team's statechart; what is lit is marked afterwards, on the drawing itself. */
export function chartPanel(row: TeamRow, standing: Standing | undefined): VNode {
  const chart = model.charts.get(row.archetype)
  return (
    <section class="panel chart" aria-label="Statechart" key="chart">
      {chart === undefined ? (
        <p class="empty" key="none">
          The chart is being drawn
        </p>
      ) : (
        <button
          type="button"
          class="drawing"
          key={row.archetype}
          dangerouslySetInnerHTML={{ __html: chart.compact }}
          title="Show it whole (c)"
          aria-label={`Statechart${standing?.state ? `, in ${standing.state}` : ''}: show it whole`}
          onClick={() => openDialog({ kind: 'chart', address: row.team })}
          data-way={wayKey(row, standing)}
        />
      )}
    </section>
  )
}

/** Says whether what is marked still holds. */
function wayKey(row: TeamRow, standing: Standing | undefined): string {
  if (standing === undefined) return ''
  const way = wayOf(row, standing.mission, shownMoment())
  return `${row.team} ${standing.mission} ${way.length} ${way.at(-1)?.state} ${way.at(-1)?.at}`
}

/** Lights the present state, the states that were entered and the edges that were taken. */
export function markCharts(row: TeamRow, standing: Standing | undefined): void {
  const chart = model.charts.get(row.archetype)?.chart
  if (chart === undefined) return
  const key = wayKey(row, standing)
  for (const drawing of document.querySelectorAll<HTMLElement>('.drawing')) {
    if (drawing.dataset.marked === key) continue
    drawing.dataset.marked = key
    const way = standing === undefined ? [] : wayOf(row, standing.mission, shownMoment())
    const moves = way.slice(1).map(({ state, event = '' }, index) => ({
      event,
      from: way[index]?.state ?? '',
      to: state,
    }))
    light(drawing, {
      chart,
      moves,
      entered: new Set(way.map(({ state }) => state)),
      here: standing?.state ?? undefined,
      tone: toneOf(row.spine, standing?.state ?? null, standing?.phase ?? null),
    })
  }
}
