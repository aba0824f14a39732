import { spawn } from 'node:child_process'
import { fstatSync, readSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { FedError, RefusedError, TimedOutError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { program } from '../../platform/process/package.ts'
import { ifPlain, openPlain } from '../../platform/storage/plain-file.ts'

/** How often it is looked whether a process has begun, or ended, in milliseconds. */
const lookMs = 20

interface Beginning {
  /** What runs, in a word. */
  readonly what: string
  /** File to which all that it prints is appended. */
  readonly log: string
  /** Whether the process of this number works. One that waits for something may not show it. */
  readonly hasBegun: (pid: number | undefined) => boolean
  /** How long it is waited for, in milliseconds. */
  readonly longestMs: number
}

/**
 * Runs this very command again as a process of its own, and waits until it works.
 * @returns its number.
 * @throws {RefusedError | FedError} with its last words, when it ended at once.
 */
export async function goOnInBackground({ what, log, hasBegun, longestMs }: Beginning) {
  const output = openPlain(log, 'append')
  const from = fstatSync(output).size
  const args = process.argv.slice(2).filter((arg) => arg !== '--detach')
  const child = spawn(process.execPath, [program('fed'), ...args], {
    detached: true,
    stdio: ['ignore', output, output],
  })
  const { pid } = child
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const deadline = performance.now() + longestMs
  while (!hasEnded() && performance.now() < deadline && !hasBegun(pid)) await sleep(lookMs)
  child.unref()
  if (hasEnded() && child.exitCode !== 0) {
    const why = `the ${what} ended at once: ${lastLine(log, from).replace(/^fed: /, '')}; its log is ${log}`
    throw child.exitCode === 5 ? new RefusedError(why) : new FedError(why)
  }
  return pid
}

/** The last line of what a log holds from a place on, of which it reads no more than this many bytes. */
function lastLine(log: string, from: number): string {
  const bytes = Buffer.alloc(65_536)
  const length = ifPlain(log, (descriptor) => readSync(descriptor, bytes, 0, bytes.length, from))
  return bytes.toString('utf8', 0, length).trim().split('\n').at(-1) ?? ''
}

/**
 * Asks a process to end, and waits until it has.
 * @throws {TimedOutError} when it does not.
 */
export async function endProcess(pid: number, hasEnded: () => boolean, longestMs: number): Promise<void> {
  // it may be gone since it was looked at
  unless('ESRCH', () => process.kill(pid, 'SIGTERM'))
  for (const deadline = performance.now() + longestMs; !hasEnded(); await sleep(lookMs))
    if (performance.now() > deadline) throw new TimedOutError(`process ${pid} does not end`)
}
