import type { Evidence, TeamEvent } from '../../../machines/team-event.ts'
import type { Handled } from './lifecycle.ts'

/** Guards that look at what fed ran, and one that looks at what they found. */
export const askOfTests: readonly string[] = ['testsPassedOnHead', 'headIsTested']

/** Letters of a commit's id that people are shown. */
const shortCommit = 12

/** A commit's id as people are shown it. */
export function short(commit: string): string {
  return commit.slice(0, shortCommit)
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
