import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { FedError } from '../../errors/fed-error.ts'
import { gitEnvironment } from '../../platform/git/git.ts'

/**
 * What becomes of a text when two people changed it, as git merges files.
 * @returns undefined when they changed the same lines.
 * @throws {FedError} when git cannot be run.
 */
export function merge(theirs: string, original: string, ours: string): string | undefined {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'fed-merge-'))
  try {
    const files = Object.entries({ theirs, original, ours }).map(([name, text]) => {
      const file = path.join(dir, name)
      writeFileSync(file, text)
      return file
    })
    const { status, stdout, error } = spawnSync('git', ['merge-file', '-p', '-q', ...files], {
      cwd: dir,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      env: gitEnvironment(),
    })
    if (error !== undefined)
      throw new FedError(`git could not be run to merge a skill: ${error.message}`, { cause: error })
    // otherwise the number of conflicts, or that it is no text
    return status === 0 ? stdout : undefined
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
