import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { succeedsUnless } from '../../errors/unless.ts'
import { printable } from '../../errors/printable.ts'
import { FedError } from '../../errors/fed-error.ts'
import { git, gitVersion, isOlder, oldestGit } from '../../platform/git/git.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { setUp } from '../../federation/onboarding/set-up.ts'
import { idleFiltersOf } from '../../platform/git/repository-filters.ts'
import { hasOwnCommits, knownWorktrees, type KnownWorktree } from '../../platform/git/worktree.ts'
import { reasonOf, type Found } from '../../monitor/diagnosis/finding.ts'
import type { View } from '../../monitor/diagnosis/view.ts'

/** Whether git leaves `.fed` alone, and the worktrees that it knows are there. */
export function repositoryFindings(view: View): Found[] {
  const { root } = view
  try {
    git(root, 'rev-parse', '--is-inside-work-tree')
  } catch (error) {
    return [
      {
        severity: 'error',
        where: root,
        message: reasonOf(error),
        fix: "run 'git init' there, or install git",
      },
    ]
  }
  const problems = [...excluded(root), ...worktrees(view), ...idleFilters(root)]
  return problems.length > 0 ? problems : [{ severity: 'ok', message: 'leaves .fed alone' }]
}

function excluded(root: string): Found[] {
  const findings: Found[] = []
  // before there is any, nothing would be taken along; setting it up excludes it
  if (existsSync(path.join(root, '.fed')) && !isIgnored(root)) {
    findings.push({
      severity: 'warning',
      where: path.join(root, '.fed'),
      message: 'git does not ignore it: a commit would take signals and registry along',
      fix: 'it can be added to .git/info/exclude',
      repair: () => {
        setUp(root)
        return 'excluded from git'
      },
    })
  }
  const tracked = git(root, 'ls-files', '--', '.fed').split('\n').filter(Boolean)
  if (tracked.length > 0) {
    findings.push({
      severity: 'warning',
      where: path.join(root, tracked[0] as string),
      message: `git tracks ${tracked.length === 1 ? 'it' : `it and ${tracked.length - 1} more in .fed`}`,
      fix: "'git rm -r --cached .fed' stops that and keeps the files",
    })
  }
  return findings
}

function idleFilters(root: string): Found[] {
  return idleFiltersOf(root).map((name) => ({
    severity: 'warning',
    message: `git's configuration here names the filter ${printable(name)}, which fed's git does not run: nobody allowed it as it is`,
    fix: "'fed trust' shows and allows it",
  }))
}

function isIgnored(root: string): boolean {
  return succeedsUnless(FedError, () =>
    git(root, 'check-ignore', '--no-index', '--quiet', '.fed/team-registry.json'),
  )
}

/** Worktrees of teams whose folders are gone, or in which git is not known; git would refuse to make them again. */
function worktrees({ root, registered: teams }: View): Found[] {
  // what the environment says of it is enough
  if (isOlder(gitVersion(root).numbers, oldestGit)) return []
  const registered = new Set(teams.map(({ location }) => location))
  return goneWorktrees(root).map((worktree) => {
    const { path: dir, branch, head } = worktree
    const known = path.join(federationLayout(root).worktrees, path.basename(dir))
    const warn = (message: string, fix: string): Found => ({
      severity: 'warning',
      where: known,
      message,
      fix,
    })
    if (existsSync(dir))
      return warn(
        'git knows a worktree here, but the folder has no .git',
        `'git -C ${root} worktree repair' brings it back`,
      )
    const message = `git knows a worktree here, but the folder is gone`
    if (registered.has(known))
      return warn(
        message,
        `put the folder back from a copy, or 'fed offboard ${path.basename(dir)}' takes the team out and keeps its commits`,
      )
    if (hasOwnCommits(root, worktree))
      return warn(`${message}, and commit ${head} is on no branch`, `'git branch <name> ${head}' keeps it`)
    if (branch === undefined) return warn(message, "'git worktree prune' forgets it")
    return {
      ...warn(`${message}; its branch ${branch} stays`, 'git can forget it'),
      repair: () => {
        // by now it may be there again
        if (existsSync(dir)) return undefined
        git(root, 'worktree', 'remove', '--force', dir)
        return `forgotten by git; the branch ${branch} stays`
      },
    }
  })
}

/** One that is just being made is locked, and not prunable. */
function goneWorktrees(root: string): KnownWorktree[] {
  const own = `${path.join(realpathSync(root), '.fed', 'worktrees')}${path.sep}`
  return knownWorktrees(root).filter((known) => known.isPrunable && known.path.startsWith(own))
}
