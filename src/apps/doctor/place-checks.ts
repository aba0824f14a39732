import path from 'node:path'
import { NewerFormatError } from '../../errors/newer-format.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { disk } from '../../platform/storage/disk.ts'
import { settleHere } from '../../federation/after-move-or-copy.ts'
import { noteRecord, readRecord } from '../../federation/federation-record.ts'
import { inWords, placeFault } from '../../federation/federation-home.ts'
import { isInItsPlace } from '../../federation/place-of-team.ts'
import { newerFinding, reasonOf, type Found } from '../../monitor/diagnosis/finding.ts'
import { putAside } from '../../monitor/diagnosis/kept-aside.ts'
import { isDamage, type View } from '../../monitor/diagnosis/view.ts'

/** Whether the federation lies where its own record says, and in a folder that it can work in. */
export function homeFindings(view: View): Found[] {
  const { root, home, registered } = view
  const fault = placeFault(root)
  if (fault !== undefined)
    return [{ severity: 'error', where: root, message: fault.what, fix: fault.advice, isFatal: true }]
  if (home.kind !== 'here') {
    const { what, advice } = inWords(home)
    const finding: Found = { severity: 'error', message: what, fix: advice }
    if (home.kind !== 'moved') return [finding]
    return [
      {
        ...finding,
        fix: "what names the old place can be corrected; of a copy, 'fed init --anew' makes a new federation",
        repair: () => settle(root),
      },
    ]
  }
  const finding = unrecorded(view)
  // without teams there is nothing yet that a record tells from a copy
  if (registered.length === 0)
    return [...cameAlong(root), ...(finding?.severity === 'error' ? [finding] : [])]
  return [...cameAlong(root), finding ?? { severity: 'ok', message: 'lies where it was set up' }]
}

function cameAlong(root: string): Found[] {
  const { copied } = federationLayout(root)
  return disk.list(copied).map((name) => ({
    severity: 'note',
    where: path.join(copied, name),
    message: 'what came along with a copy of another federation',
    fix: 'remove it when nobody needs it any more',
  }))
}

function settle(root: string): string | undefined {
  const count = settleHere(root)
  if (count === undefined) return undefined
  return `registry, worktrees and the workspace${count === 1 ? '' : 's'} of ${count === 1 ? '1 team' : `${count} teams`} name this place now`
}

/** A record that is missing or damaged: a copy could not be told from the original. */
function unrecorded(view: View): Found | undefined {
  const { root, registered } = view
  const where = federationLayout(root).record
  const fault = faultOf(root)
  if (fault === undefined) return undefined
  if (fault instanceof NewerFormatError) return newerFinding(fault)
  const finding: Found = {
    severity: fault.isThere ? 'error' : 'warning',
    where,
    message: fault.message,
    fix: 'put it back from a copy',
  }
  if (!registered.every((entry) => isInItsPlace(root, entry))) return finding
  return {
    ...finding,
    fix: 'every team is in its place here: it can be written anew',
    repair() {
      const kept = fault.isThere ? `; the damaged one is kept as ${putAside(where)}` : ''
      noteRecord(root)
      return `written anew${kept}`
    },
  }
}

function faultOf(
  root: string,
): { readonly message: string; readonly isThere: boolean } | NewerFormatError | undefined {
  try {
    if (readRecord(root) !== undefined) return undefined
    return { message: 'it is missing: a copy of this federation could not be told from it', isThere: false }
  } catch (error) {
    if (error instanceof NewerFormatError) return error
    if (!isDamage(error)) throw error
    return { message: `it is damaged: ${reasonOf(error)}`, isThere: true }
  }
}
