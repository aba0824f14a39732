// Runs the whole suite on the other supported versions of Node, which npm brings as packages.
import { spawnSync } from 'node:child_process'

for (const version of process.argv.length > 2 ? process.argv.slice(2) : ['22', '24']) {
  process.stdout.write(`Node ${version}\n`)
  const { status } = spawnSync(
    'npm',
    [
      'exec',
      '--yes',
      `--package=node@${version}`,
      '--',
      'node',
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      '.config/vitest.config.ts',
    ],
    { stdio: 'inherit' },
  )
  if (status !== 0) process.exit(status ?? 1)
}
