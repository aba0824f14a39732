import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ConfigInput } from '../../src/protocol/config-schema.ts'
import { git } from '../../src/platform/git/git.ts'
import { newFolder } from './fed.ts'

/** Adds to the configuration of a federation, on the disk. */
export function configure(root: string, settings: ConfigInput): void {
  const file = path.join(root, 'federate.config.json')
  const before = JSON.parse(readFileSync(file, 'utf8')) as ConfigInput
  writeFileSync(file, JSON.stringify({ ...before, ...settings }))
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
