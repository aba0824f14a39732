import { existsSync } from 'node:fs'
import path from 'node:path'
import { GitError } from '../../errors/git-errors.ts'
import { inOneLine, printable } from '../../errors/printable.ts'
import { git } from '../git/git.ts'
import { rescueCommits, rescueTogether } from '../git/rescue.ts'
import { commitsOf } from '../git/worktree.ts'
import { askInside, type Inside } from './inside.ts'
import { missionOf, putAside } from './place.ts'
import { refFormat, refsOutside } from './real-repository.ts'
import { believe, bringIn, withStaging, type Staging } from './staged-commits.ts'

/** Most branches, tags and stashes that get a name each. */
const mostKept = 200

/**
 * Keeps what a private repository that is to go holds and nothing else does, under `refs/fed/rescue/<team>/`: every
 * branch, stash and tag and what is checked out by itself, and what was committed and given up together. Again it
 * changes nothing.
 * @returns what could not be kept, in words.
 */
export function keepRest(one: Inside, team: string): string[] {
  if (missionOf(one.place) === undefined) return []
  const { root } = one.real
  return withStaging(one, refsOutside(one.real, team).refs, (staging) => {
    const named = tipsIn(one, '--all')
    if (named === undefined) {
      // what is whole comes out all the same
      keepEach(one, staging, team, objectsIn(askInside(one, ['for-each-ref', refFormat]) ?? ''))
      return ['its history cannot be read as a whole']
    }
    const troubles = keepEach(one, staging, team, named)
    if (hasSubmodules(one)) troubles.push('it has submodules of its own')
    const givenUp = tipsIn(one, '--reflog') ?? []
    if (givenUp.length > 0) {
      const fault = broughtOut(one, staging, givenUp)
      if (fault === undefined) rescueTogether(root, team, givenUp)
      else troubles.push(fault)
    }
    return troubles
  })
}

/**
 * Keeps all of a private repository that is to go, or puts it aside.
 * @returns where it lies and why, in words.
 * @throws {RefusedError} where too much lies aside.
 */
export function keepOrPutAside(one: Inside, team: string): string | undefined {
  const troubles = keepRest(one, team)
  if (troubles.length === 0) return undefined
  return `not all that ${team} committed within walls could be kept (${troubles.join('; ')}); its repository lies in ${putAside(one.place)}`
}

/** Keeps commits each under a name of its own. @returns what could not be kept, in words. */
function keepEach(one: Inside, staging: Staging, team: string, commits: readonly string[]): string[] {
  if (commits.length > mostKept) return [`${commits.length} branches, tags and stashes are too many`]
  return commits.flatMap((commit) => {
    const fault = broughtOut(one, staging, [commit])
    if (fault !== undefined) return [`${commit}: ${fault}`]
    rescueCommits(one.real.root, team, commit)
    return []
  })
}

/** @returns why these commits cannot be had, in git's words. */
function broughtOut(one: Inside, staging: Staging, commits: readonly string[]): string | undefined {
  const known = commitsOf(one.real.root, commits)
  const fresh = commits.filter((_, at) => known[at] === undefined)
  if (fresh.length === 0) return undefined
  try {
    bringIn(one, staging, fresh)
    believe(one, staging, fresh)
    return undefined
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return printable(inOneLine(error.words), 300)
  }
}

/**
 * The last of those commits that no ref outside holds, of what all worktrees inside name.
 * @param which `--all` refs, or all of the `--reflog`.
 * @returns undefined where git cannot tell.
 */
function tipsIn(one: Inside, which: '--all' | '--reflog'): string[] | undefined {
  const known = git(one.real.root, 'for-each-ref', '--format=^%(objectname)')
  const printed = askInside(
    one,
    ['rev-list', '--parents', '--ignore-missing', which, '--stdin'],
    `${known}\n`,
  )
  if (printed === undefined) return undefined
  const lines = printed
    .split('\n')
    .map((line) => line.split(' ').filter((word) => /^[0-9a-f]{40,64}$/.test(word)))
  const parents = new Set(lines.flatMap(([, ...of]) => of))
  return lines.flatMap(([commit]) => (commit === undefined || parents.has(commit) ? [] : [commit]))
}

/** Whether a submodule was added in it, whose commits lie in a repository of their own. */
function hasSubmodules({ real, place }: Inside): boolean {
  return ['modules', `worktrees/${real.note}/modules`].some((name) => existsSync(path.join(place.git, name)))
}

/** Names of objects among the words of a text. */
function objectsIn(text: string): string[] {
  return text.split(/\s/).filter((word) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(word))
}
