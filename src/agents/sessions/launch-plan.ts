import { onlyReads, type LeadAgent } from '../../federation/lead-agent.ts'
import type { Team } from '../../federation/team.ts'
import { assertTrusted } from '../../federation/trust/allowed-parts.ts'
import { loadConfig } from '../../records/config/load-config.ts'
import { profileOf, type AgentProfile } from '../briefing/agent-profile.ts'
import { driverOf } from '../drivers/choose.ts'
import type { AgentDriver } from '../drivers/driver.ts'
import { agentOf } from './agent-of-team.ts'
import type { Budget } from '../../protocol/budget.ts'
import { goalLimits } from '../usage/goal-limits.ts'
import type { ConfinementMode } from '../../protocol/config-confinement.ts'
import { agentMeant } from '../../protocol/agent-names.ts'
import { limitsFor, type Limit } from '../usage/allowance.ts'
import { assertMeasurable } from './over-budget.ts'
import { launchAgain } from './launch-again.ts'
import { holdFor, type Hold } from '../../engine/confinement/hold.ts'
import { assertPrivate } from './private-repository.ts'

/** Limits of a launch. */
interface LaunchLimits {
  /** Most sessions that may end unfinished before the launch gives up. */
  readonly maxSessions: number
  /** Longest time that the launch may take, in milliseconds; then the agent is stopped. Without it any. */
  readonly timeoutMs?: number
  /** Milliseconds that an agent may print nothing before it is stopped; not for `raw` agents. */
  readonly silenceMs?: number
  /** Milliseconds that a provider may fail before the team pauses; without it an hour. */
  readonly patienceMs?: number
  /** Milliseconds that the launch stays with a team that waits for somebody else; without it none. */
  readonly idleMs?: number
}

/** Which agent and model somebody chose. */
export interface AgentChoice {
  /** Agent name or command; without it the team's own, else the configured one. */
  readonly agent?: string
  /** Name of a language model; without it `FED_MODEL`, else the agent's own. */
  readonly model?: string
}

/** What somebody chose for a launch. */
export interface LaunchChoice extends AgentChoice {
  /** Whether its agent is held within walls; without it as the configuration says. */
  readonly confinement?: ConfinementMode
  /** What the mission may use up, in all of its sessions. */
  readonly budget?: Budget
  readonly limits: LaunchLimits
  /** Prompt for the agent instead of the usual one. */
  readonly prompt?: string
}

/** The agent of a launch. */
export interface PlannedAgent {
  /** Its name or command. */
  readonly agent: string
  readonly driver: AgentDriver
  readonly profile: AgentProfile
}

/** Everything that a launch has to know, made once before anything begins. */
export interface LaunchPlan extends PlannedAgent, Pick<LaunchChoice, 'limits' | 'prompt'> {
  /** What may be used up. */
  readonly budgets: readonly Limit[]
  /** What holds its agents. */
  readonly hold: Hold
  /** The command line that carries on with the mission when the launch ends early. */
  readonly again: string
}

/** What a plan needs to know of a team, which may be yet to be onboarded. */
export interface Planned {
  readonly id: string
  /** Root of the federation. */
  readonly root: string
  /** The agent where none is chosen. */
  readonly agent: string
  readonly lead: LeadAgent
  /** Names for agents, as the configuration gives them. */
  readonly agents: Readonly<Record<string, string>>
  /** Limits of the goal that it works for. */
  readonly goal: readonly Limit[]
}

/** What a plan needs to know of an onboarded team. */
export function plannedFor(team: Team): Planned {
  return {
    id: team.id,
    root: team.actor.world.root,
    agent: agentOf(team),
    lead: team.archetype.leadAgent,
    agents: team.actor.world.config.agents,
    goal: goalLimits(team.actor.world, team.id),
  }
}

/**
 * The agent that works for a team; whether its program is installed is not checked here.
 * @throws {UsageError} when the model's name cannot be one, or a known agent does not speak the protocol that
 * is named.
 */
export function planAgent(
  { agent: usual, lead, agents }: Planned,
  { agent: chosen = usual, model }: AgentChoice,
): PlannedAgent {
  const agent = agentMeant(agents, chosen)
  return { agent, driver: driverOf(agent), profile: profileOf(lead, model) }
}

/**
 * Makes the plan of a launch. Changes of the configuration during the launch count only for the next one. An agent
 * that was chosen for it needs no trust.
 * @throws {UntrustedError}; {UsageError} when there is no such agent, when it does not tell what a budget limits, or as
 * `planAgent` does; as `holdFor` does.
 */
export async function planLaunch(planned: Planned, choice: LaunchChoice): Promise<LaunchPlan> {
  const { limits, prompt } = choice
  const staff = planAgent(planned, choice)
  const { agent, driver, profile } = staff
  const { root } = planned
  const config = loadConfig(root)
  const budgets = [...limitsFor(config, choice.budget), ...planned.goal]
  for (const limit of budgets) assertMeasurable(agent, driver, limit)
  driver.find()
  assertTrusted(root, '.fed')
  const named = choice.agent ?? planned.agent
  if (choice.agent === undefined && named === config.agentCommand) assertTrusted(root, 'agentCommand')
  if (Object.hasOwn(config.agents, named)) assertTrusted(root, 'agents')
  // before an agent has worked for an hour on what nothing may prove
  if (!onlyReads(profile)) assertTrusted(root, 'checks')
  assertTrusted(root, 'confinement')
  const hold = await holdFor(config.confinement, root, choice.confinement)
  if ('file' in hold && !onlyReads(profile)) assertPrivate(root)
  return { ...staff, budgets, limits, prompt, hold, again: launchAgain(planned.id, planned.agent, named) }
}
