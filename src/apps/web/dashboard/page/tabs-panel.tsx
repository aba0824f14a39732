import type { Detail, Tab, TeamRow } from './page-model.ts'
import { update } from './model-changes.ts'
import type { VNode } from 'preact'
import { changesPanel } from './changes-panel.tsx'
import { historyPanel } from './history-panel.tsx'
import { mailPanel, waits } from './mail-panel.tsx'
import { mailShown, shownMoment, standingAt } from './moment.ts'
import { documentPanel, findingsPanel } from './side-panels.tsx'

const names: Record<Tab, string> = {
  history: 'History',
  mailbox: 'Mailbox',
  findings: 'Findings',
  document: 'Document',
  changes: 'Changes',
}

/** The tabs of a team, in their order. */
export function tabsOf({ product }: TeamRow): Tab[] {
  return ['history', 'mailbox', 'findings', ...(product === null ? [] : [product])]
}

/** From tab to tab, as their keys are everywhere. */
function moveAlong(event: KeyboardEvent, tabs: readonly Tab[], detail: Detail): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step === undefined) return
  const next = tabs[(tabs.indexOf(detail.tab ?? 'history') + step + tabs.length) % tabs.length]
  if (next === undefined) return
  event.preventDefault()
  event.stopPropagation()
  update(() => (detail.tab = next))
  document.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
}

/** History, mailbox, findings and what the mission leaves, one of them shown. */
export function tabsPanel(row: TeamRow, detail: Detail): VNode {
  const moment = shownMoment()
  const tabs = tabsOf(row)
  const { tab: shown = 'history' } = detail
  const standing = standingAt(row, moment)
  const waiting = mailShown(detail.team).signals.filter((signal) => waits(signal, moment)).length
  const counts: Record<Tab, number> = {
    history: standing?.refused ?? 0,
    mailbox: waiting,
    findings: detail.learnings.filter(({ at }) => at <= moment).length,
    document: 0,
    changes: detail.changes && 'commits' in detail.changes ? detail.changes.commits.length : 0,
  }
  const panels: Record<Tab, () => VNode> = {
    history: () => historyPanel(detail),
    mailbox: () => mailPanel(detail.team),
    findings: () => findingsPanel(detail),
    document: () => documentPanel(detail),
    changes: () => changesPanel(detail),
  }
  return (
    <section class="panel tabbed">
      <header>
        <div
          role="tablist"
          aria-label="What is shown"
          onKeyDown={(event: KeyboardEvent) => moveAlong(event, tabs, detail)}
        >
          {tabs.map((tab) => (
            <button
              type="button"
              role="tab"
              id={`tab-${tab}`}
              aria-selected={shown === tab}
              aria-controls="shown"
              tabindex={shown === tab ? 0 : -1}
              onClick={() => update(() => (detail.tab = tab))}
            >
              {names[tab]}
              {counts[tab] > 0 && (
                <span
                  class={`count${tab === 'history' ? ' bad' : ''}`}
                  title={tab === 'history' ? 'refused' : ''}
                >
                  {tab === 'history' ? `✗ ${counts[tab]}` : counts[tab]}
                </span>
              )}
            </button>
          ))}
        </div>
        <button
          type="button"
          class="enlarge"
          title="With all the room (e)"
          aria-label="Large"
          aria-pressed={detail.isLarge}
          onClick={() => update(() => (detail.isLarge = !detail.isLarge))}
        >
          ⤢
        </button>
      </header>
      <div
        class="content"
        id="shown"
        role="tabpanel"
        aria-labelledby={`tab-${shown}`}
        key={shown}
        tabindex={0}
      >
        {panels[shown]()}
      </div>
    </section>
  )
}
