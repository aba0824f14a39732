import type { CodingContext } from '../../../../machines/coding.ts'
import { targetOf } from '../../../engine/step/mission-target.ts'
import { FedError } from '../../../errors/fed-error.ts'
import type { Team } from '../../../federation/team.ts'
import { branchWork } from '../../../platform/git/branch-work.ts'
import { branchOf } from '../../../platform/git/worktree.ts'
import type { Fault, ShownChanges } from './shown.ts'

/**
 * What a team has done for its mission on the branch that is its own, as git has it now; undefined where git knows no
 * such branch, and why where git does not say.
 */
export async function showChanges(team: Team): Promise<ShownChanges | Fault | undefined> {
  const { actor, id } = team
  const { base, testedCommit } = team.present().context as Partial<CodingContext>
  const branch = branchOf(id)
  const target = base?.target ?? targetOf(actor) ?? 'HEAD'
  try {
    const work = await branchWork(actor.world.root, {
      // a branch that was merged may be gone, and its commits are there
      heads: [`refs/heads/${branch}`, ...(testedCommit == null ? [] : [testedCommit])],
      target: target === 'HEAD' ? target : `refs/heads/${target}`,
      start: base?.start,
      before: base?.tip,
    })
    return work && { branch, target, ...work }
  } catch (error) {
    if (error instanceof FedError) return { fault: error.message }
    throw error
  }
}
