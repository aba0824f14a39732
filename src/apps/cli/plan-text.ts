import { existsSync } from 'node:fs'
import { UsageError } from '../../errors/fed-error.ts'
import { FederationNotFoundError } from '../../errors/team-errors.ts'
import { largestPlanBytes, planFiles } from '../../protocol/goal-names.ts'
import { waitsFor, type Plan } from '../../protocol/plan-schema.ts'
import type { Known } from '../../records/plan/plan-rules.ts'
import type { ReadPlan } from '../../records/plan/read-plan.ts'
import type { CommonOptions } from './declare-command.ts'
import { shortened, table } from './output.ts'
import { openToRead } from './scope.ts'
import { textOfFile } from './text-input.ts'

const [usualFile] = planFiles

/**
 * Reads a plan that a person names.
 * @param file `-` for the standard input; without it `plan.yaml`.
 * @throws {UsageError} when it cannot be read.
 */
export async function readPlanFile(
  file: string | undefined,
  options: CommonOptions,
): Promise<ReadPlan & { readonly text: string }> {
  const { readPlan } = await import('../../records/plan/read-plan.ts')
  if (file !== '-' && !existsSync(file ?? usualFile))
    throw new UsageError(`there is no file ${file ?? usualFile}; 'fed plan check <file>' names another`)
  const text = await textOfFile(
    'plan',
    file ?? usualFile,
    largestPlanBytes,
    (how) => `plan: ${how}, more than the ${largestPlanBytes} that a plan may have`,
  )
  return { text, ...readPlan(text, await knownTo(options)) }
}

/** What a plan may name: the archetypes of the federation, where there is one. */
async function knownTo(options: CommonOptions): Promise<Known> {
  const { builtIn } = await import('../../federation/catalogue.ts')
  try {
    return await (await openToRead(options)).federation.knownToPlans()
  } catch (error) {
    if (!(error instanceof FederationNotFoundError)) throw error
  }
  const { knownToPlans } = await import('../../federation/known-to-plans.ts')
  return knownToPlans(builtIn)
}

/** What is wrong with a plan, a line each with its place. */
export function planProblems(file: string | undefined, problems: ReadPlan['problems']): string {
  return shortened(
    problems.map(
      ({ line, path, message }) => `${file ?? usualFile}:${line} ${path === '' ? '' : `${path}: `}${message}`,
    ),
  )
}

/** A plan's tasks by steps: those of one step may run at once. */
export function planText({ goal, tasks, parallel, budget, gather }: Plan): string {
  const steps = new Map<string, number>()
  // what a task waits for may stand behind it; there is no circle
  for (let isWhole = false; !isWhole;) {
    isWhole = true
    for (const task of tasks) {
      const earlier = waitsFor(task).map((id) => steps.get(id))
      if (steps.has(task.id)) continue
      if (earlier.includes(undefined)) isWhole = false
      else steps.set(task.id, 1 + Math.max(0, ...earlier.map((step) => step ?? 0)))
    }
  }
  const rows = tasks
    .toSorted((one, other) => (steps.get(one.id) ?? 0) - (steps.get(other.id) ?? 0))
    .map((task) => [
      String(steps.get(task.id)),
      task.id,
      task.archetype,
      task.agent ?? '',
      [...task.after, ...(task.when === undefined ? [] : [`when ${task.when}`])].join(', '),
      task.gate === undefined
        ? ''
        : `${task.gate.ask} (${task.gate.within}, otherwise ${task.gate.otherwise})`,
      task.mission,
    ])
  const head = ['step', 'task', 'archetype', 'agent', 'after', 'gate', 'mission']
  const used = head.map((_, at) => rows.some((row) => row[at] !== ''))
  const titled = [head, ...rows].map((row) => row.filter((_, at) => used[at]))
  const bounds = [
    budget === undefined ? 'no budget bounds what it costs' : `it may use up ${budget}`,
    ...(parallel === undefined ? [] : [`${parallel} at once`]),
    ...(gather === undefined ? [] : [`gathered: ${gather}`]),
  ]
  return `${goal}\n\n${table(titled)}\n\n${bounds.join('; ')}`
}
