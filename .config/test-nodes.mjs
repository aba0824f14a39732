// Builds with each of the other supported versions of Node, which npm brings as packages, and runs the whole suite on it.
import { spawnSync } from 'node:child_process'

const suite = [
  ['.config/build.mjs'],
  ['node_modules/vitest/vitest.mjs', 'run', '--config', '.config/vitest.config.ts'],
]
for (const version of process.argv.length > 2 ? process.argv.slice(2) : ['22', '24']) {
  process.stdout.write(`Node ${version}\n`)
  for (const script of suite) {
    const command = ['exec', '--yes', `--package=node@${version}`, '--', 'node', ...script]
    const { status } = spawnSync('npm', command, { stdio: 'inherit' })
    if (status !== 0) process.exit(status ?? 1)
  }
}
