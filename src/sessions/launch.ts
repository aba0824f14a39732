import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { InterruptedError, RefusedError, TimedOutError, UsageError } from '../errors.ts'
import { packageRoot, program } from '../package.ts'
import { federationLayout, workspaceLayout } from '../protocol/layout.ts'
import { watchDirectory } from '../signals/watch.ts'
import { disk } from '../storage/disk.ts'
import { archetypeOf } from '../teams/archetypes.ts'
import type { Team, TeamStatus } from '../teams/team.ts'
import { resolveAgent, type AgentCommand } from './agent-command.ts'
import { endSession, startSession, type AgentExit, type AgentSession } from './agent-session.ts'
import { launchPrompt } from './prompt.ts'
import { listSessions, promptFile } from './session-record.ts'

export interface LaunchOptions {
  /** Agent name or command; without it, what the configuration says. */
  readonly agent?: string
  /** Told to the agent instead of the usual prompt. */
  readonly prompt?: string
  /** How often an agent that ends unfinished is started, in all. */
  readonly maxSessions: number
  /** Milliseconds until the launch gives up and stops the agent. */
  readonly timeoutMs?: number
  readonly onProgress?: (progress: Progress) => void
  /** Aborting stops the agent and leaves a state from which a later launch carries on. */
  readonly signal?: AbortSignal
}

/** What a launch says while it runs. */
export type Progress =
  | { readonly kind: 'session'; readonly number: number; readonly agent: string; readonly log: string }
  | { readonly kind: 'state'; readonly state: string }
  | { readonly kind: 'activity'; readonly line: string }

/** Time that an agent has to end by itself once its machine is final, in milliseconds. */
const farewellMs = 5000

/** Exit code by which an agent says that it cannot do this mission at all. */
const AGENT_REFUSES = 5

/**
 * Drives a team's agent until its machine is final: starts it, drains the mailbox while it works, stops it
 * when the machine ends or pauses, and starts it again when it ends unfinished.
 * @returns where the team stands at the end.
 * @throws {RefusedError} when the team is paused, archived or without a mission, when a session already runs,
 * or when the agent says that it cannot do the mission; {TimedOutError}; {InterruptedError}.
 */
export async function launch(team: Team, options: LaunchOptions): Promise<TeamStatus> {
  await team.step()
  assertLaunchable(team, await team.status())
  const deadline = options.timeoutMs === undefined ? undefined : AbortSignal.timeout(options.timeoutMs)
  for (let session = 1; session <= options.maxSessions; session += 1) {
    const { exit, cause } = await runSession(team, options, deadline)
    await team.step()
    const status = await team.status()
    if (cause === 'interrupted')
      throw new InterruptedError(`interrupted; 'fed launch --team ${team.id}' carries on`)
    if (cause === 'timed-out') {
      throw new TimedOutError(
        `${team.id} was still ${status.state} when its time was over; 'fed launch --team ${team.id}' carries on`,
      )
    }
    if (status.finished || cause === 'paused' || status.state === 'paused') return status
    if (exit.exitCode === AGENT_REFUSES)
      throw new RefusedError(exit.lastWords || 'the agent refused the mission')
  }
  const sessions = options.maxSessions === 1 ? 'one session' : `${options.maxSessions} sessions`
  const last = listSessions(workspaceLayout(team.actor.workspace).sessions).at(-1)
  await team.tell({
    type: 'alert',
    subject: 'Session exhausted',
    body: `The agent ended ${sessions} without finishing; the last one exited ${last?.end?.exitCode}. Its output is in ${last?.log}.`,
  })
  return team.status()
}

function assertLaunchable(team: Team, status: TeamStatus): void {
  const { id } = team
  if (status.status === 'archived')
    throw new RefusedError(`${id} is archived; 'fed restore ${id}' takes it back`)
  if (status.state === 'paused') throw new RefusedError(`${id} is paused; 'fed resume ${id}' continues it`)
  if (status.finished)
    throw new RefusedError(`${id} is ${status.state}; 'fed launch --team ${id} --reset' begins a new mission`)
  if (status.mission === null) {
    throw new RefusedError(
      `${id} has no mission; 'fed send ${id} --type directive --subject "<mission>"' gives it one`,
    )
  }
}

type Cause = 'ended' | 'finished' | 'paused' | 'interrupted' | 'timed-out'

