import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { UsageError } from '../../../errors/fed-error.ts'
import { FederationNotFoundError } from '../../../errors/team-errors.ts'
import { EMBEDDED_AGENT } from '../../../protocol/config-schema.ts'
import { knownAgentNames } from '../../../protocol/agent-names.ts'
import { waitsFor, type Plan } from '../../../protocol/plan-schema.ts'
import type { Known } from '../../../records/plan/plan-rules.ts'
import type { ReadPlan } from '../../../records/plan/read-plan.ts'
import { declare, helpOfDefault, type CommonOptions } from '../declare-command.ts'
import { print, shortened, table } from '../output.ts'
import { openToRead } from '../scope.ts'
import { textOfFile } from '../text-input.ts'

const usualFile = 'plan.yaml'

/** In bytes. */
const longestPlan = 1_048_576

export function registerPlan(program: Command): void {
  const plan = program
    .command('plan')
    .description('Check and show a plan: a goal as tasks of many teams')
    .addHelpText('after', helpOfDefault('check', `fed plan check ${usualFile}`))
  declare(
    plan,
    'check [file]',
    `Check a plan, with line numbers; ${usualFile} without a file`,
    `fed plan check ${usualFile}`,
    {
      isDefault: true,
    },
  ).action(async (file: string | undefined, options: CommonOptions) => {
    const { problems } = await read(file, options)
    print(options, { problems }, () =>
      problems.length === 0 ? 'nothing is wrong with it' : listed(file ?? usualFile, problems),
    )
    if (problems.length > 0) process.exitCode = 1
  })
  declare(
    plan,
    'show [file]',
    "Show a plan's tasks in the order in which they may begin",
    `fed plan show ${usualFile} --json`,
  ).action(async (file: string | undefined, options: CommonOptions) => {
    const { plan: found, problems } = await read(file, options)
    if (found === undefined || problems.length > 0) throw new UsageError(listed(file ?? usualFile, problems))
    print(options, found, () => shown(found))
  })
}

async function read(file: string | undefined, options: CommonOptions): Promise<ReadPlan> {
  const { readPlan } = await import('../../../records/plan/read-plan.ts')
  if (file !== '-' && !existsSync(file ?? usualFile))
    throw new UsageError(`there is no file ${file ?? usualFile}; 'fed plan check <file>' names another`)
  const text = await textOfFile(
    'plan',
    file ?? usualFile,
    longestPlan,
    (how) => `plan: ${how}, more than the ${longestPlan} that a plan may have`,
  )
  return readPlan(text, await knownTo(options))
}

/** What a plan may name: the archetypes of the federation, where there is one. */
async function knownTo(options: CommonOptions): Promise<Known> {
  const { builtIn } = await import('../../../federation/catalogue.ts')
  let catalogue = builtIn
  try {
    catalogue = await (await openToRead(options)).federation.archetypes()
  } catch (error) {
    if (!(error instanceof FederationNotFoundError)) throw error
  }
  return {
    archetypes: catalogue.archetypes.map(({ id }) => id),
    agents: [EMBEDDED_AGENT, ...knownAgentNames],
    changesCode: (id) => catalogue.find(id)?.leadAgent.tools.some(({ readOnly }) => !readOnly) ?? false,
  }
}

function listed(file: string, problems: ReadPlan['problems']): string {
  return shortened(
    problems.map(({ line, path, message }) => `${file}:${line} ${path === '' ? '' : `${path}: `}${message}`),
  )
}

/** The tasks by steps: those of one step may run at once. */
function shown({ goal, tasks, parallel, budget, gather }: Plan): string {
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
  const bounds = [
    budget === undefined ? 'no budget bounds what it costs' : `it may use up ${budget}`,
    ...(parallel === undefined ? [] : [`${parallel} at once`]),
    ...(gather === undefined ? [] : [`gathered: ${gather}`]),
  ]
  return `${goal}\n\n${table([['step', 'task', 'archetype', 'agent', 'after', 'gate', 'mission'], ...rows])}\n\n${bounds.join('; ')}`
}
