import { FedError } from '../errors/fed-error.ts'
import { unless } from '../errors/unless.ts'
import { git, gitOrNothing, gitWith } from '../platform/git/git.ts'
import { branchOf, tipOf } from '../platform/git/worktree.ts'

/** How git may reach the remote that the sites share: as a person's git does by its own configuration, and asks nobody. */
const reaching = {
  GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  GIT_TERMINAL_PROMPT: '0',
}

const longestMs = 120_000

/** Where a site looks for a team's branch of another one. */
function refOf(remote: string, team: string): string {
  return `refs/remotes/${remote}/${branchOf(team)}`
}

/** The commit of a team's branch here; undefined where it has none. */
export function branchTip(root: string, team: string): string | undefined {
  return tipOf(root, branchOf(team))
}

/**
 * Brings a team's branch from the remote that the sites share.
 * @param missing gets what is not there, in words.
 * @returns its commit there; undefined where it has none.
 */
export function bringBranch(
  root: string,
  remote: string,
  team: string,
  missing: string[],
): string | undefined {
  const branch = branchOf(team)
  const ref = refOf(remote, team)
  try {
    gitWith(root, ['fetch', '--quiet', '--no-tags', remote, `+refs/heads/${branch}:${ref}`], {
      env: reaching,
      longestMs,
    })
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    missing.push(`${branch} could not be fetched from ${remote}: ${error.message}`)
    return undefined
  }
  return gitOrNothing(root, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`)
}

/** Checks a commit out on the branch of a worktree that was made just now. */
export function putOnCommit(workspace: string, commit: string): void {
  git(workspace, 'reset', '--quiet', '--hard', commit)
}

/**
 * Sends a team's branch to the remote that the sites share. A branch there that was not sent from here before is not
 * overwritten.
 * @param asksRemote whether the remote is asked what it has: it may have been made anew since it was sent to.
 * @returns why it could not be; undefined where it is there.
 */
export function sendBranch(
  root: string,
  remote: string,
  team: string,
  { asksRemote = false }: { readonly asksRemote?: boolean } = {},
): string | undefined {
  const branch = branchOf(team)
  const tip = tipOf(root, branch)
  if (tip === undefined) return undefined
  const ref = refOf(remote, team)
  const sent = gitOrNothing(root, 'rev-parse', '--verify', '--quiet', ref) ?? ''
  if (sent === tip && !asksRemote) return undefined
  try {
    const isThere = sent !== '' && (!asksRemote || isAtRemote(root, remote, branch))
    const before = isThere ? sent : ''
    const lease = `--force-with-lease=refs/heads/${branch}:${before}`
    gitWith(root, ['push', '--quiet', '--no-verify', lease, remote, `${tip}:refs/heads/${branch}`], {
      env: reaching,
      longestMs,
    })
    unless(FedError, () => git(root, 'update-ref', ref, tip))
    return undefined
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    return `${branch} could not be sent to ${remote}: ${error.message}`
  }
}

function isAtRemote(root: string, remote: string, branch: string): boolean {
  const asked = ['ls-remote', remote, `refs/heads/${branch}`]
  return gitWith(root, asked, { env: reaching, longestMs }).trim() !== ''
}
