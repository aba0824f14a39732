import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Federation } from '../../src/federation/federation.ts'
import { beginMission } from '../../src/federation/mission.ts'
import { git } from '../../src/platform/git/git.ts'
import { configure } from './checks.ts'
import { commitFile } from './coding-team.ts'
import { fed, newFederation, newFolder } from './fed.ts'
import { plainGit } from './plain-git.ts'
import { writeFiles } from './repository.ts'

/** A federation in which every command that asks git finds something to ask, and a place for marks. */
export interface Walked {
  readonly root: string
  /** The worktree of the coding team `api`, which has committed and not said so. */
  readonly workspace: string
  /** A folder in which each program that must not run leaves a file. */
  readonly marks: string
}

/** @param files committed before there is any team. */
export async function newWalk(files: Readonly<Record<string, string>> = {}): Promise<Walked> {
  const root = await newFederation({ docs: 'Document the source' })
  writeFiles(root, { ...files, 'old.txt': 'a file that is gone\n' })
  const commit = (message: string) => {
    plainGit(root, 'add', '--all')
    plainGit(root, 'commit', '--quiet', '--message', message)
  }
  commit('More files')
  rmSync(path.join(root, 'old.txt'))
  commit('Fewer files')
  configure(root, { checks: [{ name: 'unit', run: 'true' }] })
  const team = await new Federation(root).onboard({ domain: 'api', archetype: 'coding' })
  const { workspace } = team.actor
  await beginMission(team, 'Change the answer')
  await team.tell({ type: 'report', subject: 'plan-ready', body: 'Change src/app.ts' })
  commitFile(workspace, 'src/app.ts', 'export const answer = 43\n')
  return { root, workspace, marks: newFolder('marks') }
}

/** Has git look into every tracked file again. */
export function touchAll({ root, workspace }: Walked): void {
  const now = new Date()
  for (const top of [root, workspace])
    for (const name of plainGit(top, '-c', 'core.fsmonitor=false', 'ls-files').split('\n'))
      if (existsSync(path.join(top, name))) utimesSync(path.join(top, name), now, now)
}

/** What a command ended with, and which programs ran meanwhile that must not. */
export interface Step {
  readonly command: string
  /** What it ends with where nothing was planted. */
  readonly expected: number
  readonly code: number | null
  readonly ran: readonly string[]
  readonly stdout: string
  readonly stderr: string
}

/** Names of the programs that ran since the last look. */
export function ranIn({ marks }: Walked): string[] {
  const names = readdirSync(marks).toSorted()
  for (const name of names) rmSync(path.join(marks, name))
  return names
}

/** Commands with which a mission goes to its end, and all that looks at it, each with its exit code. */
const commands: readonly (readonly [code: number, ...command: readonly string[]])[] = [
  [0, 'status', 'api'],
  [0, 'report', 'changes-committed', '--team', 'api'],
  [0, 'report', 'tests-passed', '--team', 'api'],
  [0, 'monitor'],
  [0, 'doctor'],
  [0, 'history', 'api'],
  [0, 'report', 'pr-opened', '--team', 'api', '--body', 'https://code.example/shop/pull/1'],
  [0, 'launch', '--team', 'docs', '--max-sessions', '1', '--confinement', 'off'],
  [0, 'onboard', 'more', '--archetype', 'coding'],
  // an agent that does nothing, after a worktree that was not as its branch
  [1, 'run', 'Change more', '--team', 'more', '--agent', 'true', '--max-sessions', '1'],
  [0, 'offboard', 'more'],
  [0, 'send', 'api', '--type', 'directive', '--subject', 'merged'],
  [0, 'monitor'],
  [0, 'offboard', 'api'],
]

/** Goes through all commands that ask git, with uncommitted files in the worktree of a team that is put away. */
export async function walk(
  walked: Walked,
  {
    env = {},
    cwd = walked.root,
  }: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<Step[]> {
  const steps: Step[] = []
  const give = async (expected: number, command: readonly string[]) => {
    touchAll(walked)
    ranIn(walked)
    const { code, stdout, stderr } = await fed(cwd, [...command, '--dir', walked.root], { env })
    steps.push({ command: command.join(' '), expected, code, ran: ranIn(walked), stdout, stderr })
    const workspace = path.join(walked.root, '.fed', 'worktrees', 'more')
    if (command[0] === 'onboard' && existsSync(workspace))
      writeFileSync(path.join(workspace, 'notes.txt'), 'not committed\n')
  }
  for (const [expected, ...command] of commands) {
    // as a person merges it, and nothing that was planted runs
    if (command[0] === 'send') git(walked.root, 'merge', '--quiet', '--ff-only', 'fed/api')
    await give(expected, command)
  }
  return steps
}
