import './zod-messages.ts'
import * as z from 'zod/mini'
import { readBudget } from './budget.ts'
import { readDuration } from './duration.ts'
import { patternFault } from './path-pattern.ts'

const words = (description: string) =>
  z
    .string()
    .check(
      z.regex(/\S/, 'is empty'),
      z.regex(/^(?:[\n\t]|\P{Cc})*$/u, 'holds signs that a terminal obeys'),
      z.describe(description),
    )

const taskId = z
  .string()
  .check(
    z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "is no id: words of a-z and 0-9 joined by '-', such as api-docs"),
    z.maxLength(40, 'is longer than 40 characters'),
  )

const amount = (description: string) =>
  z.string().check(
    z.refine(
      (text) => readBudget(text)?.perDay === false,
      'is no amount such as 2.50usd, 200000tokens or 45min',
    ),
    z.describe(description),
  )

const pathPattern = z.string().check(
  z.check(({ value, issues }) => {
    const fault = patternFault(value)
    if (fault !== undefined) issues.push({ code: 'custom', input: value, message: fault })
  }),
)

/** What waits for a person's word. */
const gateSchema = z
  .strictObject({
    ask: words('What the person is asked.'),
    within: z.string().check(
      z.refine((text) => readDuration(text) !== undefined, 'is no time such as 30m or 4h'),
      z.describe('How long an answer is waited for, such as 4h.'),
    ),
    otherwise: z
      .enum(['go', 'stop'], 'is neither go nor stop: it says what follows when nobody answers in time')
      .check(z.describe('What follows without an answer in time: go begins the task, stop leaves it out.')),
  })
  .check(z.describe('A question to a person before the task begins.'))

/** One task of a plan: a team and its mission. */
export const taskSchema = z.strictObject({
  id: taskId.check(z.describe("The task's name in the plan, and the end of its team's.")),
  archetype: z._default(
    words('What kind of team does it: deliverable, coding, consultant or one of your own.'),
    'deliverable',
  ),
  mission: words('What the team is to do, in its own words.'),
  after: z._default(
    z
      .array(taskId)
      .check(
        z.describe(
          'Tasks whose results are waited for, until they are proven; each comes to this team as an input.',
        ),
      ),
    [],
  ),
  when: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^[a-z0-9]+(?:-[a-z0-9]+)*\.(?:complete|failed)$/,
          'is neither <task>.complete nor <task>.failed',
        ),
        z.describe('Begins it only when that task ended so: client.complete or client.failed.'),
      ),
  ),
  paths: z.optional(
    z
      .array(pathPattern)
      .check(
        z.minLength(1, 'is empty: leave it out, or name a path'),
        z.maxLength(100, 'has more than 100 patterns'),
        z.describe(
          'What it may change, from the root: src/prices/**. Tasks that may run at once change different paths.',
        ),
      ),
  ),
  needs: z.optional(
    z
      .array(taskId)
      .check(
        z.maxLength(20, 'has more than 20 labels'),
        z.describe(
          'Labels that a site must have to do it, such as gpu; only in a federation of several sites.',
        ),
      ),
  ),
  agent: z.optional(words('A known agent, such as claude; never a command.')),
  attempts: z._default(
    z
      .int('is no whole number')
      .check(
        z.minimum(1, 'is less than 1'),
        z.maximum(10, 'is more than 10'),
        z.describe('How often it is tried, with what went wrong before in its prompt.'),
      ),
    2,
  ),
  budget: z.optional(
    amount('The most that this task may use up, of what the whole goal may: 2.50usd, 200000tokens, 45min.'),
  ),
  gate: z.optional(gateSchema),
})

/** Fields that a later version gives a meaning: a plan that names them expects what does not happen. */
export const reservedFields: readonly string[] = ['review']

/** How one goal becomes many teams' work: `plan.yaml`. The descriptions are what editors show. */
export const planSchema = z.strictObject({
  $schema: z.optional(
    z.string().check(z.describe('JSON Schema by which an editor completes and explains this file.')),
  ),
  goal: words('What is to be reached, in one sentence.'),
  parallel: z.optional(
    z
      .int('is no whole number')
      .check(z.minimum(1, 'is less than 1'), z.describe('How many agents work at once, at most.')),
  ),
  budget: z.optional(amount('The most that all tasks together may use up: 20usd, 2000000tokens, 90min.')),
  tasks: z
    .array(taskSchema)
    .check(
      z.minLength(1, 'is empty: a plan has a task at least'),
      z.maxLength(1000, 'has more than 1000 tasks'),
    ),
  gather: z.optional(words('What becomes one result of all documents, such as: one guide with an index.')),
})

export type Plan = z.infer<typeof planSchema>
export type PlannedTask = Plan['tasks'][number]

/** The condition of a task on another one's end; undefined without one. */
export function conditionOf({ when }: Pick<PlannedTask, 'when'>) {
  if (when === undefined) return undefined
  const [task = '', end = ''] = when.split('.')
  return { task, end: end as 'complete' | 'failed' }
}

/** The tasks on whose end a task waits, each once. */
export function waitsFor(task: PlannedTask): string[] {
  return [
    ...new Set([...task.after, ...(conditionOf(task) === undefined ? [] : [conditionOf(task)?.task ?? ''])]),
  ]
}
