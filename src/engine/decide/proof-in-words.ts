import type { Evidence, TeamEvent } from '../../../machines/team-event.ts'
import type { Handled } from './lifecycle.ts'

/**
 * Guards for which the results of checks and test runs are gathered: `testsPassedOnHead` reads them, and the
 * report of a transition that `headIsTested` lets pass quotes them.
 */
export const askOfTests: readonly string[] = ['testsPassedOnHead', 'headIsTested']

/** Letters of a commit's id that people are shown. */
const shortCommit = 12

/** A commit's id as people are shown it. */
export function short(commit: string): string {
  return commit.slice(0, shortCommit)
}

/** What proves a commit, in words; undefined where no results were gathered, or nothing is proved. */
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

/** What proved a handled signal, in words; undefined for one that was not accepted. */
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

/**
 * Why the newest command that fed ran proves nothing. Asked where no checks are configured: the command is
 * "unpinned", one that the agent chose.
 */
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
