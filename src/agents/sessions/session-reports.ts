import path from 'node:path'
import * as z from 'zod/mini'
import { ownFormat } from '../../protocol/own-format.ts'
import { timestampSchema, now } from '../../protocol/time.ts'
import { appendLine, readLines } from '../../platform/storage/append-log.ts'

const notNegative = z.number().check(z.minimum(0))

/** What a session has used up so far, as far as its agent tells. */
const usageSchema = z.strictObject({
  /** Tokens read and written, those from a cache included. */
  tokens: z.optional(notNegative),
  /** In US dollars. */
  cost: z.optional(notNegative),
})
export type Usage = z.infer<typeof usageSchema>

const reportSchema = z.discriminatedUnion('kind', [
  /** The agent's own id of the session, with which it can be resumed. */
  z.strictObject({ kind: z.literal('session'), id: z.string(), model: z.optional(z.string()) }),
  /** What this run of the agent used up so far; `total` is what its own session did, with the runs before. */
  z.strictObject({ kind: z.literal('usage'), usage: usageSchema, total: z.optional(usageSchema) }),
  /** The agent is over a limit of its provider; `until` is null when it does not tell until when. */
  z.strictObject({ kind: z.literal('limit'), words: z.string(), until: z.nullable(timestampSchema) }),
  /** The agent will not work until a person sees to it: no account, no money, no such model. */
  z.strictObject({ kind: z.literal('refusal'), words: z.string() }),
  /** The agent's provider, or the way to it, fails for a while. */
  z.strictObject({ kind: z.literal('unavailable'), words: z.string() }),
  /** The agent has used up what it was told that it may cost. */
  z.strictObject({ kind: z.literal('capped') }),
  /** The agent's session is longer than its model can read. */
  z.strictObject({ kind: z.literal('overflow'), words: z.string() }),
  /** A tool call of the agent's own changed files. */
  z.strictObject({ kind: z.literal('wrote'), tool: z.string(), path: z.nullable(z.string()) }),
  z.strictObject({
    kind: z.literal('permission'),
    tool: z.string(),
    answer: z.enum(['allowed', 'refused']),
  }),
  /** Signals were put before the agent. */
  z.strictObject({
    kind: z.literal('told'),
    by: z.enum(['first prompt', 'further prompt']),
    signals: z.array(z.string()),
  }),
])
/** What a driver learned from its agent, or did to it, as it is kept. */
export type AgentReport = z.infer<typeof reportSchema>

/** What an agent tells of its usage: of this run, or the total of its own session with the runs before. */
interface ToldUsage {
  readonly kind: 'usage'
  readonly usage?: Usage
  readonly total?: Usage
}

/** The same as a driver tells it. */
export type ToldReport = Exclude<AgentReport, { kind: 'usage' }> | ToldUsage

const format = ownFormat('fed-session-report-1', z.looseObject({ at: timestampSchema, kind: z.string() }))

/** Which session of which mission. */
interface SessionNumber {
  readonly mission: number
  readonly number: number
}

/** What a session's agent reported, put together. */
export interface Reported {
  readonly agentSession?: string
  /** The model that the agent says it uses. */
  readonly model?: string
  /** Of this run alone. */
  readonly usage?: Usage
  /** Of the agent's own session, with the runs before, as far as the agent tells it. */
  readonly total?: Usage
  /** With the time at which the agent told it. */
  readonly limit?: Extract<AgentReport, { kind: 'limit' }> & { readonly at: string }
  readonly refusal?: string
  /** In the agent's words: its provider failed, or its session was too long. */
  readonly unavailable?: string
  readonly overflow?: string
  readonly isCapped?: boolean
  readonly wrote: readonly { readonly tool: string; readonly path: string | null }[]
  readonly permissions: { readonly allowed: number; readonly refused: number }
  /** Signals that were put before the agent, with the time of the first. */
  readonly told: readonly { readonly signal: string; readonly at: string; readonly by: string }[]
}

const nothing: Reported = { wrote: [], permissions: { allowed: 0, refused: 0 }, told: [] }

/** Most written files that are kept for a session; further ones are dropped. */
const mostWrites = 100
/** Most permission requests that are kept for a session; further ones are only in the log. */
const mostPermissions = 200
/** Shortest time between two written reports of usage, in milliseconds; the last usage is always written. */
const usageIntervalMs = 1000
/** Number of usage lines after which the time between them doubles, so that a long session fills no disk. */
const usageLines = 1000
/** Longest text that is kept in a report, in characters; of a longer one its beginning. No path is longer. */
const longestWords = 4096

function withReport(known: Reported, report: AgentReport, at: string): Reported {
  switch (report.kind) {
    case 'session':
      return {
        ...known,
        agentSession: report.id,
        ...(report.model === undefined ? {} : { model: report.model }),
      }
    case 'usage':
      // money and tokens may come apart
      return {
        ...known,
        usage: { ...known.usage, ...report.usage },
        ...(report.total === undefined ? {} : { total: { ...known.total, ...report.total } }),
      }
    case 'limit':
      return { ...known, limit: { ...report, at } }
    case 'refusal':
    case 'unavailable':
    case 'overflow':
      return { ...known, [report.kind]: report.words }
    case 'capped':
      return { ...known, isCapped: true }
    case 'wrote':
      return { ...known, wrote: [...known.wrote, { tool: report.tool, path: report.path }] }
    case 'permission': {
      const { permissions } = known
      return { ...known, permissions: { ...permissions, [report.answer]: permissions[report.answer] + 1 } }
    }
    case 'told': {
      const told = report.signals.map((signal) => ({ signal, at, by: report.by }))
      return { ...known, told: [...known.told, ...told] }
    }
  }
}

