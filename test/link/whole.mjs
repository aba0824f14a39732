// Plays all of what `npm test` takes a sample of between sites: every kill point, 20,000 signals under random faults, and
// three nodes with three sites in network namespaces (as root). Optional: words for the files to be played. `FED_SEED`
// takes the same faults again, `FED_LINK_SIGNALS` fewer signals, `FED_LINK_STRIDE=n` each n-th kill point; what the file
// `FED_LINK_LEDGER` says to have passed is not played again, so that a run that was ended goes on.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const named = process.argv.slice(2)
const files = named.length === 0 ? ['test/link'] : named.map((word) => `test/link/${word}`)
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--config', '.config/vitest.config.ts', '--reporter=verbose', ...files],
  { cwd: root, stdio: 'inherit', env: { ...process.env, FED_THOROUGH: '1' } },
)
process.exit(status ?? 1)
