// Installs the coding agents that the npm registry has into a folder of its own, in the versions with which the
// presets were tried out (or `--latest`), and proves with them that their command lines are accepted.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const packages = {
  '@anthropic-ai/claude-code': '2.1.330',
  '@github/copilot': '1.0.102',
  '@openai/codex': '0.169.0',
  '@google/gemini-cli': '0.61.0',
  'opencode-ai': '1.18.33',
}
const isLatest = process.argv.includes('--latest')
const folder = mkdtempSync(path.join(os.tmpdir(), 'fed-agents-'))
try {
  for (const [name, version] of Object.entries(packages)) {
    const wanted = isLatest ? name : `${name}@${version}`
    const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-package-lock', wanted]
    const { status } = spawnSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] })
    process.stdout.write(`${status === 0 ? 'installed' : 'not to be had here:'} ${wanted}\n`)
  }
  const args = ['run', '--config', '.config/vitest.config.ts', 'test/e2e/agents/agents-command-lines']
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
    stdio: 'inherit',
    env: { ...process.env, FED_REAL_AGENTS: path.join(folder, 'node_modules', '.bin') },
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
