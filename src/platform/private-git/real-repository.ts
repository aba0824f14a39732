import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { git } from '../git/git.ts'
import { placeOf } from '../git/repository-place.ts'
import { isSystemError } from '../storage/system-error.ts'
import type { Settings } from './seen-config.ts'

/** The repository that a private one stands for, as fed's git knows it outside. Paths are absolute. */
export interface RealRepository {
  readonly root: string
  readonly workTree: string
  /** git's folder, which all worktrees share. */
  readonly common: string
  /** Name of the worktree's own folder in it. */
  readonly note: string
}

/**
 * As the repository noted it: what lies in the work tree an agent may have written.
 * @returns undefined where the work tree is no worktree of the root's repository.
 */
export function realRepository(root: string, workTree: string): RealRepository | undefined {
  // by the files alone: every session begins with this
  const place = placeOf(root)
  const common = place?.commonDir && unless(isSystemError, () => realpathSync(place.commonDir as string))
  if (common === undefined || common === '') return undefined
  const notes = path.join(common, 'worktrees')
  const parent = unless(isSystemError, () => realpathSync(path.dirname(workTree))) ?? path.dirname(workTree)
  const link = path.join(parent, path.basename(workTree), '.git')
  const names = unless(isSystemError, () => readdirSync(notes)) ?? []
  const note = names.find(
    (name) => path.resolve(notes, name, textOf(path.join(notes, name, 'gitdir')).trim()) === link,
  )
  return note === undefined ? undefined : { root, workTree, common, note }
}

/** Most alternates of alternates that are followed, which is what git does. */
const deepest = 5

/** Folders of the repository's objects: its own, and those that it borrows from. */
export function objectFolders({ common }: RealRepository): string[] {
  const found = new Set<string>()
  const follow = (objects: string, depth: number) => {
    if (found.has(objects) || depth > deepest || !existsSync(objects)) return
    found.add(objects)
    for (const line of textOf(path.join(objects, 'info', 'alternates')).split('\n'))
      if (line !== '' && !line.startsWith('#')) follow(path.resolve(objects, line), depth + 1)
  }
  follow(path.join(common, 'objects'), 0)
  return [...found]
}

/** A ref with the commit or the tag that it stands for; of a symbolic one also the ref that it names. */
export interface Ref {
  readonly name: string
  readonly object: string
  readonly symbolic?: string
}

/** What git is asked for refs, here and in a private repository. */
export const refFormat = '--format=%(objectname) %(refname) %(symref)'

/** Refs as git printed them in `refFormat`; names that git itself would not make are left out. */
export function refsIn(printed: string): Ref[] {
  return printed.split('\n').flatMap((line): Ref[] => {
    const [object = '', name = '', symbolic = ''] = line.split(' ')
    if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(object) || !isRefName(name)) return []
    if (symbolic === '') return [{ name, object }]
    return isRefName(symbolic) ? [{ name, object, symbolic }] : []
  })
}

function isRefName(name: string): boolean {
  // eslint-disable-next-line no-control-regex
  return (
    /^refs\/[^\0-\u0020\u007F~^:?*[\\]+[^/.]$/.test(name) && !/\.\.|@\{|\/\.|\/\/|\.lock(?:\/|$)/.test(name)
  )
}

/** Refs that others may see: branches, tags, remotes and notes; no stash, and nothing of fed's own. */
const seen = ['refs/heads', 'refs/tags', 'refs/remotes', 'refs/notes']

/** The refs outside that others may see, and of a team the commit that was taken over last. */
export function refsOutside(
  { root }: RealRepository,
  team: string,
): { refs: Ref[]; taken: string | undefined } {
  const all = refsIn(git(root, 'for-each-ref', refFormat, ...seen, takenRef(team)))
  const isSeen = ({ name }: Ref) => name !== takenRef(team)
  return { refs: all.filter(isSeen), taken: all.find((ref) => !isSeen(ref))?.object }
}

/** Refs as a file of git's. */
export function packed(refs: readonly Ref[]): string {
  return refs
    .filter(({ symbolic }) => symbolic === undefined)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ object, name }) => `${object} ${name}\n`)
    .join('')
}

/** The commit that a team's private repository began with, or of which it was last taken over. */
export function takenRef(team: string): string {
  return `refs/fed/taken/${team}`
}

/** Files by which git ignores and converts, as one: the person's own, and the clone's. */
export interface Rules {
  readonly exclude: string
  readonly attributes: string
  readonly sparseCheckout: string
  readonly shallow: string
  /** `sha1` or `sha256`. */
  readonly objectFormat: string
}

export function rulesOf({ common, note }: RealRepository, settings: Settings): Rules {
  const inCommon = (...name: string[]) => textOf(path.join(common, ...name))
  return {
    exclude: `${named(settings, 'core.excludesfile', 'ignore')}\n${inCommon('info', 'exclude')}`,
    attributes: untrackedAttributes(common, settings),
    sparseCheckout: inCommon('worktrees', note, 'info', 'sparse-checkout'),
    shallow: inCommon('shallow'),
    objectFormat: settings.findLast(([key]) => key === 'extensions.objectformat')?.[1] ?? 'sha1',
  }
}

/** Attributes that no commit holds: the person's own, and the clone's. */
export function untrackedAttributes(common: string, settings: Settings): string {
  return `${named(settings, 'core.attributesfile', 'attributes')}\n${textOf(path.join(common, 'info', 'attributes'))}`
}

/** A file of rules that the configuration names, or that lies where it usually does. */
function named(settings: Settings, key: string, usual: string): string {
  const [, value] = settings.findLast(([one]) => one === key) ?? []
  return textOf(
    value === undefined ? path.join(personsGit(), usual) : value.replace(/^~(?=\/)/, os.homedir()),
  )
}

/** Where a person's own rules lie when no setting names another place. */
function personsGit(): string {
  return path.join(process.env.XDG_CONFIG_HOME ?? path.join(os.homedir(), '.config'), 'git')
}

/** The worktree's own folder in the real repository. */
export function notesOf({ common, note }: RealRepository): string {
  return path.join(common, 'worktrees', note)
}

/** What is checked out at the root, as git wrote it. */
export function headOf({ root, common }: RealRepository): string {
  return textOf(path.join(placeOf(root)?.gitDir ?? common, 'HEAD'))
}

/** Content of a file of the repository's or of fed's own; empty where there is none. */
export function textOf(file: string): string {
  return unless(isSystemError, () => readFileSync(file, 'utf8')) ?? ''
}
