import { rememberedCommits } from '../remembered.ts'
import type {
  Fault,
  Part,
  ShownAcceptance,
  ShownChanges,
  ShownChart,
  ShownDeliverable,
  ShownLearning,
  ShownLife,
  ShownLog,
  ShownMail,
  ShownSession,
} from '../shown.ts'
import { update } from './model-changes.ts'
import { ask } from './shared-connection.ts'
import { META, model, type Detail } from './page-model.ts'
import { isOver, mailNow, missionShown, sessionShown } from './moment.ts'

type Wanted = Part | 'accepts' | 'chart'
type Work = () => Promise<void>

/** Work that runs, by name; the value is the latest work of that name, to run next, or undefined. */
const under = new Map<string, Work | undefined>()

/** Runs work, one of a name at a time; of what is asked for meanwhile, only the latest runs afterwards. */
function once(name: string, work: Work): void {
  if (under.has(name)) {
    under.set(name, work)
    return
  }
  void (async () => {
    for (let next: Work | undefined = work; next !== undefined; next = under.get(name)) {
      under.set(name, undefined)
      try {
        await next()
      } catch {
        // the server went away, or the team did: whoever comes back asks for everything
      }
      update()
    }
    under.delete(name)
  })()
}

/** Loads a part of the team that is shown. */
export function refresh(detail: Detail, part: Wanted): void {
  once(`${detail.team}/${part}`, async () => {
    if (model.detail === detail) await load(detail, part)
  })
}

export function refreshAll(detail: Detail): void {
  for (const part of ['life', 'mail', 'findings', 'sessions', 'deliverable', 'changes', 'chart'] as const)
    refresh(detail, part)
}

/** Loads what agents used up. */
export function refreshCosts(): void {
  once('costs', async () => {
    model.costs = await ask<string[][]>('costs')
  })
}

/** Loads what is not known yet of the moment that is shown. */
export function refreshMoment(): void {
  const { detail, moment } = model
  if (moment === undefined) model.mailThen.clear()
  refreshMailThen(META)
  if (detail === undefined) return
  refreshMailThen(detail.team)
  const session = sessionShown(detail)
  if (session !== undefined && (!isOver(session) || !detail.logs.has(nameOf(session)))) refresh(detail, 'log')
  const mission = missionShown(detail)
  // what is being written now may have changed meanwhile
  if (mission !== undefined && (moment === undefined || !detail.deliverables.has(mission)))
    refresh(detail, 'deliverable')
}

function refreshMailThen(address: string): void {
  if (model.moment !== undefined && !mailNow(address).isWhole)
    once(`${address}/then`, () => loadMailThen(address))
}

async function loadMailThen(address: string): Promise<void> {
  const { moment } = model
  if (moment === undefined) return
  const mail = await ask<ShownMail>(`teams/${address}/mail?at=${Math.floor(moment)}`)
  if (model.moment !== undefined) model.mailThen.set(address, mail)
}

async function load(detail: Detail, part: Wanted): Promise<void> {
  const of = `teams/${detail.team}`
  switch (part) {
    case 'life': {
      const after = detail.commits.at(-1)?.version ?? 0
      const { whole, commits } = await ask<ShownLife>(`${of}/life?after=${after}`)
      detail.commits = whole ? commits : rememberedCommits([...detail.commits, ...commits])
      refresh(detail, 'accepts')
      if (commits.length > 0) {
        refresh(detail, 'deliverable')
        refresh(detail, 'changes')
      }
      return
    }
    case 'mail':
      detail.mail = await ask<ShownMail>(`${of}/mail`)
      refreshMailThen(detail.team)
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
    case 'changes':
      if (model.rows.get(detail.team)?.product === 'changes')
        detail.changes = await ask<ShownChanges | Fault | null>(`${of}/changes`)
      return
    case 'chart':
      return loadChart(detail)
    default:
      part satisfies never
  }
}

/** Most logs, and most documents, of a team that are kept; an earlier one is loaded again. */
const mostKept = 8

function keep<Name, Content>(kept: Map<Name, Content>, name: Name, content: Content): void {
  kept.delete(name)
  kept.set(name, content)
  const [oldest] = kept.keys()
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
}

/** How much of a log's end is kept, in characters. */
const longestLog = 400_000

export function nameOf({ mission, number }: Pick<ShownSession, 'mission' | 'number'>): string {
  return `${mission}-${number}`
}

async function loadLog(detail: Detail): Promise<void> {
  const session = sessionShown(detail)
  if (session === undefined) return
  const place = `teams/${detail.team}/log?mission=${session.mission}&number=${session.number}`
  const name = nameOf(session)
  if (model.moment !== undefined && !isOver(session)) {
    detail.logThen = { session: name, log: await ask<ShownLog>(`${place}&at=${Math.floor(model.moment)}`) }
    return
  }
  const known = detail.logs.get(name)
  const log = await ask<ShownLog>(known === undefined ? place : `${place}&from=${known.to}`)
  const isNext = known !== undefined && log.from === known.to
  const text = isNext ? (known.text + log.text).slice(-longestLog) : log.text
  keep(detail.logs, name, { text, from: isNext ? known.from : log.from, to: log.to })
}

/** Loads the chart of a team's archetype, once for all its teams. */
async function loadChart({ team }: Detail): Promise<void> {
  const archetype = model.rows.get(team)?.archetype
  if (archetype === undefined || model.charts.has(archetype)) return
  model.charts.set(archetype, await ask<ShownChart>(`teams/${team}/chart`))
}

async function loadDeliverable(detail: Detail): Promise<void> {
  const mission = missionShown(detail)
  if (mission === undefined) return
  const place = `teams/${detail.team}/deliverable?mission=${mission}`
  keep(detail.deliverables, mission, await ask<ShownDeliverable | null>(place))
}