/** Path of a session's file of reports: `.fed/sessions/<mission>-<number>.reports.jsonl`. */
export function reportsFile(dir: string, { mission, number }: SessionNumber): string {
  return path.join(dir, `${mission}-${number}.reports.jsonl`)
}

/**
 * Reads what was reported in a session; lines that cannot be read are passed over.
 * @throws {NewerFormatError}
 */
export function readReports(dir: string, session: SessionNumber): Reported {
  let known = nothing
  const file = reportsFile(dir, session)
  for (const value of readLines(file).values) {
    const line = format.decodeOrNothing(value, file)
    if (line === undefined) continue
    const { at, ...rest } = line
    const report = reportSchema.safeParse(rest)
    if (report.success) known = withReport(known, report.data, at)
  }
  return known
}

/** What a session had used up at each time at which that was written, in order; of the run alone. */
export function readUsage(dir: string, session: SessionNumber): { at: string; usage: Usage }[] {
  const file = reportsFile(dir, session)
  return readLines(file).values.flatMap((value) => {
    const { at, ...rest } = format.decodeOrNothing(value, file) ?? {}
    const { data } = reportSchema.safeParse(rest)
    return at !== undefined && data?.kind === 'usage' ? [{ at, usage: data.usage }] : []
  })
}

/** An agent's own session, and what it had used up in the runs before. */
export interface Resumed {
  readonly id?: string
  readonly totals?: Usage
}

/** Keeps what a running session's agent reports, in the session's file and in memory. */
export class SessionReports {
  readonly #file: string
  readonly #onReport: (report: AgentReport) => void
  readonly #resumed: Resumed
  #known = nothing
  #usageAt = -Infinity
  #usageCount = 0
  #isUsageBehind = false

  /**
   * @param onReport gets each report that is new, once it is kept.
   * @param resumed the agent's own session that this run is to go on with, and its totals until then.
   */
  constructor(file: string, onReport: (report: AgentReport) => void, resumed: Resumed = {}) {
    this.#file = file
    this.#onReport = onReport
    this.#resumed = resumed
  }

  get known(): Reported {
    return this.#known
  }

  add(told: ToldReport): void {
    const report = shortened(told.kind === 'usage' ? this.#usageOf(told) : told)
    if (this.#isKnown(report)) return
    const at = now()
    this.#known = withReport(this.#known, report, at)
    if (report.kind === 'usage' && performance.now() - this.#usageAt < this.#intervalMs) {
      this.#isUsageBehind = true
    } else {
      if (report.kind === 'usage') {
        this.#usageAt = performance.now()
        this.#usageCount += 1
        this.#isUsageBehind = false
      }
      appendLine(this.#file, format.stamp({ at, ...report }))
    }
    this.#onReport(report)
  }

  /** Writes the last usage, if it was not written yet. */
  end(): void {
    const { usage, total } = this.#known
    if (this.#isUsageBehind && usage !== undefined)
      appendLine(
        this.#file,
        format.stamp({ at: now(), kind: 'usage', usage, ...(total === undefined ? {} : { total }) }),
      )
    this.#isUsageBehind = false
  }

  /** What this run used up so far: a run uses up ever more, whatever an agent tells later of a part of it. */
  #usageOf({ usage: own = {}, total }: ToldUsage): Extract<AgentReport, { kind: 'usage' }> {
    const { usage: known = {}, agentSession } = this.#known
    const { id, totals = {} } = this.#resumed
    // an agent that could not go on with the session has begun another
    const before = agentSession === undefined || id === undefined || agentSession === id ? totals : {}
    const figureOf = (figure: keyof Usage) => {
      const amounts = [known[figure], own[figure], sinceBefore(total?.[figure], before[figure])]
      const told = amounts.filter((amount) => amount !== undefined)
      return told.length === 0 ? {} : { [figure]: Math.max(...told) }
    }
    const usage = { ...figureOf('tokens'), ...figureOf('cost') }
    return { kind: 'usage', usage, ...(total === undefined ? {} : { total }) }
  }

  get #intervalMs(): number {
    return usageIntervalMs * 2 ** Math.floor(this.#usageCount / usageLines)
  }

  #isKnown(report: AgentReport): boolean {
    const { agentSession, wrote, limit, permissions } = this.#known
    if (report.kind === 'session') return agentSession === report.id
    if (report.kind === 'limit') return limit !== undefined
    if (report.kind === 'capped') return this.#known.isCapped === true
    if (report.kind === 'refusal' || report.kind === 'unavailable' || report.kind === 'overflow')
      return this.#known[report.kind] !== undefined
    if (report.kind === 'permission') return permissions.allowed + permissions.refused >= mostPermissions
    if (report.kind !== 'wrote') return false
    return (
      wrote.length >= mostWrites || wrote.some(({ path: known }) => known !== null && known === report.path)
    )
  }
}

/** An agent that lost its count, as when it was killed, begins it anew. */
function sinceBefore(total: number | undefined, before = 0): number | undefined {
  return total === undefined || total < before ? total : total - before
}

function shortened(report: AgentReport): AgentReport {
  const cut = (value: unknown) => (typeof value === 'string' ? value.slice(0, longestWords) : value)
  return Object.fromEntries(Object.entries(report).map(([key, value]) => [key, cut(value)])) as AgentReport
}
