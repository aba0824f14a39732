import { model, type Detail, type TeamRow } from './page-model.ts'
import { chartPanel } from './chart-panel.tsx'
import type { VNode } from 'preact'
import { shownMoment, standingAt } from './moment.ts'
import { logPanel } from './side-panels.tsx'
import { acceptsPanel, statesPanel } from './states-panel.tsx'
import { tabsPanel } from './tabs-panel.tsx'
import { health, teamHead } from './team-head.tsx'

/** Everything about one team at the moment that is shown. */
export function teamPanel(row: TeamRow, detail: Detail): VNode {
  const standing = standingAt(row, shownMoment())
  return (
    <main class="team" key={row.team} aria-label={`Team ${row.team}`}>
      {teamHead(row, detail, standing)}
      {model.moment === undefined && health(row)}
      <div class={`columns${detail.isLarge ? ' large' : ''}`} key="columns">
        <div class="left">
          {chartPanel(row, standing)}
          {standing !== undefined && statesPanel(row, standing)}
          {model.moment === undefined && acceptsPanel(detail)}
        </div>
        <div class="right">
          {tabsPanel(row, detail)}
          {logPanel(detail)}
        </div>
      </div>
    </main>
  )
}
