import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { GitError, GitMissingError, GitSlowError } from '../../errors/git-errors.ts'
import { hasCode } from '../storage/system-error.ts'
import { commandIn, gitStart } from './git-start.ts'

/** What git printed. */
export interface Answer {
  /** Cut at the last line break before `largestBytes` where git printed more. */
  readonly text: string
  /** Whether `text` is all that git printed. */
  readonly isWhole: boolean
}

/** Longest time that git may take, in milliseconds; then it is ended. */
const longestMs = 10_000

/**
 * Asks git something that changes nothing, while this process goes on with what else it does.
 * @param largestBytes how much of the output is read; see `Answer`.
 * @throws {GitError} with git's own words when it fails; {GitSlowError | GitMissingError}
 */
export function askGit(dir: string, args: readonly string[], largestBytes = 1 << 20): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const start = gitStart(dir, args)
    const child = spawn(start.file, start.args, {
      cwd: dir,
      env: start.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longestMs,
    })
    // before anything else: without descriptors left it has no pipes either
    child.once('error', (error) =>
      reject(hasCode(error, 'ENOENT') ? new GitMissingError(dir, existsSync(dir), error) : error),
    )
    const chunks: Buffer[] = []
    let size = 0
    let words = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > largestBytes) child.kill()
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(0, 4096)))
    child.once('close', (code) => {
      const isWhole = size <= largestBytes
      const text = Buffer.concat(chunks).subarray(0, largestBytes).toString('utf8')
      if (code === 0 || !isWhole)
        resolve({ text: isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1), isWhole })
      else if (code === null) reject(new GitSlowError(commandIn(args), dir, longestMs))
      else reject(new GitError(commandIn(args), dir, words.trim(), undefined))
    })
  })
}
