import { constants, copyFileSync, existsSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { below, remove } from '../storage/without-links.ts'
import { hasCode } from '../storage/system-error.ts'

/** git with an index of its own: the repository's is not touched. */
export type OwnGit = (args: readonly string[], input?: string) => string

/** The entries of a list that git printed, which `separator` ends or parts; empty ones are left out. */
export function entries(list: string, separator = '\0'): string[] {
  return list.split(separator).filter((entry) => entry !== '')
}

/** Makes an own index a copy of the repository's; an empty one where the repository has none yet. */
export function copyIndex(index: string, own: string, git: OwnGit): void {
  // of a git that was killed: nobody else works with an index of one's own
  remove(`${own}.lock`)
  // nor is anything opened that lies at its name: an agent may have put it there
  remove(own)
  try {
    below(own, (at) => copyFileSync(index, at, constants.COPYFILE_EXCL))
    // git looks again at files that are as young as its index: that is what tells a change within one second
    const { atime, mtime } = statSync(index)
    below(own, (at) => utimesSync(at, atime, mtime))
  } catch (error) {
    // nothing was ever added
    if (!hasCode(error, 'ENOENT')) throw error
    git(['read-tree', '--empty'])
  }
}

/**
 * Makes an own index see the files marked `assume-unchanged` or `skip-worktree`, where they exist.
 * @param listed what `ls-files -v -z` prints, with or without `--stage`.
 */
export function showHidden(root: string, listed: string, git: OwnGit): void {
  const hidden = entries(listed)
    .filter((line) => /^[a-zS] /.test(line))
    .map((line) => line.replace(/^. (?:\d+ [0-9a-f]+ \d\t)?/, ''))
    .filter((name) => existsSync(path.join(root, name)))
  if (hidden.length === 0) return
  for (const flag of ['--no-assume-unchanged', '--no-skip-worktree'])
    git(['update-index', flag, '-z', '--stdin'], hidden.join('\0'))
}

/** Adds files to an own index as they are in the work tree; removes from the index those that are gone. */
export function takeUp(files: readonly string[], git: OwnGit): void {
  git(
    ['-c', 'core.safecrlf=false', 'update-index', '--add', '--remove', '--replace', '-z', '--stdin'],
    files.join('\0'),
  )
}
