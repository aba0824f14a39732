import type { Reporter, TestModule } from 'vitest/node'
import { longName, noteLongTests } from './long-tests.ts'

/**
 * Prints the seed of a run and, as its last line, `N passed, N failed`, whatever else was said before. `npm run
 * test:timed` notes which tests are long.
 */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 }
    const durations = new Map<string, number>()
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state !== 'pending') count[state] += 1
        durations.set(longName(module.relativeModuleId, test.fullName), test.diagnostic()?.duration ?? 0)
      }
    }
    if (process.env.FED_TIMED === '1') noteLongTests(durations)
    const skipped = count.skipped === 0 ? '' : `, ${count.skipped} skipped`
    process.on('exit', () => {
      if (process.env.FED_TAKE_ALL !== '1')
        process.stdout.write(
          'one of ten was tried of the tests that take half a second, and of the rows of tables that cost processes; npm run test:thorough tries all\n',
        )
      process.stdout.write(`FED_SEED=${process.env.FED_SEED} takes the same samples again\n`)
      process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`)
    })
  }
}
