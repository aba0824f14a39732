import { git } from '../platform/git/git.ts'
import { UsageError } from '../errors/fed-error.ts'
import { isBranchName } from '../protocol/branch-name.ts'
import { branchOf, tipOf } from '../platform/git/worktree.ts'

/**
 * A branch into which a team's work can be merged, by the name that a person gave.
 * @throws {UsageError} when it is none.
 */
export function assertTarget(root: string, team: string, name: string): string {
  const refuse = (what: string) => new UsageError(`--into ${name}: ${what}`)
  if (name === branchOf(team))
    throw refuse(`it is the branch on which ${team} works; name the one into which it is merged`)
  if (!isBranchName(name)) throw refuse('it is no name of a branch')
  if (tipOf(root, name) !== undefined) return name
  const branches = git(root, 'for-each-ref', '--format=%(refname:short)', '--count=6', 'refs/heads').split(
    '\n',
  )
  throw refuse(`there is no such branch in ${root}; its branches are ${branches.join(', ') || 'none'}`)
}
