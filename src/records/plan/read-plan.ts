import * as z from 'zod/mini'
import { LineCounter, isMap, isNode, isPair, parseDocument, type Document } from 'yaml'
import { inOneLine, printable } from '../../errors/printable.ts'
import { meantFieldOf } from '../../protocol/config-fields.ts'
import {
  planSchema,
  reservedFields,
  taskSchema,
  type Plan,
  type PlannedTask,
} from '../../protocol/plan-schema.ts'
import { keyedProblemsOf } from '../../protocol/problems.ts'
import { brokenRules, type Known, type PlanFault } from './plan-rules.ts'

/** A fault of a plan and its place. */
interface PlanProblem {
  /** 1-based line of the file. */
  readonly line: number
  /** The field, such as `tasks.2.after`; empty where it is the whole. */
  readonly path: string
  readonly message: string
}

/** A plan as it was read: without problems it can be carried out. */
export interface ReadPlan {
  /** Undefined where its fields are not right. */
  readonly plan: Plan | undefined
  readonly problems: readonly PlanProblem[]
}

/** Names of one thing may stand in a text as often; more is a trap for whoever unfolds them. */
const mostAliases = 100

const tooDeep = 'Maximum call stack size exceeded'
const nestedTooDeep = 'it is nested too deep'

/** What the reader of YAML says, where its words mean nothing to whoever wrote a plan. */
const inOtherWords: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'it holds several documents; a plan is one',
}

/**
 * Reads a plan in YAML or JSON and finds all that is wrong with it, each with its line.
 * @param names what it may name.
 */
export function readPlan(text: string, names: Known): ReadPlan {
  const lines = new LineCounter()
  // what it warns of is told here
  const settings = { lineCounter: lines, version: '1.2', logLevel: 'error' } as const
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
  const unreadable = (problems: readonly PlanProblem[]): ReadPlan => ({ plan: undefined, problems })
  let document: Document
  let value: unknown
  try {
    document = parseDocument(text, settings)
    value = document.toJS({ maxAliasCount: mostAliases })
  } catch (error) {
    const message = error instanceof RangeError ? nestedTooDeep : inOneLine((error as Error).message)
    return unreadable([{ line: 1, path: '', message }])
  }
  if (value === null && document.errors.length === 0)
    return unreadable([{ line: 1, path: '', message: 'it is empty; a plan has a goal and tasks' }])
  const told = [...document.errors, ...document.warnings]
  const problems = told.slice(0, mostErrors).map(({ code, pos: [from], message }): PlanProblem => ({
    line: lineAt(from),
    path: '',
    message:
      inOtherWords[code] ??
      inOneLine(message.replace(/ at line \d+[^]*$/, '')).replace(tooDeep, nestedTooDeep),
  }))
  // of a field that is there twice the rest can be looked at
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) return unreadable(problems)
  const located = ({ path, message }: PlanFault): PlanProblem => ({
    line: lineAt(offsetOf(document, path)),
    path: path.map((key) => (typeof key === 'number' ? String(key + 1) : printable(key))).join('.'),
    message,
  })
  const parsed = planSchema.safeParse(value)
  if (parsed.success && problems.length === 0)
    return { plan: parsed.data, problems: brokenRules(parsed.data, names).map(located) }
  const wrong = parsed.success ? [] : keyedProblemsOf(parsed.error, meantFieldOf(planSchema))
  problems.push(
    ...wrong.map(({ keys, message }) => {
      const isReserved =
        message.startsWith('there is no such field') && reservedFields.includes(String(keys.at(-1)))
      return located({
        path: keys.map((key) => (typeof key === 'number' ? key : String(key))),
        message: isReserved
          ? 'is kept for a later version of fed, and does nothing yet; take it out'
          : // by its name alone: the task is the one of the path
            message.replace(/(?<=did you mean )tasks\.\d+\./, ''),
      })
    }),
  )
  const known = problems.map(({ path }) => path)
  const others = brokenRules(parsed.success ? parsed.data : whatIsRight(value), names).map(located)
  return unreadable(
    [...problems, ...others.filter(({ path }) => !known.includes(path))].toSorted((a, b) => a.line - b.line),
  )
}

/** So many errors of the text itself are told: one often leads to the next. */
const mostErrors = 20

/** The fields of a plan that are right, with others in the place of those that are not: so that all faults are told at once. */
function whatIsRight(value: unknown): Plan {
  const tasks = fieldOf(value, 'tasks', z.array(z.unknown())) ?? []
  const budget = fieldOf(value, 'budget', planSchema.shape.budget)
  return {
    goal: '',
    ...(budget === undefined ? {} : { budget }),
    tasks: tasks.map((task, at) => {
      const fields = Object.entries(taskSchema.shape).flatMap(([key, schema]) => {
        const right = fieldOf(task, key, schema as z.ZodMiniType)
        return right === undefined ? [] : [[key, right]]
      })
      // no task can be called so
      const nameless = { id: `#${at}`, archetype: 'deliverable', mission: '', after: [], attempts: 1 }
      // of paths that are not right nothing is known
      const paths = fieldOf(task, 'paths', z.unknown()) === undefined ? {} : { paths: [] }
      return { ...nameless, ...paths, ...Object.fromEntries(fields) } as PlannedTask
    }),
  }
}

/** A field as its schema reads it; undefined where it is not right. */
function fieldOf<Value>(value: unknown, key: string, schema: z.ZodMiniType<Value>): Value | undefined {
  const given =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
  return schema.safeParse(given).data
}

/** Where a field's key stands, or the innermost of its path that is there. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const [outer, key] = [path.slice(0, length - 1), path[length - 1]]
    const within = outer.length === 0 ? document.contents : document.getIn(outer, true)
    if (isMap(within)) {
      const pair = within.items.find(
        (item) => isPair(item) && isNode(item.key) && String(item.key) === String(key),
      )
      const start = isNode(pair?.key) ? pair.key.range?.[0] : undefined
      if (start !== undefined) return start
    }
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}
