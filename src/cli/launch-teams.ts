import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import path from 'node:path'
import { FedError, UsageError } from '../errors.ts'
import type { Federation } from '../federation.ts'
import { program } from '../package.ts'
import { federationLayout } from '../protocol/layout.ts'
import { launch } from '../sessions/launch.ts'
import type { Team } from '../teams/team.ts'
import type { CommonOptions } from './command.ts'
import { conclude, type Conclusion } from './conclusion.ts'
import { interruption } from './interruption.ts'
import { progressView } from './progress.ts'
import { textInput } from './text-input.ts'

interface Selection {
  readonly team?: string
  readonly teams?: string
  readonly all?: boolean
}

/**
 * The teams that a launch is about.
 * @throws {UsageError} when none was chosen, {TeamNotFoundError}
 */
export async function selectTeams(federation: Federation, { team, teams, all }: Selection): Promise<Team[]> {
  if (all) {
    const opened = await Promise.all(
      federation.registry.read().teams.map(({ domainId }) => federation.team(domainId)),
    )
    await Promise.all(opened.map((one) => one.step()))
    const open = opened.filter((one) => {
      const { finished, paused, context } = one.present()
      return !finished && !paused && context.mission !== null
    })
    if (open.length === 0) throw new UsageError('no team has a mission to work on')
    return open
  }
  const ids = (team ?? teams ?? '').split(',').filter((id) => id !== '')
  if (ids.length === 0) throw new UsageError('which team? --team <id>, --teams <a,b> or --all')
  return Promise.all([...new Set(ids)].map((id) => federation.team(id.trim())))
}

interface LaunchSettings extends CommonOptions {
  readonly reset?: boolean
  readonly prompt?: string
  readonly promptFile?: string
  readonly agent?: string
  readonly maxSessions: number
  readonly timeout?: number
}

/** Launches teams side by side; with one team its error is the command's, with several each tells its own. */
export async function launchTeams(
  teams: readonly Team[],
  options: LaunchSettings,
): Promise<(Conclusion & { text: string })[]> {
  const signal = interruption()
  const prompt = textInput('prompt', options.prompt, options.promptFile)
  const one = async (team: Team) => {
    if (options.reset) await resetForLaunch(team)
    const view = progressView(
      teams.length === 1 ? options : { ...options, quiet: options.quiet || process.stderr.isTTY },
      team.id,
    )
    try {
      const status = await launch(team, {
        agent: options.agent,
        prompt,
        maxSessions: options.maxSessions,
        timeoutMs: options.timeout,
        signal,
        onProgress: (progress) => view.show(progress),
      })
      return conclude(team, status)
    } catch (error) {
      if (teams.length === 1 || !(error instanceof FedError)) throw error
      const exitCode = error.exitCode as Conclusion['exitCode']
      return {
        team: team.id,
        state: team.present().state,
        reason: error.message,
        exitCode,
        text: `${team.id}: ${error.message}`,
      }
    } finally {
      view.end()
    }
  }
  return Promise.all(teams.map(one))
}

/** A reset keeps the mission's words: what was asked for is asked for again, unless a new directive waits. */
async function resetForLaunch(team: Team): Promise<void> {
  const { mission } = team.present().context
  team.reset()
  await team.step()
  if (team.present().context.mission === null && mission !== null)
    await team.direct(mission.subject, mission.body)
}

/** Runs this very command again as a process of its own. */
export function detach(root: string): { pid: number | undefined; log: string } {
  const log = path.join(federationLayout(root).fed, 'launch.log')
  const output = openSync(log, 'a')
  const args = process.argv.slice(2).filter((arg) => arg !== '--detach')
  const child = spawn(process.execPath, [program('fed'), ...args], {
    detached: true,
    stdio: ['ignore', output, output],
  })
  child.unref()
  return { pid: child.pid, log }
}
