import { unless } from '../../errors/unless.ts'
import { asideFolder, setAside } from '../../platform/git/set-aside.ts'
import { namesIn, standingOf } from '../../platform/git/leftover.ts'
import { leftoversIn } from '../../platform/git/leftovers-in.ts'
import { reason, whatItIs } from '../../platform/git/over-leftovers.ts'
import { repositoryOf } from '../../platform/git/worktree.ts'
import { FedError } from '../../errors/fed-error.ts'
import type { Found } from '../../monitor/diagnosis/finding.ts'
import type { View } from '../../monitor/diagnosis/view.ts'

/** What gits that were killed left in git's folder: some of it makes every later git fail, some nobody would notice. */
export function gitLeftoverFindings({ root }: View): Found[] {
  // without a repository there is nothing of git's, and another check says so
  const common = unless(FedError, () => repositoryOf(root))
  if (common === undefined) return []
  return [...leftoversIn(common).flatMap(leftoverFinding), ...putAside(common)]
}

function leftoverFinding(leftover: ReturnType<typeof leftoversIn>[number]): Found[] {
  const standing = standingOf(leftover)
  // it was a living git's
  if (standing === undefined) return []
  const where = leftover.path
  if (!standing.isLeft) {
    const [message, fix] = reason(leftover, standing)
    const repair = standing.ageMs < 0 ? () => setAside(leftover) : undefined
    return [{ severity: leftover.kind === 'lock' ? 'note' : 'warning', where, message, fix, repair }]
  }
  return [
    {
      severity: leftover.kind === 'lock' ? 'warning' : 'error',
      where,
      message: whatItIs(leftover),
      fix: 'no git is at work here: it can be put out of the way',
      repair: () => setAside(leftover),
    },
  ]
}

function putAside(common: string): Found[] {
  const where = asideFolder(common)
  const { length } = namesIn(where).filter((name) => !name.startsWith('.'))
  if (length === 0) return []
  const message = `it holds what was put out of git's way: ${length === 1 ? '1 thing' : `${length} things`} that killed gits had left`
  return [{ severity: 'note', where, message, fix: 'remove it when nobody needs it any more' }]
}
