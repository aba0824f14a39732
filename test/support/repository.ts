import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const AUTHOR = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
}

/** Runs git in a folder with a fixed author and date, so that equal content makes equal commits. */
export function gitIn(root: string, args: string[], day = '2024-05-01'): string {
  const env = {
    ...process.env,
    ...AUTHOR,
    GIT_AUTHOR_DATE: `${day}T12:00:00Z`,
    GIT_COMMITTER_DATE: `${day}T12:00:00Z`,
    GIT_CONFIG_GLOBAL: '/dev/null',
  }
  return execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Writes files in the order given. */
export function writeFiles(root: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
}

/** A new git repository with these files, committed unless asked otherwise. Its folder is always called `shop`. */
export function repositoryOf(files: Record<string, string>, committed = true): string {
  const root = path.join(mkdtempSync(path.join(os.tmpdir(), 'fed-survey-')), 'shop')
  mkdirSync(root)
  gitIn(root, ['init', '-q', '-b', 'main'])
  writeFiles(root, files)
  if (committed) {
    gitIn(root, ['add', '-A'])
    gitIn(root, ['commit', '-q', '-m', 'First files'])
  }
  return root
}
