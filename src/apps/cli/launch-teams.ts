import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { isSystemTrouble } from '../../engine/step/unfinished.ts'
import { FedError, UnfinishedError, UsageError } from '../../errors/fed-error.ts'
import type { Federation } from '../../federation/federation.ts'
import { federationLayout, workspaceLayout } from '../../protocol/folder-layout.ts'
import { lastSession } from '../../agents/sessions/session-record.ts'
import { assertTeamId } from '../../protocol/team-id.ts'
import { waitForLease } from '../../agents/dispatch/lease.ts'
import { Slots, usualSlots } from '../../agents/dispatch/slots.ts'
import { COORDINATOR } from '../../engine/step/task-of-team.ts'
import { wantsAgent } from '../../agents/dispatch/wants-agent.ts'
import { launch } from '../../agents/sessions/launch-team.ts'
import {
  plannedFor,
  planLaunch,
  type LaunchChoice,
  type LaunchPlan,
} from '../../agents/sessions/launch-plan.ts'
import { assertNotArchived, assertStartable, assertWorkable } from '../../agents/sessions/launchable.ts'
import type { Team } from '../../federation/team.ts'
import type { TeamStatus } from '../../federation/team-status.ts'
import { goOnInBackground } from './background.ts'
import { conclude, type Conclusion } from './conclusion.ts'
import { interruption } from './interruption.ts'
import { note } from './output.ts'
import { progressViews } from './progress.ts'
import { refuseMeta } from './scope.ts'
import { launchChoice, type SessionOptions } from './session-options.ts'
import { textInput } from './text-input.ts'

export interface Selection {
  readonly team?: string
  readonly teams?: string
  readonly all?: boolean
  /** Milliseconds that a team without anything to do is stayed with. */
  idle?: number
}

/**
 * The teams that a launch is about; `--all` means every team that has a mission to work on, and with `--idle` those
 * as well that have nothing to do yet.
 * @throws {UsageError} when none was chosen, {InvalidNameError | TeamNotFoundError}
 */
export async function selectTeams(
  federation: Federation,
  named: readonly string[],
  { team, teams, all, idle }: Selection,
): Promise<Team[]> {
  if (named.length > 0 && (all || team !== undefined || teams !== undefined))
    throw new UsageError('name the teams, or say --team, --teams or --all; not both')
  if (all) {
    const opened = await Promise.all(
      federation.registry.read().teams.map(({ domainId }) => federation.team(domainId)),
    )
    const open = await Promise.all(opened.map((one) => wantsAgent(one, idle !== undefined)))
    return opened.filter((_, index) => open[index])
  }
  const several = (teams ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  const ids = (team === undefined ? [...named, ...several] : [team]).map((one) => federation.addressOf(one))
  if (ids.length === 0) throw new UsageError('which team? name it, or say --all')
  for (const id of ids) {
    refuseMeta(id)
    assertTeamId(id)
  }
  return Promise.all([...new Set(ids)].map((id) => federation.team(id)))
}

export interface LaunchSettings extends SessionOptions {
  /** Every team that has work: then so many agents run at once as the machine bears. */
  readonly all?: boolean
  readonly parallel?: number
  readonly reset?: boolean
  readonly prompt?: string
  readonly promptFile?: string
}

/** Launches teams side by side; with one team its error is the command's, with several each tells its own. */
export async function launchTeams(teams: readonly Team[], options: LaunchSettings): Promise<Conclusion[]> {
  const prompt = await textInput('prompt', options.prompt, options.promptFile)
  // not before: nothing is under way yet that an interruption would have to end in order
  const signal = interruption()
  const [first] = teams
  const release =
    options.all && first !== undefined
      ? await waitForLease(first.actor.world.root, signal, () =>
          note(
            options,
            'another process dispatches the teams of this federation; this one begins when it ends',
          ),
        )
      : undefined
  const isAlone = teams.length === 1
  const slots = options.all ? new Slots(options.parallel ?? usualSlots()) : undefined
  const viewOf = progressViews(
    options,
    teams.map(({ id }) => id),
  )
  const one = async (team: Team): Promise<Conclusion> => {
    const view = viewOf(team.id)
    try {
      const conclusion = await concluded(team, isAlone, options.agent, async () => {
        const choice = { ...launchChoice(options), prompt }
        const reset = options.reset ? await resetForLaunch(team, choice) : undefined
        return launch(team, () => reset ?? planLaunch(plannedFor(team), choice), {
          signal,
          onProgress: (progress) => view.show(progress),
          ...(slots && {
            takeSlot: (onWait) => slots.take(team.archetype.id === COORDINATOR, signal, onWait),
          }),
        })
      })
      view.end(conclusion)
      return conclusion
    } finally {
      view.end()
    }
  }
  try {
    return await Promise.all(teams.map(one))
  } finally {
    release?.()
  }
}

async function concluded(
  team: Team,
  isAlone: boolean,
  agent: string | undefined,
  launched: () => Promise<TeamStatus>,
): Promise<Conclusion> {
  try {
    return conclude(team, await launched(), agent)
  } catch (error) {
    if (isAlone || !(error instanceof FedError)) throw error
    const reason = `stopped: ${error.message}`
    return { team: team.id, state: stateOf(team), reason, exitCode: error.exitCode }
  }
}

function stateOf(team: Team): string {
  return unless(FedError, () => team.present().state) ?? 'unreadable'
}

/** A reset keeps the mission's words: what was asked for is asked for again, unless a new directive waits. */
async function resetForLaunch(team: Team, choice: LaunchChoice): Promise<LaunchPlan> {
  assertNotArchived(team)
  const plan = await planLaunch(plannedFor(team), choice)
  await assertStartable(team)
  const { missionNumber } = team.present()
  try {
    await team.reset(missionNumber, true)
    await team.step()
    return plan
  } catch (error) {
    const { missionNumber: reached, state } = team.present()
    if (!isSystemTrouble(error) || error instanceof UnfinishedError || reached === missionNumber) throw error
    const next = `'fed launch --team ${team.id}' goes on with it`
    throw new UnfinishedError(`${team.id} was reset and is ${state}`, next, error)
  }
}

/** Whoever begins a launch in the background waits so long for its first session, in milliseconds. */
const beginMs = 5000

/**
 * Goes on in the background, once nothing speaks against it.
 * @throws {RefusedError | UsageError} what the launch would say at once; {FedError} when it ended at once.
 */
export async function detach(
  federation: Federation,
  teams: readonly Team[],
  options: LaunchSettings,
): Promise<{ pid: number | undefined; log: string }> {
  if (options.promptFile === '-')
    throw new UsageError('--detach: nobody is left to read the standard input; give --prompt-file a file')
  for (const team of teams) {
    if (options.reset) assertNotArchived(team)
    else await assertWorkable(team)
    await planLaunch(plannedFor(team), launchChoice(options))
    await assertStartable(team)
  }
  const log = path.join(federationLayout(federation.root).fed, 'launch.log')
  const hasBegun = (pid: number | undefined) =>
    teams.some(({ actor: { workspace } }) => {
      const last = unless(FedError, () => lastSession(workspaceLayout(workspace).sessions))
      return last?.launcher.pid === pid
    })
  return { pid: await goOnInBackground({ what: 'launch', log, hasBegun, longestMs: beginMs }), log }
}
