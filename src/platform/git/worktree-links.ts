import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, renameSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { makeDirectory, replaceFile, WRITABLE } from '../storage/disk.ts'
import { writePlain } from '../storage/plain-file.ts'
import { asideFolder } from './set-aside.ts'
import { isWorkTree, repositoryOf } from './worktree.ts'

/**
 * Git ties a worktree to its repository by two absolute paths: a file `.git` in the worktree, and `gitdir` in what
 * the repository noted of it. After a move both name the old place; in a copy they name the original.
 * `git worktree repair` follows them there and would take the original's worktrees over, so they are written here.
 */
interface Link {
  /** The worktree's folder. */
  readonly workspace: string
  /** Where this repository noted it. */
  readonly note: string
}

/** The links of the worktrees in a folder, as far as this repository noted them. */
function linksIn(worktrees: string, common: string): Link[] {
  return foldersIn(worktrees).flatMap((workspace) => {
    const place = placeIn(workspace)
    if (place === undefined) return []
    // a copy of the repository has the note by the same name
    const note = path.join(common, 'worktrees', path.basename(place))
    const noted = notedIn(note)
    const isPair = noted !== undefined && path.basename(noted) === path.basename(workspace)
    return isPair ? [{ workspace, note }] : []
  })
}

/**
 * Has git know the worktrees in a folder where they lie now. Nothing but those and this repository's own notes of
 * them is written.
 * @returns the worktrees that are this repository's now.
 */
export function relinkWorktrees(root: string, worktrees: string): string[] {
  if (foldersIn(worktrees).length === 0) return []
  const common = repositoryOf(root)
  return linksIn(worktrees, common).flatMap(({ workspace, note }) => {
    replace(path.join(note, 'gitdir'), `${path.join(realpathSync(workspace), '.git')}\n`, note)
    // not in the worktree, where a kill would leave it as somebody's file
    replace(path.join(workspace, '.git'), `gitdir: ${note}\n`, path.dirname(worktrees))
    return isWorkTree(root, workspace) ? [workspace] : []
  })
}

/**
 * Has git forget the worktrees of another repository that came with the copy of its notes: their branches would count
 * as checked out there. What was noted is kept in git's folder.
 */
export function forgetWorktrees(root: string, isTheirs: (place: string) => boolean): void {
  const common = repositoryOf(root)
  for (const note of foldersIn(path.join(common, 'worktrees'))) {
    const noted = notedIn(note)
    if (noted === undefined || !isTheirs(noted)) continue
    makeDirectory(asideFolder(common))
    renameSync(note, path.join(asideFolder(common), `worktrees.${path.basename(note)}.${uuid()}`))
  }
}

/**
 * Has the worktrees that lie elsewhere and whose `.git` leads nowhere since this repository was moved find it again,
 * as `git worktree repair` does; one that leads somewhere is another repository's.
 */
export function reviveWorktrees(root: string): void {
  for (const note of foldersIn(path.join(repositoryOf(root), 'worktrees'))) {
    const noted = notedIn(note)
    if (noted === undefined) continue
    const place = placeIn(noted)
    if (place === undefined || existsSync(place) || path.basename(place) !== path.basename(note)) continue
    writePlain(path.join(noted, '.git'), `gitdir: ${note}\n`)
  }
}

/** What git noted of a worktree, by its file `.git`. */
function placeIn(workspace: string): string | undefined {
  const [, place] = /^gitdir: (.+)$/m.exec(textOf(path.join(workspace, '.git')) ?? '') ?? []
  return place === undefined ? undefined : path.resolve(workspace, place)
}

/** The worktree's folder that a note names. */
function notedIn(note: string): string | undefined {
  const file = textOf(path.join(note, 'gitdir'))?.replace(/\n+$/, '')
  if (file === undefined || path.basename(file) !== '.git') return undefined
  return path.dirname(path.resolve(note, file))
}

/** Folders in one; a link, also in place of the folder itself, leads to what is somebody else's. */
export function foldersIn(dir: string): string[] {
  if (lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(dir, name))
}

/** Of a plain file; an agent can put anything in its worktree. */
function textOf(file: string): string | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : undefined
}

/** Whole at once: git reads it whenever it is asked anything. */
function replace(file: string, text: string, aside: string): void {
  if (textOf(file) === text) return
  replaceFile(file, text, aside, { mode: WRITABLE })
}
