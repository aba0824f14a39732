import { execFileSync, spawnSync } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { standHere, withinWalls } from '../../src/platform/confinement/bubblewrap.ts'
import { systemRules } from '../../src/platform/confinement/system-rules.ts'
import { privateRules, type Inside } from '../../src/platform/private-git/inside.ts'
import { makePrivatePlace, privatePlace } from '../../src/platform/private-git/place.ts'
import { prepare } from '../../src/platform/private-git/prepare.ts'
import { realRepository } from '../../src/platform/private-git/real-repository.ts'
import { newFolder } from './fed.ts'
import { plainGit } from './plain-git.ts'
import { gitIn, writeFiles } from './repository.ts'

/** A worktree on `fed/api` with a private repository within walls, as a coding team has it. */
export interface PrivateTeam {
  readonly root: string
  readonly workTree: string
  readonly one: Inside
  /** Runs a shell's line in the worktree, as an agent would. @throws with its output when it fails. */
  readonly inside: (line: string) => string
  /** Runs git outside. */
  readonly outside: (...args: string[]) => string
  /** Begins another session. @returns what was put aside, in words. */
  readonly begin: (mission?: string) => string[]
}

export const team = 'api'

/** A shell's line that commits a file and prints the commit. */
export const commit = (name: string) =>
  `echo ${name} > ${name}.txt; git add ${name}.txt; git commit -q -m ${name}; git rev-parse HEAD`
const limits = { processes: 512, bytes: 100_000_000, places: [] }

/** @param root a repository with one commit at least. */
export async function privateTeam(root = repository()): Promise<PrivateTeam> {
  const { file } = (await standHere()) as { file: string }
  const workTree = path.join(root, '.fed', 'worktrees', team)
  gitIn(root, ['worktree', 'add', '-q', '-b', `fed/${team}`, workTree])
  const real = realRepository(root, workTree)
  if (real === undefined) throw new Error('no worktree')
  const place = privatePlace([root, team])
  const one = { real, place, walls: file }
  makePrivatePlace(place)
  const home = newFolder('home')
  const inside = (line: string) => {
    const searched = process.env.PATH ?? ''
    const rules = [
      ...systemRules({ searched, programs: [], home }),
      { kind: 'read', at: root } as const,
      ...privateRules(real, place, 'write'),
      { kind: 'write', at: workTree } as const,
      { kind: 'read', at: path.join(workTree, '.git') } as const,
    ]
    const command = { file: '/bin/bash', args: ['-euc', line], cwd: workTree, env: { PATH: searched } }
    const held = withinWalls(command, { rules, env: { HOME: os.homedir() }, network: 'none', limits }, file)
    const { status, stdout, stderr } = spawnSync(held.file, held.args, { env: held.env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${line}: ${stdout}${stderr}`)
    return stdout.trim()
  }
  const begin = (mission = 'first') => prepare(one, team, mission)
  begin()
  return { root, workTree, one, inside, outside: (...args) => plainGit(root, ...args), begin }
}

/** A repository with a history of two commits, a tag and another branch. */
export function repository(...init: string[]): string {
  const root = newFolder('shop')
  gitIn(root, ['init', '-q', '-b', 'main', ...init])
  for (const [key, value] of [
    ['user.name', 'A'],
    ['user.email', 'a@example.org'],
  ] as const)
    gitIn(root, ['config', key, value])
  writeFiles(root, { 'app.ts': 'export const answer = 42\n', '.gitignore': '.fed/\n' })
  gitIn(root, ['add', '-A'])
  gitIn(root, ['commit', '-q', '-m', 'First files'])
  gitIn(root, ['tag', 'v1'])
  gitIn(root, ['branch', 'other'])
  writeFiles(root, { 'app.ts': 'export const answer = 43\n' })
  gitIn(root, ['commit', '-q', '-a', '-m', 'Second'])
  return root
}

/** Everything that a repository holds: names of all objects, refs, and configuration. */
export function holdings(root: string): string {
  const objects = execFileSync('git', ['cat-file', '--batch-all-objects', '--batch-check', '--unordered'], {
    cwd: root,
    encoding: 'utf8',
  })
  const refs = execFileSync('git', ['for-each-ref'], { cwd: root, encoding: 'utf8' })
  const config = execFileSync('git', ['config', '--list', '--local'], { cwd: root, encoding: 'utf8' })
  return [objects.split('\n').toSorted().join('\n'), refs, config].join('\n--\n')
}
