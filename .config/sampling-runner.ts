import path from 'node:path'
import type { RunnerTask as Task, RunnerTestFile as File } from 'vitest'
import { TestRunner } from 'vitest'
import { longName, longTests } from './long-tests.ts'

/** Of so many rows, and of so many long tests, `npm test` takes one. */
const share = 10

/** Where a row costs processes, and says of one more case what the others say of theirs. */
const sampled = [
  'test/e2e/',
  'test/promises/',
  'test/link/',
  'test/machines/hooks-own-machines-are-walked.',
  'test/machines/machines-tests-count-when-fed-ran-them.',
]

/**
 * Leaves rows of tables (`test.each`), where they cost processes, and long tests to other runs: which ones, the run's
 * seed says, and of ten seeds that follow each other everything has its turn. `FED_TAKE_ALL=1` takes all, as
 * `vitest.config.ts` sets it.
 */
export default class SamplingRunner extends TestRunner {
  onCollected(files: File[]): void {
    if (process.env.FED_TAKE_ALL === '1') return
    const long = longTests()
    for (const file of files) {
      const at = path.relative(this.config.root, file.filepath)
      if (sampled.some((beginning) => at.split(path.sep).join('/').startsWith(beginning)))
        leaveOut(file, at, long)
    }
  }
}

/** @param at the suite's file and names. */
function leaveOut(suite: Extract<Task, { type: 'suite' }>, at: string, long: ReadonlySet<string>): void {
  const tasks = suite.tasks.filter(({ mode }) => mode === 'run')
  const namesOf = ({ name }: Task) => longName(at, name)
  const isOptional = (task: Task) => task.type === 'test' && (task.each === true || long.has(namesOf(task)))
  const left = tasks.filter((task) => isOptional(task) && !hasTurn(namesOf(task)))
  // a table says something in each run, where that is quick
  const spared = left.length === tasks.length ? left.find((task) => !long.has(namesOf(task))) : undefined
  for (const task of left) if (task !== spared) task.mode = 'skip'
  for (const task of tasks) if (task.type === 'suite') leaveOut(task, namesOf(task), long)
  // what is prepared for none is not prepared
  if (tasks.length > 0 && tasks.every(({ mode }) => mode === 'skip')) suite.mode = 'skip'
}

function hasTurn(name: string): boolean {
  const sum = [...name].reduce((all, letter) => (all * 31 + (letter.codePointAt(0) as number)) % 1_000_003, 7)
  return (sum + Number(process.env.FED_SEED)) % share === 0
}
