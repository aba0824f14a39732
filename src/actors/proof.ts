import type { AnyMachineSnapshot } from 'xstate'
import type { CheckFacts, Evidence, TeamEvent } from '../../machines/team-event.ts'
import { checksOf } from '../checks/configured.ts'
import { newestResult } from '../checks/results.ts'
import { branchOf, tipOf } from '../codebase/worktree.ts'
import { loadConfig } from '../config/load-config.ts'
import { commitOf, isInWorktrees } from './branch-evidence.ts'
import type { Handled } from './lifecycle.ts'
import { newestTestRun, type TestRun } from './test-runs.ts'
import { asksGuard } from './transitions.ts'
import type { Actor } from './world.ts'

/** Guards that look at what fed ran, and one that looks at what they found. */
export const askOfTests: readonly string[] = ['testsPassedOnHead', 'headIsTested']

/** Letters of a commit's id that people are shown. */
const shortCommit = 12

function short(commit: string): string {
  return commit.slice(0, shortCommit)
}

/**
 * The last commit of the team's branch; without a worktree of its own, of what is checked out. Undefined where
 * there is none.
 */
function commitToProve(actor: Actor): string | undefined {
  const { team, workspace, world } = actor
  return isInWorktrees(actor) ? tipOf(world.root, branchOf(team)) : commitOf(workspace)
}

/**
 * The configured checks with their results on the commit that is to be proved, by what the configuration on the
 * disk says at this moment: a process that runs for long must not go by an older one.
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

function factsOf({ at, commit, passed, exitCode, fault, log }: NonNullable<ReturnType<typeof newestResult>>) {
  return { at, commit, passed, exitCode, fault, log }
}

/** How a team's work is proved, and how far it is on its present commit. */
export interface Proof {
  /** The commit that is to be proved; null where there is none. */
  readonly commit: string | null
  readonly configured: readonly CheckFacts[]
  /** Nothing holds a check in walls yet. */
  readonly unconfined: true
  /** Where nothing is configured: the newest command that the team's agent chose and fed ran. */
  readonly unpinned: TestRun | null
}

/** @returns null for a machine that asks for no tests. */
export function proofNow(actor: Actor, snapshot: AnyMachineSnapshot): Proof | null {
  if (!asksGuard(snapshot.machine, 'testsPassedOnHead')) return null
  const configured = checkFacts(actor)
  const unpinned = configured.length > 0 ? null : newestTestRun(actor.workspace)
  return { commit: commitToProve(actor) ?? null, configured, unconfined: true, unpinned }
}

/** The same for people, a line for each check. */
export function describeProof({ commit, configured, unpinned }: Proof): string[] {
  const on = commit === null ? 'no commit' : short(commit)
  if (configured.length > 0) {
    return configured.map(({ name, command, protects, result }) => {
      const end = result === null ? 'not run' : result.passed ? 'passed' : result.fault
      const of = protects.length === 0 ? '' : `, protects ${protects.join(' ')}`
      const output = result === null ? '' : `; output in ${result.log}`
      return `${name} ('${command}'): ${end} on ${on}, unconfined${of}${output}`
    })
  }
  if (unpinned === null) return ['none configured, and no command was run']
  const { command, exitCode, commit: ran } = unpinned
  return [
    `unpinned: '${command}' exited ${exitCode} on ${short(ran)}${ran === commit ? '' : `, and the branch is at ${on}`}`,
  ]
}

/** What proves a commit, in words; undefined where that was not asked, or nothing does. */
export function proofOf({ checks = [], testRun, branch }: Evidence): string | undefined {
  if (checks.length > 0) {
    const passed = checks.filter(({ result }) => result?.passed === true)
    const [first] = passed
    if (first?.result == null) return undefined
    const names = passed.map(({ name }) => name).join(', ')
    return `checks passed on ${short(first.result.commit)}: ${names}`
  }
  if (testRun == null || testRun.exitCode !== 0 || testRun.commit !== branch?.head) return undefined
  return `unpinned check: '${testRun.command}' exited 0 on ${short(testRun.commit)}`
}

/** The same of something that was handled: nothing proves what was not accepted. */
export function proofOfEntry({
  outcome,
  evidence,
}: Pick<Handled, 'outcome' | 'evidence'>): string | undefined {
  return outcome === 'accepted' && evidence !== undefined ? proofOf(evidence as Evidence) : undefined
}

/** Why tests do not count as passed, in words. */
export function whyUnproven({ type, signal, evidence }: TeamEvent): string {
  const { checks = [], branch } = evidence
  if (checks.length === 0) return whatRan(evidence)
  const command = `fed report ${type.split('.').slice(1).join('.')} --team ${signal.from}`
  const head = branch === undefined ? 'this commit' : short(branch.head)
  return checks
    .flatMap(({ name, command: run, result }) => {
      if (result === null) return [`check ${name} ('${run}') did not run on ${head}: '${command}' runs it`]
      if (result.passed) return []
      return [
        `check ${name} ('${run}') ${result.fault} on ${short(result.commit)}; its output is in ${result.log}`,
      ]
    })
    .join('; ')
}

/** Why the newest unpinned run is no proof. */
function whatRan({ testRun, branch }: Evidence): string {
  if (testRun == null) return 'it ran none since the mission began'
  const { command, commit, exitCode, uncommitted = [], log } = testRun
  const where = log === undefined ? '' : `; its output is in ${log}`
  const on = `on ${short(commit)}`
  const tip = branch?.instead === undefined ? 'HEAD' : "the team's branch"
  if (exitCode !== 0) return `'${command}' exited ${exitCode} ${on}${where}`
  if (commit !== branch?.head) {
    const head = branch === undefined ? 'no commit' : short(branch.head)
    return `'${command}' ran ${on}, and ${tip} is ${head}${where}`
  }
  return `'${command}' ran with uncommitted changes in ${uncommitted.slice(0, 5).join(', ')}${where}`
}
