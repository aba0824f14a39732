import { appendFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Adds each test file that passed to the list in `FED_TEST_PASSED`, as soon as it is over. */
export default class PassedReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const list = process.env.FED_TEST_PASSED
    if (list !== undefined && module.ok()) appendFileSync(list, `${module.relativeModuleId}\n`)
  }
}
