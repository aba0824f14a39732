import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { CoordinatorContext } from '../../../machines/coordinator.ts'
import { adoptedPlan } from '../../engine/step/task-of-team.ts'
import { unless } from '../../errors/unless.ts'
import { RefusedError, UsageError } from '../../errors/fed-error.ts'
import { FederationNotFoundError, TeamExistsError } from '../../errors/team-errors.ts'
import { builtIn } from '../../federation/catalogue.ts'
import { Federation } from '../../federation/federation.ts'
import { COORDINATOR } from '../../engine/step/task-of-team.ts'
import { assertMission, beginMission, textOf } from '../../federation/mission.ts'
import { initialize, setUp } from '../../federation/onboarding/set-up.ts'
import { findRoot } from '../../federation/root.ts'
import type { Team } from '../../federation/team.ts'
import { repositoryRoot } from '../../platform/git/git.ts'
import { replaceFile, WRITABLE } from '../../platform/storage/disk.ts'
import { EMBEDDED_AGENT } from '../../protocol/config-schema.ts'
import { planFiles } from '../../protocol/goal-names.ts'
import type { Plan } from '../../protocol/plan-schema.ts'
import { awaitEnd, isEndUntold } from '../sessions/awaited-end.ts'
import { planLaunch, type LaunchChoice } from '../sessions/launch-plan.ts'

export interface GoalRequest {
  readonly dir: string
  readonly words: string
  /** A plan that was checked, and its text; without it the coordinator's agent makes one. */
  readonly plan?: { readonly text: string; readonly plan: Plan } | undefined
  /** The agent of the coordinator and, where the plan names none, of its teams. */
  readonly agent?: string | undefined
  /** What all its teams together may use up, as it was typed. */
  readonly budget?: string | undefined
  readonly launch: LaunchChoice
}

export interface PreparedGoal {
  readonly federation: Federation
  readonly coordinator: Team
  /** `ended`: this very goal was reached before, and the command that saw it through could not say so. */
  readonly begun: 'begun' | 'continued' | 'ended'
  /** Root of the federation, if it was set up by this call. */
  readonly setUpIn: string | undefined
}

/** In characters. */
const longestGoal = 10_000

/** In an id so many characters are a goal's: the rest is for its tasks. */
const longestId = 22

/** Ids for a goal, the nearest first. */
function* idsFor(words: string): Generator<string, never> {
  const parts = words.toLowerCase().match(/[a-z0-9]+/g) ?? []
  let id = ''
  for (const part of parts) {
    if (`${id}-${part}`.length > longestId) break
    id = id === '' ? part : `${id}-${part}`
  }
  // a word that stands alone may be too long, or meta's
  const base = id === '' || id === 'meta' ? 'goal' : id
  yield base
  for (let number = 2; ; number += 1) yield `${base}-${number}`
}

/**
 * Prepares `fed goal`: sets up what is missing, finds the coordinator that has this goal under way or makes one, and
 * gives it the goal and the plan.
 * @throws {NotARepositoryError | UsageError | RefusedError | UntrustedError}
 */
export async function prepareGoal(request: GoalRequest): Promise<PreparedGoal> {
  const { dir, words, plan, agent, budget, launch } = request
  if (words.length > longestGoal)
    throw new UsageError(`the goal has ${words.length} characters, more than ${longestGoal}; say it shorter`)
  const text = assertMission(words, true)
  const root = unless(FederationNotFoundError, () => findRoot(dir).root)
  const found = root === undefined ? undefined : new Federation(root)
  // before anything is set up for an agent that is not there
  await planLaunch(
    {
      id: COORDINATOR,
      root: root ?? repositoryRoot(dir),
      agent: agent ?? found?.config.agentCommand ?? EMBEDDED_AGENT,
      lead: builtIn.of(COORDINATOR).leadAgent,
      agents: found?.config.agents ?? {},
      goal: [],
    },
    launch,
  )
  const federation = setUpFor(dir, found)
  const coordinator = await coordinatorFor(federation, text, { agent, budget })
  const { finished, context } = await coordinator.stepped()
  const isSame = context.mission !== null && textOf(context.mission) === text
  const isUntold = finished && isSame && isEndUntold(coordinator)
  const begun = isUntold ? 'ended' : await beginMission(coordinator, text)
  if (!isUntold) awaitEnd(coordinator)
  if (plan !== undefined && !isUntold) await givePlan(coordinator, plan)
  return { federation, coordinator, begun, setUpIn: root === undefined ? federation.root : undefined }
}

function setUpFor(dir: string, found: Federation | undefined): Federation {
  if (found === undefined) return new Federation(initialize(dir).root)
  return setUp(found.root, found.registry) ? found : new Federation(found.root)
}

/** The coordinator that has a goal, or had it last; a new one where there is none. */
async function coordinatorFor(
  federation: Federation,
  text: string,
  { agent, budget }: Pick<GoalRequest, 'agent' | 'budget'>,
): Promise<Team> {
  for (const id of idsFor(text)) {
    const entry = federation.registry.read().teams.find(({ domainId }) => domainId === id)
    if (entry === undefined) {
      try {
        const team = await federation.onboard({ domain: id, archetype: COORDINATOR, agent })
        if (budget !== undefined) setBudget(federation, id, budget)
        return team
      } catch (error) {
        // somebody begins a goal of the same words at this very moment
        if (!(error instanceof TeamExistsError)) throw error
      }
    }
    const known = federation.registry.read().teams.find(({ domainId }) => domainId === id)
    if (known?.archetypeId !== COORDINATOR || known.status === 'archived') continue
    const team = await federation.openEntry(known)
    const { mission } = (await team.stepped()).context
    if (mission !== null && textOf(mission) !== text) continue
    if (agent !== undefined && agent !== (known.agent ?? federation.config.agentCommand) && mission !== null)
      throw new RefusedError(
        `${id} works on this goal with ${known.agent ?? federation.config.agentCommand}; leave --agent out, or 'fed offboard ${id}' first`,
      )
    if (budget !== undefined) setBudget(federation, id, budget)
    return team
  }
  throw new UsageError('no name is left for this goal')
}

function setBudget(federation: Federation, id: string, budget: string): void {
  federation.registry.updateEntry(id, (entry) => ({ ...entry, budget }))
}

async function givePlan(coordinator: Team, { text, plan }: NonNullable<GoalRequest['plan']>): Promise<void> {
  const { state, context } = coordinator.present()
  // the same command before this one gave it
  if (isDeepStrictEqual(adoptedPlan(context as CoordinatorContext), plan)) return
  if (state !== 'planning')
    throw new RefusedError(
      `${coordinator.id} is ${state} and has a plan already; run it without --plan, or 'fed send ${coordinator.id} --type directive --subject changes-requested' while it waits for approval`,
    )
  const { workspace } = coordinator.actor
  replaceFile(path.join(workspace, planFiles[0]), text, path.join(workspace, '.fed'), { mode: WRITABLE })
  const { entry } = await coordinator.tell({
    type: 'report',
    subject: 'plan-ready',
    body: 'A person gave it',
  })
  if (entry?.outcome === 'refused') throw new RefusedError(entry.refusal?.message ?? 'the plan was refused')
}
