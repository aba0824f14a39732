import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { ConfigInput } from '../../src/protocol/config-schema.ts'
import { git } from '../../src/platform/git/git.ts'
import { identify } from '../../src/platform/process/process-identity.ts'
import { newFolder, type Running } from './fed.ts'
import { trust } from './allow-everything.ts'
import { until } from './until.ts'

/** Adds to the configuration of a federation, on the disk, and allows what it names. */
export function configure(root: string, settings: ConfigInput): void {
  const file = path.join(root, 'federate.config.json')
  const before = JSON.parse(readFileSync(file, 'utf8')) as ConfigInput
  // what is tried here writes beside the checkout: that no held check can is tried apart
  writeFileSync(file, JSON.stringify({ ...before, confinement: { mode: 'off' }, ...settings }))
  trust(root)
}

/** A command that runs a program of one line, by node as this test is. */
export function nodeCommand(text: string): string {
  const file = path.join(newFolder('script'), 'check.mjs')
  writeFileSync(file, text)
  return `node ${file}`
}

/** Commits files into a worktree; returns the commit. */
export function commitFiles(workspace: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(workspace, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
    git(workspace, 'add', '--force', '--', name)
  }
  git(workspace, 'commit', '--quiet', '--message', `Write ${Object.keys(files).join(', ')}`)
  return git(workspace, 'rev-parse', 'HEAD')
}

/** Fresh checkouts of checks in the folder for temporary files. */
export function checkoutsIn(temporary: string): string[] {
  return readdirSync(temporary)
    .filter((name) => name.startsWith('fed-check-'))
    .toSorted()
}

/** Ends a command by a signal once its check has printed `ready <pid> <pid>`; returns when both of these are gone. */
export async function endChecksBy(signal: NodeJS.Signals, running: Running): Promise<void> {
  const [, ...pids] = await until(
    'the check to run',
    () => /ready (\d+) (\d+)/.exec(running.stderr()) ?? undefined,
  )
  running.kill(signal)
  const { code, stderr } = await running.ended
  expect(code).toBe(signal === 'SIGKILL' ? null : 130)
  if (signal !== 'SIGKILL') expect(stderr).toContain('interrupted, and nothing was recorded;')
  await until('its processes to end', () => pids.every((pid) => identify(Number(pid)) === undefined))
}
