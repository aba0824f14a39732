import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { UsageError } from '../errors.ts'
import { packageRoot, program } from '../package.ts'
import { federationLayout } from '../protocol/layout.ts'
import { disk } from '../storage/disk.ts'
import type { Team } from '../teams/team.ts'
import { resolveAgent, tellProfile, type AgentCommand } from './agent-command.ts'
import type { AgentProfile } from './agent-profile.ts'

/** The kernel takes no longer argument or variable than 128 KiB; a longer prompt stands in its file alone. */
const longestArgument = 100_000

/** Program, arguments, folder and environment of a team's agent (design: it runs where it must read). */
export function commandFor(
  team: Team,
  agent: string,
  profile: AgentProfile,
  prompt: string,
  promptFile: string,
): AgentCommand {
  const { workspace, world } = team.actor
  const spoken =
    Buffer.byteLength(prompt) <= longestArgument
      ? // neither an argument nor a variable can hold a NUL; the file does
        prompt.replaceAll('\0', '\uFFFD')
      : `What you are to do stands in the file ${promptFile}: read it first.`
  const placement = world.registry.entry(team.id).placementType
  const { file, args } = resolveAgent(agent, spoken)
  const told = tellProfile(agent, profile)
  return {
    file,
    args: [...args, ...told.args],
    cwd: placement === 'worktree' ? workspace : world.root,
    env: {
      FED_ROOT: world.root,
      FED_TEAM: team.id,
      FED_WORKSPACE: workspace,
      FED_PROMPT: spoken,
      FED_PROMPT_FILE: promptFile,
      FED_AGENT_PROFILE: JSON.stringify(profile),
      ...(profile.model === null ? {} : { FED_MODEL: profile.model }),
      ...told.env,
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
