import type { AnyMachineSnapshot } from 'xstate'
import type { CheckFacts } from '../../../machines/team-event.ts'
import { checksOf } from '../checks/configured.ts'
import { newestResult } from '../checks/results.ts'
import { branchOf, tipOf } from '../../platform/git/worktree.ts'
import { loadConfig } from '../../records/config/load-config.ts'
import { commitOf, isInWorktrees } from './branch-evidence.ts'
import { short } from '../decide/proof-in-words.ts'
import { newestTestRun, type TestRun } from './test-runs.ts'
import { asksGuard } from '../decide/transitions.ts'
import type { Actor } from './world.ts'

/** Last commit of the team's branch; HEAD for a team without a worktree. Undefined where there is none. */
function commitToProve(actor: Actor): string | undefined {
  const { team, workspace, world } = actor
  return isInWorktrees(actor) ? tipOf(world.root, branchOf(team)) : commitOf(workspace)
}

/**
 * The configured checks with their results on the commit that is to be proved. The configuration is read from
 * the disk each time: a process that runs for long must not go by an older one.
 * @throws {ConfigValidationError}
 */
export function checkFacts(actor: Actor): CheckFacts[] {
  const { team, world } = actor
  const checks = checksOf(loadConfig(world.root))
  if (checks.length === 0) return []
  const commit = commitToProve(actor)
  return checks.map((check) => {
    const { name, run, protects } = check
    const result = commit === undefined ? null : newestResult({ root: world.root, team, commit }, check)
    return { name, command: run, protects, result: result && factsOf(result) }
  })
}

function factsOf({
  at,
  commit,
  passed,
  exitCode,
  fault,
  log,
  open,
}: NonNullable<ReturnType<typeof newestResult>>) {
  return { at, commit, passed, exitCode, fault, log, open }
}

/** How a team's work is proved, and how far it is on its present commit. */
export interface Proof {
  /** The commit that is to be proved; null where there is none. */
  readonly commit: string | null
  readonly configured: readonly CheckFacts[]
  /** Newest `--run` of a command that the agent chose; null without one, and where checks are configured. */
  readonly unpinned: TestRun | null
}

/** How a team's work is proved, and how far; null for a machine that asks for no tests. */
export function proofNow(actor: Actor, snapshot: AnyMachineSnapshot): Proof | null {
  if (!asksGuard(snapshot.machine, 'testsPassedOnHead')) return null
  const configured = checkFacts(actor)
  const unpinned = configured.length > 0 ? null : newestTestRun(actor.workspace)
  return { commit: commitToProve(actor) ?? null, configured, unpinned }
}

/** A proof in words, a line for each check. */
export function describeProof({ commit, configured, unpinned }: Proof): string[] {
  const on = commit === null ? 'no commit' : short(commit)
  if (configured.length > 0) {
    return configured.map(({ name, command, protects, result }) => {
      const end = result === null ? 'not run' : result.passed ? 'passed' : result.fault
      const of = protects.length === 0 ? '' : `, protects ${protects.join(' ')}`
      const held = result === null ? '' : result.open === null ? ', confined' : `, open (${result.open})`
      const output = result === null ? '' : `; output in ${result.log}`
      return `${name} ('${command}'): ${end} on ${on}${held}${of}${output}`
    })
  }
  if (unpinned === null) return ['none configured, and no command was run']
  const { command, exitCode, commit: ran } = unpinned
  return [
    `unpinned: '${command}' exited ${exitCode} on ${short(ran)}${ran === commit ? '' : `, and the branch is at ${on}`}`,
  ]
}
