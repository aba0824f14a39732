// Installs the coding agents that the npm registry has into a folder of its own, in the versions with which the
// presets were tried out (or `--latest`), and proves with them that their command lines are accepted.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const packages = {
  '@anthropic-ai/claude-code': '2.1.330',
  '@github/copilot': '1.0.102',
  '@openai/codex': '0.169.0',
  '@google/gemini-cli': '0.61.0',
  'opencode-ai': '1.18.33',
  // for who has a Node.js of 22 and more, it says
  '@agentclientprotocol/claude-agent-acp': '0.101.0',
}
const isLatest = process.argv.includes('--latest')
const folder = mkdtempSync(path.join(os.tmpdir(), 'fed-agents-'))

function installedVersion(name) {
  const file = path.join(folder, 'node_modules', name, 'package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version
}

try {
  for (const [name, version] of Object.entries(packages)) {
    const wanted = isLatest ? `${name}@latest` : `${name}@${version}`
    const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-package-lock', wanted]
    const { status } = spawnSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] })
    const found = status === 0 ? installedVersion(name) : undefined
    process.stdout.write(
      found === undefined ? `not to be had here: ${wanted}\n` : `installed ${name} ${found}\n`,
    )
  }
  const args = [
    'run',
    '--config',
    '.config/vitest.config.ts',
    'test/e2e/agents/agents-command-lines',
    'test/e2e/agents/agents-usage',
    'test/e2e/agents/agents-work-within-walls',
  ]
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      FED_REAL_AGENTS: path.join(folder, 'node_modules', '.bin'),
      // codex gives its commands a /dev of their own, in which nothing is of what lies in memory
      TMPDIR: os.tmpdir(),
    },
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
