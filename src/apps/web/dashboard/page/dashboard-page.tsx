// The live page of a federation. What it shows is one model (`page-model.ts`), drawn anew whenever anything changes
// (Preact changes only what is another than before); what happened at which moment is asked of the model's history.
import { counted } from '../../../../errors/printable.ts'
import { onModelChange, onceAFrame, update } from './model-changes.ts'
import { markCharts } from './chart-panel.tsx'
import { dialogPanel, noticePanel } from './dialogs.tsx'
import { drawDiagrams } from './diagrams.ts'
import { render, type VNode } from 'preact'
import { metaPanel } from './meta-panel.tsx'
import { META, model } from './page-model.ts'
import { tabsOf } from './tabs-panel.tsx'
import { shownMoment, standingAt } from './moment.ts'
import { hearAll, openDialog, select, showMoment } from './server-events.ts'
import { shownTeams } from './groups.ts'
import { teamList } from './team-list.tsx'
import { welcomePanel } from './welcome-panel.tsx'
import { teamPanel } from './team-panel.tsx'
import { isDark } from './theme.ts'
import { fit, stepBy, timelinePanel } from './timeline.tsx'
import { drawTimeline, readColours, revealTrack } from './tracks.ts'

const root = document.querySelector('#page') as HTMLElement

function page(): VNode {
  const row = model.rows.get(model.selected ?? '')
  const { detail, dialog } = model
  return (
    <>
      {topBar()}
      {teamList()}
      {isEmpty() ? (
        welcomePanel()
      ) : model.selected === META ? (
        metaPanel()
      ) : row !== undefined && detail !== undefined ? (
        teamPanel(row, detail)
      ) : (
        <main class="team" key="none">
          <p class="empty">{model.isConnected ? '' : 'Waiting for the dashboard'}</p>
        </main>
      )}
      {/* where nothing ever happened there is no time to go back to */}
      {!isEmpty() && timelinePanel()}
      {/* what is said while a dialog is open is said in it */}
      <div class="notices" role="status" key="notices">
        {dialog === undefined && noticePanel()}
      </div>
      {dialog !== undefined && dialogPanel(dialog)}
    </>
  )
}

/** Whether there is neither a team nor mail. */
function isEmpty(): boolean {
  return model.isConnected && model.order.length === 0 && model.meta.signals.length === 0
}

function topBar(): VNode {
  const rows = [...model.rows.values()]
  const running = rows.filter(({ working }) => working).length
  const sick = rows.filter(({ findings }) => findings.length > 0).length
  const idle = rows.filter(({ started, findings }) => !started && findings.length === 0).length
  const { federation, isConnected } = model
  return (
    <header class="top">
      <span class="brand">fed</span>
      <span
        class="federation"
        title={
          federation === undefined
            ? ''
            : [federation.root, federation.description].filter((text) => text !== '').join('\n')
        }
      >
        {federation?.name ?? ''}
      </span>
      <span class="figures">
        {rows.length > 0 && counted(rows.length, 'team')}
        {running > 0 && <span class="running">{counted(running, 'agent')} running</span>}
        {sick > 0 && <span class="bad">{sick} unhealthy</span>}
        {idle > 0 && <span>{idle} not started</span>}
        {sick === 0 && rows.length > idle && (
          <span class="good">{idle === 0 ? 'all healthy' : `${rows.length - idle} healthy`}</span>
        )}
      </span>
      <span class={`connection${isConnected ? ' live' : ' lost'}`} id="connection" role="status">
        {isConnected ? 'connected' : 'reconnecting…'}
      </span>
      <button type="button" title="Dark or light (d)" aria-label="Dark or light" onClick={switchTheme}>
        ◐
      </button>
      <button
        type="button"
        title="Keys (?)"
        aria-label="Keys"
        onClick={() => openDialog({ kind: 'help', address: '' })}
      >
        ?
      </button>
    </header>
  )
}

const drawSoon = onceAFrame(draw)

let logAtEnd = true
let revealed: string | undefined
/** Whether somebody chose what is selected, and not the page itself. */
let isChosen = location.hash !== ''

