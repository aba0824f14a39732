import type { BegunBranch } from '../../agents/sessions/begin-branch.ts'
import { describeChanges, type CodebaseChange } from '../../agents/sessions/codebase-change.ts'
import type { Progress } from '../../agents/sessions/supervise.ts'
import { oneLine } from './plain-text.ts'

export function sessionLine({ number, agent, hold }: Extract<Progress, { kind: 'session' }>): string {
  return oneLine([`session ${number} of ${agent}`, ...(hold === undefined ? [] : [hold])].join(', '))
}

export function branchLine({ branch, target, commit, rescued }: BegunBranch): string {
  const kept = rescued.map(({ ref }) => ref).join(', ')
  const begins = `${branch} begins at ${commit.slice(0, 12)} of ${target}`
  return oneLine(kept === '' ? begins : `${begins}; what it held before is kept as ${kept}`)
}

export function codebaseLine(change: CodebaseChange): string {
  return oneLine(
    `the codebase changed meanwhile: ${describeChanges(change)}; ${change.whoDidIt}; patch in ${change.patch}`,
  )
}

export function unavailableLine({
  until,
  words,
}: {
  readonly until: number
  readonly words: string
}): string {
  return oneLine(`tries again at ${new Date(until).toISOString()}: what its agent works with fails: ${words}`)
}

export function limitLine({ until, words }: { readonly until: number; readonly words: string }): string {
  return oneLine(`waits until ${new Date(until).toISOString()}: its agent is over a limit: ${words}`)
}
