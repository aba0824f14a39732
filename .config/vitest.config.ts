import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// one for all files; the tally prints it
process.env.FED_SEED ??= String(Date.now() % 1_000_000_000)
// who names files or tests, or wants everything, gets all of them
const { FED_THOROUGH, FED_TIMED } = process.env
if (
  FED_THOROUGH === '1' ||
  FED_TIMED === '1' ||
  process.argv.some((word) => word === '-t' || word.includes('test/'))
)
  process.env.FED_TAKE_ALL = '1'
// no test leaves this machine, and Node 20 reads all of these certificates at each of some thousand starts
delete process.env.NODE_EXTRA_CA_CERTS

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', new URL('tally-reporter.ts', import.meta.url).pathname],
    runner: new URL('sampling-runner.ts', import.meta.url).pathname,
    globalSetup: new URL('run-folders.ts', import.meta.url).pathname,
    // most tests wait for processes of their own
    maxWorkers: 2 * availableParallelism(),
    // nothing is promised in time: only a hang takes so long, however busy the machine is
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // what a test says about power cuts it sets itself; elsewhere waiting for the disk proves nothing
    env: { FED_DURABILITY: 'process' },
    coverage: { provider: 'v8', include: ['src/**', 'machines/**'] },
  },
})
