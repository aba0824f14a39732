import { confirm, isCancel } from '@clack/prompts'
import type { CoordinatorContext } from '../../../machines/coordinator.ts'
import { prepareGoal } from '../../agents/dispatch/prepare-goal.ts'
import { endIsTold } from '../../agents/sessions/awaited-end.ts'
import { agentOf } from '../../agents/sessions/agent-of-team.ts'
import type { LaunchChoice } from '../../agents/sessions/launch-plan.ts'
import { adoptedPlan } from '../../engine/step/task-of-team.ts'
import { goalCosts } from '../../agents/usage/goal-costs.ts'
import { InterruptedError, UsageError } from '../../errors/fed-error.ts'
import type { Federation } from '../../federation/federation.ts'
import type { GoalStatus } from '../../federation/goal/goal-status.ts'
import type { Team } from '../../federation/team.ts'
import { budgetText } from '../../protocol/budget.ts'
import { EMBEDDED_AGENT } from '../../protocol/config-schema.ts'
import { conclude, describeConclusion, hintAgents } from './conclusion.ts'
import type { CommonOptions } from './declare-command.ts'
import { goalLines } from './goal-text.ts'
import { interruption } from './interruption.ts'
import { isOut, note, print } from './output.ts'
import { planProblems, planText, readPlanFile } from './plan-text.ts'
import { seeGoalThrough } from './see-goal-through.ts'
import { withTelemetry } from './with-telemetry.ts'

export interface GoalChoice extends CommonOptions {
  readonly dir: string
  readonly plan?: string | undefined
  readonly agent?: string | undefined
  readonly parallel?: number | undefined
  readonly yes?: boolean | undefined
  readonly choice: LaunchChoice
}

/** What is said of a goal before it is worked on. */
const howItBegan = {
  begun: 'has its goal: ',
  continued: 'goes on with its goal: ',
  ended: 'has reached this goal already, and the command that saw it through could not say so: ',
} as const

/**
 * Begins a goal, or goes on with it, and sees it through.
 * @throws {UsageError | RefusedError | InterruptedError}
 */
export async function startGoal(words: string, options: GoalChoice): Promise<void> {
  const given = options.plan === undefined ? undefined : await readPlanFile(options.plan, options)
  if (given !== undefined && (given.plan === undefined || given.problems.length > 0))
    throw new UsageError(planProblems(options.plan, given.problems))
  const goal = words === '' ? given?.plan?.goal : words
  if (goal === undefined) throw new UsageError('which goal? say it: fed goal "Document this repository"')
  const signal = interruption()
  // who works is said to the teams, and holds for the next time as well
  const { agent, budget, ...choice } = options.choice
  const { federation, coordinator, begun, setUpIn } = await prepareGoal({
    dir: options.dir,
    words: goal,
    plan: given?.plan === undefined ? undefined : { text: given.text, plan: given.plan },
    agent,
    budget: budget && budgetText(budget),
    launch: options.choice,
  })
  if (setUpIn !== undefined)
    note(options, `set up a federation in ${setUpIn}: federate.config.json, and .fed/, which git ignores`)
  note(options, `${coordinator.id} ${howItBegan[begun]}${goal}`)
  hintAgents(options, agentOf(coordinator), agent)
  await withTelemetry(federation, options, async () => {
    const status = await seeGoalThrough({
      json: options.json,
      dir: options.dir,
      quiet: options.quiet,
      federation,
      coordinator,
      choice,
      parallel: options.parallel,
      signal,
      approve: () => isApproved(federation, coordinator, options, { isGiven: given !== undefined, signal }),
    })
    await tellEnd(federation, coordinator, status, options)
    if (status.finished) endIsTold(coordinator)
  })
}

/** Whether a plan may be carried out: what costs nothing begins, and everything else once somebody said so. */
async function isApproved(
  federation: Federation,
  coordinator: Team,
  options: GoalChoice,
  { isGiven, signal }: { readonly isGiven: boolean; readonly signal: AbortSignal },
): Promise<boolean> {
  const plan = adoptedPlan(coordinator.present().context as CoordinatorContext)
  if (plan === undefined) return false
  if (!options.quiet) note(options, 'the plan:')
  if (!options.quiet) process.stderr.write(`${planText(plan)}\n`)
  const agents = new Set(plan.tasks.map(({ agent }) => agent ?? agentOf(coordinator)))
  if (options.yes || [...agents].every((agent) => agent === EMBEDDED_AGENT)) return true
  if (process.stdin.isTTY && process.stderr.isTTY) {
    const bound = plan.budget ?? federation.registry.entry(coordinator.id).budget
    const cost = bound === undefined ? 'nothing bounds what it costs' : `it may use up ${bound}`
    const message = `Begin ${plan.tasks.length} tasks with ${[...agents].join(', ')}? (${cost})`
    const answer = await confirm({ message, output: process.stderr, initialValue: false, signal })
    if (isCancel(answer))
      throw new InterruptedError(`nothing was begun; the same command asks again for ${coordinator.id}`)
    return answer
  }
  if (isGiven) return true
  note(options, 'nothing was begun: without a terminal --yes carries out the plan that an agent made')
  return false
}

async function tellEnd(
  federation: Federation,
  coordinator: Team,
  status: GoalStatus,
  options: GoalChoice,
): Promise<void> {
  const conclusion = conclude(coordinator, await coordinator.status(), options.agent)
  const costs = goalCosts(federation, coordinator)
  const used = Object.fromEntries(costs)
  const isWaiting = !status.finished
  const missing = status.tasks.filter(({ state }) => state === 'failed' || state === 'blocked')
  // a goal that needs somebody is not reached
  const exitCode = isWaiting ? 5 : missing.length > 0 ? 1 : conclusion.exitCode
  print(options, { ...status, ...conclusion, used, exitCode }, () =>
    isWaiting
      ? goalLines(status, undefined, costs).join('\n')
      : [
          ...goalLines(status, undefined, costs).slice(1),
          ...missing.map(({ task, reason }) => `without ${task}: ${reason ?? ''}`),
          describeConclusion(conclusion),
        ].join('\n'),
  )
  process.exitCode = exitCode
  await isOut()
}
