import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { withinWalls } from '../confinement/bubblewrap.ts'
import { systemRules } from '../confinement/system-rules.ts'
import type { Rule } from '../confinement/walls.ts'
import { gitStart } from '../git/git-start.ts'
import { personsFolder } from '../storage/persons-folder.ts'
import { isSystemError } from '../storage/system-error.ts'
import type { PrivatePlace } from './place.ts'
import { objectFolders, type RealRepository } from './real-repository.ts'

/** Longest time that a git inside may take to tell what there is, in milliseconds. */
const longestMs = 20_000

/** Longest time that commits may take to be told to a git outside, in milliseconds. */
const longestServedMs = 120_000

/** What such a git may use up: it writes nothing. */
const limits = { processes: 512, bytes: 1_000_000, places: [] }

/** A private repository, what it stands for, and the program that makes its walls. */
export interface Inside {
  readonly real: RealRepository
  readonly place: PrivatePlace
  /** As `standHere` tells. */
  readonly walls: string
}

/** Where the real objects lie within walls: in a folder that is empty otherwise, and new in each session. */
export function objectsInside(real: RealRepository): string[] {
  return objectFolders(real).map((_, number) => `/run/fed/objects/${number}`)
}

/**
 * What a process within walls has in the place of the repository: the private one, and its objects to be read. Paths
 * stay what they are, so that the worktree's `.git` leads to the private one.
 */
export function privateRules(real: RealRepository, { git }: PrivatePlace, kind: 'read' | 'write'): Rule[] {
  const places = objectsInside(real)
  return [
    { kind, at: real.common, from: git },
    ...objectFolders(real).flatMap((from, number): Rule[] => {
      const at = places[number] as string
      // what the objects borrow from is named by the private repository, at the places of inside
      const further = existsSync(path.join(from, 'info', 'alternates'))
      return [
        { kind: 'read', at, from },
        ...(further ? [{ kind: 'read', at: `${at}/info/alternates`, from: '/dev/null' } as const] : []),
      ]
    }),
  ]
}

/**
 * A git command that works with a private repository: within walls, without network, home, and anything to write. What
 * an agent left there may make it run a program, which then gains nothing.
 */
function inside({ real, place, walls }: Inside, args: readonly string[]) {
  const { file } = gitStart(place.home, ['--version'])
  const rules = [
    ...systemRules({ searched: '', programs: [file], home: place.home }),
    { kind: 'empty', at: personsFolder('state') } as const,
    ...privateRules(real, place, 'read'),
  ]
  const env = {
    PATH: `${path.dirname(file)}:/usr/bin:/bin`,
    LC_ALL: 'C',
    GIT_PROTOCOL: 'version=2',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_NOSYSTEM: '1',
  }
  return withinWalls({ file, args, cwd: '/', env }, { rules, env: {}, network: 'none', limits }, walls)
}

/**
 * What git prints that is asked of a private repository; undefined when it fails: what is there may not even be a
 * repository any more.
 */
export function askInside(one: Inside, args: readonly string[], input = ''): string | undefined {
  if (hasPipe(one.place.git)) return undefined
  const { file, args: words, env } = inside(one, [`--git-dir=${gitDirInside(one)}`, ...args])
  const { status, stdout } = spawnSync(file, words, {
    cwd: '/',
    env,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 24,
    timeout: longestMs,
    killSignal: 'SIGKILL',
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  return status === 0 ? stdout : undefined
}

/** Whether git would wait at something that it opens wherever it looks; what waits among the objects has its time. */
function hasPipe(dir: string): boolean {
  const found = unless(isSystemError, () => readdirSync(dir, { withFileTypes: true })) ?? []
  return found.some((entry) =>
    entry.isDirectory()
      ? entry.name !== 'objects' && hasPipe(path.join(dir, entry.name))
      : !entry.isFile() && !entry.isSymbolicLink(),
  )
}

/** The worktree's own folder in a private repository, as processes within walls name it. */
export function gitDirInside({ real }: Inside): string {
  return path.join(real.common, 'worktrees', real.note)
}

/**
 * The command by which a git outside has a private repository served, as it wants it: a line for its shell, of quoted
 * words alone. It knows nothing of the environment outside.
 */
export function servedInside(one: Inside): string {
  const { file, args, env } = inside(one, ['upload-pack', '--strict'])
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  // an agent may have left a pipe that is waited at for ever
  const limited = ['timeout', '--signal=KILL', String(longestServedMs / 1000), file, ...args]
  return ['/usr/bin/env', '-i', ...variables, ...limited].map(quoted).join(' ')
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
