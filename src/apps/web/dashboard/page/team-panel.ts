import type { TeamRow } from './past.ts'
import { chartPanel } from './chart-panel.ts'
import { h, type Shown } from './dom.ts'
import { model, type Detail } from './page-model.ts'
import { shownMoment, standingAt } from './moment.ts'
import { logPanel } from './side-panels.ts'
import { acceptsPanel, statesPanel } from './states-panel.ts'
import { tabsPanel } from './tabs-panel.ts'
import { health, teamHead } from './team-head.ts'

/** Everything about one team at the moment that is shown. */
export function teamPanel(row: TeamRow, detail: Detail): Shown {
  const standing = standingAt(row, shownMoment())
  return h(
    'main',
    { class: 'team', key: row.team, 'aria-label': `Team ${row.team}` },
    teamHead(row, detail, standing),
    model.moment === undefined ? health(row) : null,
    h(
      'div',
      { class: `columns${detail.isLarge ? ' large' : ''}`, key: 'columns' },
      h(
        'div',
        { class: 'left' },
        chartPanel(row, standing),
        standing === undefined ? null : statesPanel(row, standing),
        model.moment === undefined ? acceptsPanel(detail) : null,
      ),
      h('div', { class: 'right' }, tabsPanel(row, detail), logPanel(detail)),
    ),
  )
}