function draw(): void {
  const before = document.querySelector('#log')
  if (before !== null) logAtEnd = before.scrollHeight - before.scrollTop - before.clientHeight < 30
  document.documentElement.classList.toggle('listed', model.isListShown && !isEmpty())
  document.documentElement.classList.toggle('past', model.moment !== undefined)
  render(page(), root)
  const row = model.rows.get(model.selected ?? '')
  if (row !== undefined) markCharts(row, standingAt(row, shownMoment()))
  const dialog = document.querySelector('dialog')
  if (dialog !== null && !dialog.open) dialog.showModal()
  const log = document.querySelector('#log')
  if (log !== null && (logAtEnd || log !== before)) log.scrollTop = log.scrollHeight
  drawTimeline()
  reveal()
  drawDiagrams()
  document.title = titleOf()
  keepPlace()
}

/** A team that is newly selected is seen among the others. */
function reveal(): void {
  if (!isChosen) revealed = model.selected
  isChosen ||= model.selected !== undefined
  if (revealed === model.selected || !revealTrack(model.selected)) return
  revealed = model.selected
  document.querySelector('.row[aria-current]')?.scrollIntoView({ block: 'nearest' })
}

/** Also in a tab that nobody looks at: what waits for an answer. */
function titleOf(): string {
  const waiting = model.meta.signals.filter(
    ({ acknowledged, type }) => acknowledged === null && type !== 'report',
  ).length
  return `${waiting > 0 ? `(${waiting}) ` : ''}${model.federation?.name ?? 'fed'} · fed`
}

/** The address says what is shown, so that it is there again after the page was loaded anew. */
function keepPlace(): void {
  if (model.selected === undefined) return
  const moment = model.moment === undefined ? '' : `@${new Date(model.moment).toISOString()}`
  const hash = `#${model.selected}${moment}`
  if (location.hash !== hash) history.replaceState(null, '', hash)
}

function readPlace(): void {
  const [team, moment] = decoded(location.hash.slice(1)).split('@')
  if (team !== undefined && team !== '') select(team)
  const at = Date.parse(moment ?? '')
  showMoment(Number.isNaN(at) ? undefined : at)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // somebody typed it
    return text
  }
}

function switchTheme(): void {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark'
  localStorage.setItem('theme', document.documentElement.dataset.theme)
  readColours()
  drawSoon()
}

function selectNext(step: number): void {
  const names = [META, ...shownTeams().map(({ team }) => team)]
  const next = names[Math.max(0, names.indexOf(model.selected ?? META) + step)]
  if (next === undefined) return
  select(next)
  const hadFocus = document.activeElement?.matches('.row') === true
  // two rows would be marked otherwise
  if (hadFocus)
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.row[aria-current]')?.focus())
}

const byKey: Readonly<Record<string, () => void>> = {
  j: () => selectNext(1),
  k: () => selectNext(-1),
  ArrowDown: () => selectNext(1),
  ArrowUp: () => selectNext(-1),
  '/': () => document.querySelector<HTMLElement>('#filter')?.focus(),
  '[': () => stepBy(-1),
  ']': () => stepBy(1),
  l: () => showMoment(undefined),
  Escape: () => (model.dialog === undefined ? showMoment(undefined) : openDialog(undefined)),
  c: () => model.detail && openDialog({ kind: 'chart', address: model.detail.team }),
  p: () => document.querySelector<HTMLElement>('#pause')?.click(),
  s: () => document.querySelector<HTMLElement>('#send')?.click(),
  m: () => select(META),
  e: () => update(() => model.detail && (model.detail.isLarge = !model.detail.isLarge)),
  f: () => fit(),
  d: () => switchTheme(),
  '?': () => openDialog({ kind: 'help', address: '' }),
}

addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (target.matches('input:not([type=range]), textarea, select')) {
    if (event.key === 'Escape') target.blur()
    return
  }
  if (model.dialog !== undefined && event.key !== 'Escape') return
  const isScrolling =
    event.key.startsWith('Arrow') &&
    (target.matches('[tabindex], input') || target.closest('.content') !== null)
  const { detail } = model
  const row = model.rows.get(detail?.team ?? '')
  const tab = row === undefined ? undefined : tabsOf(row)[Number(event.key) - 1]
  const showTab = () => update(() => detail && (detail.tab = tab))
  const action = tab === undefined ? byKey[event.key] : showTab
  if (action === undefined || isScrolling) return
  event.preventDefault()
  action()
})

addEventListener('resize', drawSoon)
addEventListener('hashchange', readPlace)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  readColours()
  drawSoon()
})
const theme = localStorage.getItem('theme')
if (theme !== null) document.documentElement.dataset.theme = theme
onModelChange(drawSoon)
readColours()
readPlace()
draw()
hearAll()
// time passes in every state
setInterval(drawSoon, 1000)
