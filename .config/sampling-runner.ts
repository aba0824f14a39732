import path from 'node:path'
import type { RunnerTask as Task, RunnerTestFile as File } from 'vitest'
import { TestRunner } from 'vitest'

/** Of so many rows of a table `npm test` takes one. */
const share = 3

/** Where a row costs processes, and says of one more case what the others say of theirs. */
const sampled = ['test/e2e', 'test/promises']

/**
 * Leaves rows of tables (`test.each`) to other runs, where they cost processes: which ones, the run's seed says, and
 * of three seeds that follow each other every row has its turn. `FED_ALL_ROWS=1` takes them all, as `vitest.config.ts`
 * sets it. What is written as a test of its own always runs.
 */
export default class SamplingRunner extends TestRunner {
  onCollected(files: File[]): void {
    if (process.env.FED_ALL_ROWS === '1') return
    for (const file of files) {
      const at = path.relative(this.config.root, file.filepath)
      if (sampled.some((folder) => at.startsWith(folder + path.sep))) leaveRows(file.tasks)
    }
  }
}

function leaveRows(tasks: readonly Task[]): void {
  const rows = tasks.filter((task) => task.each && task.mode === 'run')
  const kept = rows.filter(({ name }) => (sumOf(name) + Number(process.env.FED_SEED)) % share === 0)
  // a suite says something in each run
  const isEmpty = kept.length === 0 && rows.length === tasks.length
  for (const row of rows) if (!kept.includes(row) && !(isEmpty && row === rows[0])) row.mode = 'skip'
  for (const task of tasks) if (task.type === 'suite' && task.mode === 'run') leaveRows(task.tasks)
}

function sumOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) as number)) % 1_000_003, 7)
}
