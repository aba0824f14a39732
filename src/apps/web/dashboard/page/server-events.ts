import type { Change, ShownFederation } from '../shown.ts'
import { update } from './model-changes.ts'
import { act, listen } from './shared-connection.ts'
import { refresh, refreshAll, refreshCosts, refreshMoment } from './loading.ts'
import { META, model, rowWith, toneOf, type Detail, type Dialog } from './page-model.ts'
import { present, shownMoment, standingAt } from './moment.ts'
import type { Heard } from './stream.ts'

/** Hears what the server tells for as long as the page is open. */
export function hearAll(): void {
  tellAllAgain = listen(['federation', 'change'], heard)
}

let tellAllAgain: () => void = () => undefined

/** What the server tells, by its names; `lost` is said on this side. */
function heard({ name, text }: Heard): void {
  if (name === 'federation') heardFederation(JSON.parse(text) as ShownFederation)
  if (name === 'change') heardChange(JSON.parse(text) as Change)
  if (name === 'lost') heardNothing()
}

function heardNothing(): void {
  update(() => {
    if (model.isConnected) model.lostAt = Date.now()
    model.isConnected = false
  })
}

let isOutdated = false

function heardFederation(federation: ShownFederation): void {
  const before = model.federation
  // a newer server has a newer page, which waits for what somebody writes
  isOutdated = before !== undefined && before.build !== federation.build
  if (isOutdated && model.dialog === undefined) location.reload()
  update(() => {
    model.isConnected = true
    model.lostAt = undefined
    model.federation = federation
  })
}

function heardChange({ rows, touched, order, meta, elsewhere }: Change): void {
  update(() => {
    const heardOf = rows.map((news) => rowWith(model.rows.get(news.team), news))
    for (const row of heardOf) if (row !== undefined) model.rows.set(row.team, row)
    if (heardOf.includes(undefined)) tellAllAgain()
    if (order !== undefined) model.order = order
    if (meta !== undefined) model.meta = meta
    if (elsewhere !== undefined) model.elsewhere = elsewhere
    for (const team of order === undefined ? [] : model.rows.keys())
      if (!model.order.includes(team)) model.rows.delete(team)
    const isGone = model.selected !== META && !model.order.includes(model.selected ?? '')
    // where there is neither a team nor mail, the first team that comes is shown
    const first = model.order[0] ?? (model.meta.signals.length > 0 ? META : undefined)
    if (first !== undefined && (model.selected === undefined || isGone)) select(first)
    openAsItStands()
  })
  const { detail } = model
  const isSession = Object.values(touched).some((parts) => parts.includes('sessions'))
  if (model.selected === META && isSession) refreshCosts()
  if (detail === undefined) return
  // after a time without a connection everything may be another
  if (Object.keys(touched).length === 0 && order !== undefined && meta !== undefined) refreshAll(detail)
  else
    for (const [team, parts] of Object.entries(touched))
      if (team === detail.team) for (const part of parts) refresh(detail, part)
}

export function select(team: string): void {
  update(() => {
    model.isListShown = false
    if (model.selected === team) return
    model.selected = team
    model.detail = team === META ? undefined : blankDetail(team)
    openAsItStands()
  })
  if (team === META) refreshCosts()
  if (model.detail !== undefined && model.detail.commits.length === 0) refreshAll(model.detail)
}

/** A mission that was brought to its end is opened on what it left, with all the room; others on their history. */
function openAsItStands(): void {
  const { detail } = model
  const row = model.rows.get(detail?.team ?? '')
  if (detail === undefined || detail.tab !== undefined || row === undefined) return
  const standing = standingAt(row, shownMoment())
  const isDone = toneOf(row.spine, standing?.state ?? null, standing?.phase ?? null) === 'done'
  detail.isLarge = isDone && row.product !== null
  detail.tab = isDone && row.product !== null ? row.product : 'history'
}

function blankDetail(team: string): Detail {
  return {
    ...{
      team,
      tab: undefined,
      isLarge: false,
      commits: [],
      mail: undefined,
      learnings: [],
      sessions: [],
      accepts: [],
    },
    logs: new Map(),
    logThen: undefined,
    changes: undefined,
    deliverables: new Map(),
  }
}

/** Shows a moment of the past, or the present. */
export function showMoment(moment: number | undefined): void {
  update(() => {
    model.moment = moment === undefined || moment >= present() ? undefined : moment
  })
  refreshMoment()
}

export function openDialog(dialog: Dialog | undefined): void {
  if (dialog === undefined && isOutdated) location.reload()
  update(() => {
    model.dialog = dialog
  })
}

let silence: ReturnType<typeof setTimeout> | undefined

/** Says something for a few seconds. */
function notify(text: string, isBad: boolean): void {
  clearTimeout(silence)
  update(() => {
    model.notice = { text, isBad }
  })
  silence = setTimeout(() => update(() => (model.notice = undefined)), isBad ? 12_000 : 4000)
}

/** Does what a command of that name does; says what came of it. Resolves to whether it was done. */
export async function carryOut(address: string, name: string, content: object = {}): Promise<boolean> {
  try {
    const done = await act(address, name, content)
    notify(done, / refused: /.test(done))
    return true
  } catch (error) {
    notify((error as Error).message, true)
    return false
  }
}
