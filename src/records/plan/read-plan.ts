import * as z from 'zod/mini'
import { LineCounter, isMap, isNode, isPair, parseDocument, type Document } from 'yaml'
import { inOneLine } from '../../errors/printable.ts'
import { meantFieldOf } from '../../protocol/config-fields.ts'
import {
  planSchema,
  reservedFields,
  taskSchema,
  type Plan,
  type PlannedTask,
} from '../../protocol/plan-schema.ts'
import { problemsOf } from '../../protocol/problems.ts'
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

/**
 * Reads a plan in YAML or JSON and finds all that is wrong with it, each with its line.
 * @param names what it may name.
 */
export function readPlan(text: string, names: Known): ReadPlan {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, version: '1.2' })
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
  if (document.errors.length > 0) {
    return {
      plan: undefined,
      problems: document.errors.map(({ pos: [from], message }) => ({
        line: lineAt(from),
        path: '',
        message: inOneLine(message.replace(/ at line \d+[^]*$/, '')),
      })),
    }
  }
  const located = ({ path, message }: PlanFault): PlanProblem => ({
    line: lineAt(offsetOf(document, path)),
    path: path.map((key) => (typeof key === 'number' ? key + 1 : key)).join('.'),
    message,
  })
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: mostAliases })
  } catch (error) {
    return {
      plan: undefined,
      problems: [{ line: 1, path: '', message: inOneLine((error as Error).message) }],
    }
  }
  const parsed = planSchema.safeParse(value)
  if (parsed.success) return { plan: parsed.data, problems: brokenRules(parsed.data, names).map(located) }
  const problems = problemsOf(parsed.error, meantFieldOf(planSchema)).map(({ path, message }) => {
    const keys = path === '' ? [] : path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
    const field = String(keys.at(-1))
    const isReserved = message.startsWith('there is no such field') && reservedFields.includes(field)
    return located({
      path: keys,
      message: isReserved
        ? 'is kept for a later version of fed, and does nothing yet; take it out'
        : // by its name alone: the task is the one of the path
          message.replace(/(?<=did you mean )tasks\.\d+\./, ''),
    })
  })
  const known = problems.map(({ path }) => path)
  const others = brokenRules(whatIsRight(value), names).map(located)
  return {
    plan: undefined,
    problems: [...problems, ...others.filter(({ path }) => !known.includes(path))].toSorted(
      (a, b) => a.line - b.line,
    ),
  }
}

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
      return { ...nameless, ...Object.fromEntries(fields) } as PlannedTask
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
