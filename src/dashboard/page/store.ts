import type {
  Change,
  Part,
  ShownAcceptance,
  ShownChart,
  ShownDeliverable,
  ShownFederation,
  ShownLearning,
  ShownLife,
  ShownLog,
  ShownMail,
  ShownSession,
} from '../shown.ts'
import { act, ask } from './connection.ts'
import type { Heard } from './stream.ts'
import { META, model, present, shownMoment, standingAt, type Detail, type Dialog } from './model.ts'

let onChange = () => undefined as void

/** Calls `listener` whenever the page has to be drawn again. */
export function onModelChange(listener: () => void): void {
  onChange = listener
}

/** Changes the model, and has the page drawn again. */
export function update(change: () => void): void {
  change()
  onChange()
}

/** What the server tells, by its names; `lost` is said on this side. */
export function heard({ name, text }: Heard): void {
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

function heardChange({ rows, touched, order, meta }: Change): void {
  update(() => {
    for (const row of rows) model.rows.set(row.team, row)
    if (order !== undefined) model.order = order
    if (meta !== undefined) model.meta = meta
    for (const team of order === undefined ? [] : model.rows.keys())
      if (!model.order.includes(team)) model.rows.delete(team)
    const isGone = model.selected !== META && !model.order.includes(model.selected ?? '')
    if (model.selected === undefined || isGone) select(model.order[0] ?? META)
  })
  const { detail } = model
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
  })
  if (model.detail !== undefined && model.detail.commits.length === 0) refreshAll(model.detail)
}

function blankDetail(team: string): Detail {
  return {
    ...{ team, commits: [], mail: undefined, learnings: [], sessions: [], accepts: [] },
    logs: new Map(),
    logThen: undefined,
    deliverables: new Map(),
  }
}

function refreshAll(detail: Detail): void {
  for (const part of ['life', 'mail', 'findings', 'sessions', 'deliverable', 'chart'] as const)
    refresh(detail, part)
}

type Wanted = Part | 'accepts' | 'chart'

/** What is being asked for, and whether it has to be asked for once more afterwards. */
const under = new Map<string, boolean>()

/** Asks for a part, once at a time. */
function refresh(detail: Detail, part: Wanted): void {
  const name = `${detail.team}/${part}`
  if (under.has(name)) {
    under.set(name, true)
    return
  }
  under.set(name, false)
  void (async () => {
    try {
      await load(detail, part)
    } catch {
      // the server went away, or the team did: whoever comes back asks for everything
    } finally {
      const isDirty = under.get(name) === true
      under.delete(name)
      if (model.detail === detail) {
        onChange()
        if (isDirty) refresh(detail, part)
      }
    }
  })()
}

async function load(detail: Detail, part: Wanted): Promise<void> {
  const of = `teams/${detail.team}`
  switch (part) {
    case 'life': {
      const after = detail.commits.at(-1)?.version ?? 0
      const { whole, commits } = await ask<ShownLife>(`${of}/life?after=${after}`)
      detail.commits = whole ? commits : [...detail.commits, ...commits]
      refresh(detail, 'accepts')
      if (commits.length > 0) refresh(detail, 'deliverable')
      return
    }
    case 'mail':
      detail.mail = await ask<ShownMail>(`${of}/mail`)
      return
    case 'findings':
      detail.learnings = await ask<ShownLearning[]>(`${of}/findings`)
      refresh(detail, 'accepts')
      return
    case 'sessions':
      detail.sessions = await ask<ShownSession[]>(`${of}/sessions`)
      refresh(detail, 'log')
      return
    case 'accepts':
      detail.accepts = await ask<ShownAcceptance[]>(`${of}/accepts`)
      return
    case 'log':
      return loadLog(detail)
    case 'deliverable':
      return loadDeliverable(detail)
    case 'chart':
      return loadChart(detail)
    default:
      part satisfies never
  }
}

/** So much of a log is kept, in characters. */
const longestLog = 400_000

async function loadLog(detail: Detail): Promise<void> {
  const session = sessionShown(detail)
  if (session === undefined) return
  const { mission, number } = session
  const key = `${mission}-${number}`
  const place = `teams/${detail.team}/log?mission=${mission}&number=${number}`
  if (model.moment !== undefined && !isOver(session)) {
    const log = await ask<ShownLog>(`${place}&at=${Math.floor(model.moment)}`)
    detail.logThen = { session: key, log }
    return
  }
  const known = detail.logs.get(key)
  const log = await ask<ShownLog>(known === undefined ? place : `${place}&from=${known.to}`)
  const isNext = known !== undefined && log.from === known.to
  const text = isNext ? (known.text + log.text).slice(-longestLog) : log.text
  detail.logs.set(key, { text, from: isNext ? known.from : log.from, to: log.to })
}

/** One for all teams of an archetype. */
async function loadChart({ team }: Detail): Promise<void> {
  const archetype = model.rows.get(team)?.archetype
  if (archetype === undefined || model.charts.has(archetype)) return
  model.charts.set(archetype, await ask<ShownChart>(`teams/${team}/chart`))
}

async function loadDeliverable(detail: Detail): Promise<void> {
  const mission = missionShown(detail)
  if (mission === undefined) return
  const place = `teams/${detail.team}/deliverable?mission=${mission}`
  detail.deliverables.set(mission, await ask<ShownDeliverable | null>(place))
}

/** The mission that is looked at. */
export function missionShown({ team }: Detail): number | undefined {
  const row = model.rows.get(team)
  if (row === undefined) return undefined
  return standingAt(row, model.moment ?? Infinity)?.mission
}

/** The session that ran at the moment that is shown, or the last one before. */
export function sessionShown(detail: Detail): Detail['sessions'][number] | undefined {
  const { moment } = model
  return detail.sessions.findLast(({ at }) => moment === undefined || at <= moment)
}

/** Whether a session had ended at the moment that is shown. */
export function isOver({ end }: Pick<ShownSession, 'end'>): boolean {
  return end !== null && end.at <= shownMoment()
}

/** Shows a moment of the past, or the present. */
export function showMoment(moment: number | undefined): void {
  update(() => {
    model.moment = moment === undefined || moment >= present() ? undefined : moment
  })
  const { detail } = model
  if (detail === undefined) return
  const session = sessionShown(detail)
  if (session !== undefined && (!isOver(session) || !detail.logs.has(`${session.mission}-${session.number}`)))
    refresh(detail, 'log')
  const mission = missionShown(detail)
  if (mission !== undefined && !detail.deliverables.has(mission)) refresh(detail, 'deliverable')
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
    const done = await act(address === META ? META : address, name, content)
    notify(done, / refused: /.test(done))
    return true
  } catch (error) {
    notify((error as Error).message, true)
    return false
  }
}
