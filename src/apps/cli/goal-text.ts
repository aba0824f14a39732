import type { Spent } from '../../agents/usage/session-usage.ts'
import type { GoalStatus, TaskRow } from '../../federation/goal/goal-status.ts'
import { presentMs } from '../../protocol/clock.ts'
import { formatDuration } from './parse-duration.ts'
import { oneLine } from './plain-text.ts'
import { table, withoutEmptyColumns } from './output.ts'

const signs: Readonly<Record<TaskRow['state'], string>> = {
  waiting: '·',
  blocked: '-',
  gated: '?',
  ready: '·',
  running: '▸',
  proving: '▸',
  failed: '✗',
  skipped: '-',
  done: '✓',
}

/** How long a task is in its state; of one that is over, how long its agents worked. */
function timeOf({ since, ended }: TaskRow, spent: Spent | undefined): string {
  if (ended) return spent === undefined ? '' : formatDuration(spent.timeMs)
  return since === '' ? '' : formatDuration(Math.max(0, presentMs() - Date.parse(since)))
}

/** What agents told that they cost; empty where none told anything. */
function costOf(spent: Spent | undefined): string {
  if (spent?.cost !== undefined) return `${spent.cost.toFixed(2)} usd`
  return spent?.tokens === undefined ? '' : `${spent.tokens} tokens`
}

/** What stands behind a task: what it waits for, what its team does, or how it ended. */
function wordOf(row: TaskRow, words: ReadonlyMap<string, string>): string {
  const { state, teamState, site, waitsFor, reason, proof, attempt } = row
  const again = attempt > 1 && state === 'running' ? `attempt ${attempt}; ` : ''
  if (waitsFor !== '') return `${again}waits for ${waitsFor}`
  if (state === 'done') return proof?.replace(/^sha256:(.{12}).*$/, 'sha256:$1') ?? ''
  if (state === 'running' || state === 'proving')
    return [`${again}${teamState ?? 'begins'}`, site === null ? '' : `at ${site}`, words.get(row.team) ?? '']
      .filter((part) => part !== '')
      .join('  ')
  return reason ?? ''
}

/**
 * A goal as lines: its tasks, and what needs somebody.
 * @param words the last that a team's agent said, by the team's id.
 * @param costs what a team has used up, by the team's id.
 */
export function goalLines(
  { coordinator, state, goal, tasks, needs }: GoalStatus,
  words: ReadonlyMap<string, string> = new Map(),
  costs: ReadonlyMap<string, Spent> = new Map(),
): string[] {
  const done = tasks.filter((task) => task.state === 'done').length
  const ofThem = tasks.length === 0 ? '' : `, ${done} of ${tasks.length} tasks done by ${coordinator}-<task>`
  const own = words.get(coordinator)
  const rows = tasks.map((row) => [
    `${signs[row.state]} ${row.task}`,
    row.state,
    timeOf(row, costs.get(row.team)),
    costOf(costs.get(row.team)),
    oneLine(wordOf(row, words)),
  ])
  return [
    oneLine(`${coordinator} is ${state}${ofThem}: ${goal}`),
    ...(own === undefined || state === 'coordinating' ? [] : [oneLine(`  ${own}`)]),
    ...(rows.length === 0 ? [] : table(withoutEmptyColumns(rows)).split('\n')),
    ...(needs.length === 0 ? [] : ['needs you:', ...needs.map((need) => `  ${oneLine(need)}`)]),
  ]
}
