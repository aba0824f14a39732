import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { GitRewrittenError } from '../../errors/git-errors.ts'
import { isSystemError } from '../storage/system-error.ts'

/** Where the repository of a folder lies: what git is told instead of finding it out. Paths are absolute. */
export interface RepositoryPlace {
  /** Top of the work tree, links followed. */
  readonly workTree: string
  readonly gitDir: string
  /** What all work trees of the repository share; undefined where a killed git left it open. */
  readonly commonDir: string | undefined
  /** Top of the work tree around this one. */
  readonly around: string | undefined
  /** Whether all of it is of the user who runs this: of anything else git itself says whether it is trusted. */
  readonly isOwn: boolean
}

/**
 * The repository in which a folder lies, by the files alone; undefined where there is none, or only a bare one, or
 * where what is there is damaged: git has words for that.
 * @throws {GitRewrittenError} where the folder is a worktree that the repository around it made, and its `.git` leads
 * elsewhere now.
 * @param command what git was to do there, for that error.
 */
export function placeOf(dir: string, command = 'rev-parse'): RepositoryPlace | undefined {
  const start = unless(isSystemError, () => realpathSync.native(dir))
  const found = start === undefined ? undefined : topFrom(start)
  const gitDir = found && gitDirOf(found)
  if (found === undefined || gitDir === undefined) return undefined
  const { top, entry } = found
  const around = path.dirname(top) === top ? undefined : topFrom(path.dirname(top))
  if (around !== undefined) assertAsNoted(top, gitDir, around, command)
  return {
    workTree: top,
    gitDir,
    commonDir: commonDirOf(gitDir),
    around: around?.top,
    isOwn: [entry, lstatSync(top), statOf(gitDir)].every((stat) => stat !== undefined && isOurs(stat)),
  }
}

interface Top {
  readonly top: string
  /** What lies at its `.git`. */
  readonly entry: Stats
}

/** The next folder upwards that has a `.git`, as git looks for it. */
function topFrom(start: string): Top | undefined {
  const ceilings = (process.env.GIT_CEILING_DIRECTORIES ?? '').split(path.delimiter)
  const { dev } = lstatSync(start)
  for (let dir = start; ; dir = path.dirname(dir)) {
    const isOver = dir !== start && (ceilings.includes(dir) || lstatSync(dir).dev !== dev)
    if (isOver && process.env.GIT_DISCOVERY_ACROSS_FILESYSTEM === undefined) return undefined
    const file = path.join(dir, '.git')
    const entry = statOf(file)
    if (entry !== undefined && (entry.isFile() || isGitFolder(file))) return { top: dir, entry }
    if (isGitFolder(dir) || path.dirname(dir) === dir) return undefined
  }
}

/** Whether git would take a folder for one of its own. */
function isGitFolder(dir: string): boolean {
  if (statOf(path.join(dir, 'HEAD')) === undefined) return false
  const has = (name: string) => statOf(path.join(dir, name)) !== undefined
  return has('commondir') || (has('objects') && has('refs'))
}

function gitDirOf({ top, entry }: Top): string | undefined {
  const file = path.join(top, '.git')
  if (!entry.isFile()) return file
  const [, named] = /^gitdir: (.+)$/m.exec(textOf(file) ?? '') ?? []
  const gitDir = named === undefined ? undefined : path.resolve(top, named)
  return gitDir !== undefined && isGitFolder(gitDir) ? gitDir : undefined
}

function commonDirOf(gitDir: string): string | undefined {
  const named = textOf(path.join(gitDir, 'commondir'))?.trim()
  if (named === undefined) return statOf(path.join(gitDir, 'objects')) === undefined ? undefined : gitDir
  return named === '' ? undefined : path.resolve(gitDir, named)
}

/** What a repository noted of its worktrees says better where one's git folder is than what lies in the worktree. */
function assertAsNoted(top: string, gitDir: string, around: Top, command: string): void {
  const gitDirAround = gitDirOf(around)
  const common = gitDirAround && commonDirOf(gitDirAround)
  if (common === undefined) return
  const notes = path.join(common, 'worktrees')
  const isNoteOf = (note: string) => {
    const file = textOf(path.join(note, 'gitdir'))?.trim()
    return file !== undefined && path.resolve(note, file) === path.join(top, '.git')
  }
  if (path.dirname(gitDir) === notes && isNoteOf(gitDir)) return
  const names = unless(isSystemError, () => readdirSync(notes)) ?? []
  const note = names.map((name) => path.join(notes, name)).find(isNoteOf)
  if (note === undefined || unless(isSystemError, () => realpathSync(note) === realpathSync(gitDir)) === true)
    return
  throw new GitRewrittenError(command, top, gitDir, note, around.top)
}

function isOurs({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid()
}

function statOf(file: string): Stats | undefined {
  return unless(isSystemError, () => lstatSync(file, { throwIfNoEntry: false }))
}

/** Of a plain file, small as all of these are; an agent can put anything in its place. */
function textOf(file: string): string | undefined {
  const stat = statOf(file)
  if (stat?.isFile() !== true || stat.size > 65_536) return undefined
  return unless(isSystemError, () => readFileSync(file, 'utf8'))
}
