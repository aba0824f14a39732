import { staysOf, takenEdges, visitsOf } from '../../diagram/path.ts'
import type { TeamRow } from '../shown.ts'
import { h, type Shown } from './dom.ts'
import { model, shownMoment, toneOf, wayOf, type Standing } from './model.ts'
import { openDialog } from './store.ts'
import { exact } from './words.ts'

/** The team's statechart; what is lit is marked afterwards, on the drawing itself. */
export function chartPanel(row: TeamRow, standing: Standing | undefined): Shown {
  const chart = model.charts.get(row.archetype)
  return h(
    'section',
    { class: 'panel chart', 'aria-label': 'Statechart', key: 'chart' },
    chart === undefined
      ? h('p', { class: 'empty', key: 'none' }, 'The chart is being drawn')
      : h('div', {
          class: 'drawing',
          key: row.archetype,
          html: chart.compact,
          title: 'Show it whole (c)',
          onclick: () => openDialog({ kind: 'chart', address: row.team }),
          'data-way': wayKey(row, standing),
        }),
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
    drawing.dataset.tone = toneOf(row.spine, standing?.state ?? null, standing?.stance ?? null)
    const way = standing === undefined ? [] : wayOf(row, standing.mission, shownMoment())
    const moves = way.slice(1).map(({ at, state, event = '' }, index) => ({
      at: exact(at),
      event,
      from: way[index]?.state ?? '',
      to: state,
    }))
    const [first] = way
    const visits =
      first === undefined
        ? new Map()
        : visitsOf(staysOf(moves, { state: first.state, begun: first.at, until: first.at }))
    const taken = takenEdges(chart, moves)
    const lastEdge = moves.length === 0 ? '' : ([...takenEdges(chart, moves.slice(-1))][0] ?? '')
    const here = standing?.state
    for (const state of drawing.querySelectorAll<SVGGElement>('[data-state]')) {
      const name = state.dataset.name ?? ''
      const isLeaf = state.querySelector('.leaf') !== null
      state.classList.toggle('current', isLeaf && name === here)
      state.classList.toggle('visited', isLeaf && visits.has(name))
    }
    for (const edge of drawing.querySelectorAll<SVGGElement>('[data-edge],[data-label]')) {
      const name = edge.dataset.edge ?? edge.dataset.label ?? ''
      edge.classList.toggle('taken', taken.has(name))
      edge.classList.toggle('last', name === lastEdge)
    }
  }
}
