import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { UsageError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { packageRoot, program } from '../../platform/process/package.ts'
import { shellWord } from '../../protocol/command-words.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { disk, makeDirectory, replaceFile } from '../../platform/storage/disk.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'
import { ownFolder, personsFolder } from '../../platform/storage/persons-folder.ts'
import { remove } from '../../platform/storage/without-links.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import type { Team } from '../../federation/team.ts'
import { pathOutside } from '../../platform/process/find-program.ts'
import type { Command } from '../../platform/process/command.ts'
import type { AgentProfile } from '../briefing/agent-profile.ts'
import type { Assignment, Start } from '../drivers/driver.ts'

/** Longest prompt that is passed as an argument or a variable, in bytes: the kernel takes at most 128 KiB. */
const longestArgument = 100_000

/** What differs between the sessions of a team. */
interface SessionWords {
  readonly prompt: string
  readonly promptFile: string
  /** Id of the agent's own session that it is to resume. */
  readonly resume: string | undefined
  /** Name of the session's tray. */
  readonly tray: string
  /** The most US dollars that the session may cost; undefined for any. */
  readonly mayCost: number | undefined
  /** Whether walls hold its agent. */
  readonly isHeld: boolean
}

/** What a driver is told of a team's next session. */
export function assignmentFor(
  team: Team,
  profile: AgentProfile,
  { prompt, promptFile, resume, tray, mayCost, isHeld }: SessionWords,
): Assignment {
  const { workspace, world } = team.actor
  const spoken =
    Buffer.byteLength(prompt) <= longestArgument
      ? // neither an argument nor a variable can hold a NUL, and what begins with a dash is an option; the file does
        prompt.replaceAll('\0', '\uFFFD').replace(/^-/, ' -')
      : `What you are to do stands in the file ${promptFile}: read it first.`
  const { placementType: placement, onboardedAt } = world.registry.entry(team.id)
  return {
    team: team.id,
    since: onboardedAt,
    root: world.root,
    workspace,
    codebase: placement === 'worktree' ? workspace : world.root,
    profile,
    isHeld,
    prompt: spoken,
    promptFile,
    tray: path.join(workspaceLayout(workspace).trays, tray),
    ...(resume === undefined ? {} : { resume }),
    ...(mayCost === undefined ? {} : { mayCost }),
  }
}

/**
 * The command of a session's agent: program, arguments, folder and environment. It runs in the codebase
 * unless the driver says otherwise. Writes the files of `start.files` first.
 */
export function commandFor(assignment: Assignment, start: Start): Command {
  const { team, since, root, workspace, codebase, profile, prompt, promptFile, tray } = assignment
  for (const { file, text } of start.files ?? []) putFile(file, text)
  return {
    file: start.file,
    args: start.args,
    cwd: start.cwd ?? codebase,
    env: {
      // some programs believe it rather than the system
      PWD: start.cwd ?? codebase,
      FED_ROOT: root,
      FED_TEAM: team,
      FED_TEAM_SINCE: since,
      FED_WORKSPACE: workspace,
      FED_TRAY: tray,
      FED_PROMPT: prompt,
      FED_PROMPT_FILE: promptFile,
      FED_AGENT_PROFILE: JSON.stringify(profile),
      ...(profile.model === null ? {} : { FED_MODEL: profile.model }),
      ...start.env,
      PATH: pathOfAgents(root),
    },
    ...(start.takesInput ? { takesInput: true } : {}),
    ...(start.endsBy === undefined ? {} : { endsBy: start.endsBy }),
  }
}

/** The PATH of an agent: this `fed` first, and no folder where agents write. */
export function pathOfAgents(root: string): string {
  return [provideCommand(), pathOutside([root])].filter((folders) => folders !== '').join(path.delimiter)
}

function putFile(file: string, text: string): void {
  const dir = path.dirname(file)
  makeDirectory(dir)
  replaceFile(file, text, dir, { isDurable: false })
}

/**
 * A folder for the agent's PATH whose `fed` runs this very installation, whatever else is installed. It lies outside
 * of every repository, and whatever else lies in it is removed.
 * @throws {UsageError} when this installation is not built, or nobody but others may write where it would lie.
 */
export function provideCommand(): string {
  if (!disk.exists(program('fed')))
    throw new UsageError(`fed is not built: run 'npm run build' in ${packageRoot}`)
  const script = `#!/bin/sh\nexec ${shellWord(process.execPath)} ${shellWord(program('fed'))} "$@"\n`
  const name = createHash('sha256').update(script).digest('hex').slice(0, 16)
  const places = [personsFolder('cache'), path.join(os.tmpdir(), `fed-${os.userInfo().uid}`)]
  for (const place of places) {
    const dir =
      ownFolder(place) && ownFolder(path.join(place, 'bin')) && ownFolder(path.join(place, 'bin', name))
    if (dir !== undefined && unless(isSystemError, () => holdsOnly(dir, script))) return dir
  }
  throw new UsageError(
    `there is no place of your own for the programs of agents: neither ${places.join(' nor ')}`,
  )
}

/** Makes sure that a folder holds this `fed`, and nothing else that could be run instead of another program. */
function holdsOnly(dir: string, script: string): true {
  for (const name of readdirSync(dir)) if (name !== 'fed') remove(path.join(dir, name))
  const file = path.join(dir, 'fed')
  const found = readOutside(file, { largestBytes: 4096, followLinks: false })
  const isWhole = found.kind === 'text' && found.text === script && (found.stat.mode & 0o777) === 0o555
  if (!isWhole) {
    if (found.kind === 'fault') remove(file)
    replaceFile(file, script, path.dirname(dir), { isDurable: false, mode: 0o555 })
  }
  return true
}