async function runSession(
  team: Team,
  options: LaunchOptions,
  deadline: AbortSignal | undefined,
): Promise<{ exit: AgentExit; cause: Cause }> {
  const { workspace, world } = team.actor
  const dir = workspaceLayout(workspace).sessions
  const status = await team.status()
  const agent = options.agent ?? world.config.agentCommand
  const earlier = listSessions(dir).filter(({ mission }) => mission === status.missionNumber)
  const prompt =
    options.prompt ??
    launchPrompt({
      status,
      archetype: archetypeOf(status.archetype),
      playbook: world.config.playbookSkill,
      continues: earlier.length > 0,
    })
  const session = await startSession({
    dir,
    mission: status.missionNumber,
    agent,
    command: (number) =>
      commandFor(team, agent, prompt, promptFile(dir, { mission: status.missionNumber, number })),
    onLine: (line) => options.onProgress?.({ kind: 'activity', line }),
  })
  const { number } = session.record
  options.onProgress?.({
    kind: 'session',
    number,
    agent,
    log: path.join(dir, `${status.missionNumber}-${number}.log`),
  })
  const cause = await supervise(team, session, options, deadline)
  const exit = await session.exit
  endSession(dir, session.record, exit.exitCode, cause)
  return { exit, cause }
}

/** Drains the mailbox while the agent works; says why the session is over. */
async function supervise(
  team: Team,
  session: AgentSession,
  { onProgress, signal }: LaunchOptions,
  deadline: AbortSignal | undefined,
): Promise<Cause> {
  const changes = changeQueue(team.mailbox.inbox)
  let exited = false
  let cause: Cause | undefined
  const stop = (why: Cause) => {
    cause ??= why
    session.stop()
  }
  const onInterrupt = () => stop('interrupted')
  const onDeadline = () => stop('timed-out')
  signal?.addEventListener('abort', onInterrupt)
  deadline?.addEventListener('abort', onDeadline)
  if (signal?.aborted) onInterrupt()
  if (deadline?.aborted) onDeadline()
  const exit = session.exit.then(() => {
    exited = true
  })
  let shown: string | undefined
  try {
    while (!exited) {
      await team.step()
      const { state, finished, paused } = team.present()
      if (state !== shown) onProgress?.({ kind: 'state', state: (shown = state) })
      if (paused) stop('paused')
      if (finished) {
        cause ??= 'finished'
        await Promise.race([exit, patience(farewellMs)])
        if (!exited) session.stop()
        break
      }
      await Promise.race([changes.next(), exit])
    }
    await exit
    return cause ?? 'ended'
  } finally {
    changes.end()
    signal?.removeEventListener('abort', onInterrupt)
    deadline?.removeEventListener('abort', onDeadline)
  }
}

function patience(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}

/** Promises for "something changed since you last asked". */
function changeQueue(dir: string): { next: () => Promise<void>; end: () => void } {
  let changed = false
  let wake: (() => void) | undefined
  const end = watchDirectory(dir, () => {
    changed = true
    wake?.()
  })
  return {
    end,
    async next() {
      if (!changed) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      changed = false
    },
  }
}

/** Program, arguments, folder and environment of a team's agent (design: it runs where it must read). */
function commandFor(team: Team, agent: string, prompt: string, file: string): AgentCommand {
  const { workspace, world } = team.actor
  mkdirSync(path.dirname(file), { recursive: true })
  disk.unlink(file)
  disk.create(file, prompt)
  const placement = world.registry.entry(team.id).placementType
  return {
    ...resolveAgent(agent, prompt),
    cwd: placement === 'worktree' ? workspace : world.root,
    env: {
      FED_ROOT: world.root,
      FED_TEAM: team.id,
      FED_WORKSPACE: workspace,
      FED_PROMPT: prompt,
      FED_PROMPT_FILE: file,
      PATH: `${provideCommand(world.root)}${path.delimiter}${process.env.PATH ?? ''}`,
    },
  }
}

/** A folder that holds a `fed` for the agent's PATH: this very one, whatever else is installed. */
function provideCommand(root: string): string {
  const dir = path.join(federationLayout(root).fed, 'bin')
  const file = path.join(dir, 'fed')
  const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
  const script = `#!/bin/sh\nexec ${quote(process.execPath)} ${quote(program('fed'))} "$@"\n`
  if (disk.read(file) === script) return dir
  if (!disk.exists(program('fed')))
    throw new UsageError(`fed is not built: run 'npm run build' in ${packageRoot}`)
  mkdirSync(dir, { recursive: true })
  const temporary = path.join(dir, `.${uuid()}.tmp`)
  disk.create(temporary, script)
  chmodSync(temporary, 0o555)
  disk.rename(temporary, file)
  return dir
}
