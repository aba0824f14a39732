import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { git, gitOrNothing } from './git.ts'
import { entries } from './own-index.ts'
import { placeOf } from './repository-place.ts'

/**
 * Files of a work tree with uncommitted changes, as git prints their paths; ignored files are not among them.
 * @param except paths, seen from `dir`, that do not count.
 */
export function uncommittedIn(dir: string, except: readonly string[] = []): string[] {
  const paths = except.length === 0 ? [] : ['--', ':/', ...except.map((file) => `:(exclude,literal)${file}`)]
  const look = ['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=dirty']
  const files = git(dir, ...look, ...paths)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(3))
  if (!existsSync(path.join(dir, '.gitmodules'))) return files
  const changed = changedSubmodules(dir, submodulesOf(git(dir, 'ls-files', '--stage', '-z')))
  return [...files, ...changed.filter((name) => !files.includes(name))]
}

/**
 * Folders of submodules, as the index names them.
 * @param staged what `ls-files --stage -z` prints, with or without `-v`.
 */
export function submodulesOf(staged: string): string[] {
  return entries(staged).flatMap((line) => /^(?:. )?160000 [^\t]*\t([^]*)$/.exec(line)?.[1] ?? [])
}

/**
 * Those of these submodules in whose files something is uncommitted, but for those that `.gitmodules` says to ignore.
 * Each is asked by itself: a git that goes from one repository into another takes that one's settings unlooked at.
 */
export function changedSubmodules(dir: string, names: readonly string[]): string[] {
  const changed = names.filter((name) => {
    const place = path.join(dir, name)
    return isCheckedOut(place) && uncommittedIn(place).length > 0
  })
  return changed.length === 0 ? [] : changed.filter((name) => !ignoredIn(dir).has(name))
}

function isCheckedOut(place: string): boolean {
  return existsSync(path.join(place, '.git')) && placeOf(place, 'status')?.workTree === realpathSync(place)
}

/** Folders of submodules whose changed files are of no interest. */
function ignoredIn(dir: string): ReadonlySet<string> {
  const file = path.join(dir, '.gitmodules')
  const asked = ['--null', '--get-regexp', '^submodule\\..*\\.(path|ignore)$']
  const settings = existsSync(file) ? gitOrNothing(dir, 'config', '--file', file, ...asked) : undefined
  const said = new Map(entries(settings ?? '').map((entry) => splitAt(entry, entry.indexOf('\n'))))
  const isIgnored = (key: string) => {
    const ignore = said.get(key.replace(/path$/, 'ignore'))
    return ignore !== undefined && ignore !== 'none'
  }
  return new Set([...said].filter(([key]) => key.endsWith('.path') && isIgnored(key)).map(([, name]) => name))
}

function splitAt(text: string, at: number): [string, string] {
  return [text.slice(0, at), text.slice(at + 1)]
}
