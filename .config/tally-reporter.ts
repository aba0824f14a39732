import type { Reporter, TestModule } from 'vitest/node'

/** Prints the seed of a run and, as its last line, `N passed, N failed`, whatever else was said before. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state !== 'pending') count[state] += 1
      }
    }
    const skipped = count.skipped === 0 ? '' : `, ${count.skipped} skipped`
    process.on('exit', () => {
      if (process.env.FED_ALL_ROWS !== '1')
        process.stdout.write(
          'of tables whose rows cost processes one row of three was tried; FED_THOROUGH=1 tries all\n',
        )
      process.stdout.write(`FED_SEED=${process.env.FED_SEED} takes the same samples again\n`)
      process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`)
    })
  }
}
