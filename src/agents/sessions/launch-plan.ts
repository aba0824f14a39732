import type { LeadAgent } from '../../federation/lead-agent.ts'
import type { Team } from '../../federation/team.ts'
import { profileOf, type AgentProfile } from '../briefing/agent-profile.ts'
import { driverOf } from '../drivers/choose.ts'
import type { AgentDriver } from '../drivers/driver.ts'
import { agentOf } from './agent-of-team.ts'
import { assertMeasurable, type Budget } from './budget.ts'
import { launchAgain } from './launch-again.ts'
import { sandboxFor, type Sandbox, type SandboxChoice } from './sandbox.ts'

/** How far a launch goes. */
interface LaunchLimits {
  /** How often an agent that ends unfinished is started, in all. */
  readonly maxSessions: number
  /** Milliseconds until the launch gives up and stops the agent. */
  readonly timeoutMs?: number
  /** Milliseconds that an agent whose words are read may say nothing. */
  readonly silenceMs?: number
  /** Milliseconds that a team which waits for somebody else is stayed with; without it none. */
  readonly idleMs?: number
}

/** What somebody chose for an agent. */
export interface AgentChoice {
  /** Agent name or command; without it the team's own, else the configured one. */
  readonly agent?: string
  /** Name of a language model; without it `FED_MODEL`, else the agent's own. */
  readonly model?: string
}

/** What somebody chose for a launch. */
export interface LaunchChoice extends AgentChoice {
  /** Without it `auto`. */
  readonly sandbox?: SandboxChoice
  /** What the mission may use up, in all of its sessions. */
  readonly budget?: Budget
  readonly limits: LaunchLimits
  /** Told to the agent instead of the usual prompt. */
  readonly prompt?: string
}

/** The agent of a launch. */
export interface PlannedAgent {
  /** Its name or command. */
  readonly agent: string
  readonly driver: AgentDriver
  readonly profile: AgentProfile
}

/** All that a launch goes by, made once before anything begins. */
export interface LaunchPlan extends PlannedAgent, Pick<LaunchChoice, 'budget' | 'limits' | 'prompt'> {
  /** In which the agent is started; undefined for none. */
  readonly sandbox: Sandbox | undefined
  /** The command that carries on where the launch ends early. */
  readonly again: string
}

/** Whose launch is planned: a team, or one that is yet to be onboarded. */
export interface Planned {
  readonly id: string
  /** Root of the federation. */
  readonly root: string
  /** The agent where none is chosen. */
  readonly agent: string
  readonly lead: LeadAgent
}

/** A team as what is planned for. */
export function plannedFor(team: Team): Planned {
  return {
    id: team.id,
    root: team.actor.world.root,
    agent: agentOf(team),
    lead: team.archetype.leadAgent,
  }
}

/**
 * The agent that works for a team; whether its program is there is another question.
 * @throws {UsageError} when the model's name cannot be one, or a known agent does not speak the protocol that is named.
 */
export function planAgent(
  { agent: usual, lead }: Planned,
  { agent = usual, model }: AgentChoice,
): PlannedAgent {
  return { agent, driver: driverOf(agent), profile: profileOf(lead, model) }
}

/**
 * Decides what a launch goes by. A configuration that changes while it is under way changes the next one.
 * @throws {UsageError} when there is no such agent, when it does not tell what the budget is made of, or as `planAgent`
 * does; as `sandboxFor` does.
 */
export async function planLaunch(planned: Planned, choice: LaunchChoice): Promise<LaunchPlan> {
  const { budget, limits, prompt } = choice
  const staff = planAgent(planned, choice)
  const { agent, driver, profile } = staff
  if (budget !== undefined) assertMeasurable(agent, driver, budget)
  driver.find()
  const sandbox = await sandboxFor(profile, planned.root, choice.sandbox)
  return { ...staff, budget, limits, prompt, sandbox, again: launchAgain(planned.id, planned.agent, agent) }
}
