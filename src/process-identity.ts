import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hasCode } from './storage/disk.ts'

/** A process, told from a later one that got the same number. */
export interface ProcessIdentity {
  readonly pid: number
  /** When it started, in the operating system's own words; only compared. */
  readonly started: string
}

/** Fields of `/proc/<pid>/stat` behind the command's name, of which the 20th is the start time. */
const startTimeField = 19

function startTimeOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // the name stands in parentheses and may hold anything, also parentheses
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return fields[0] === 'Z' ? undefined : fields[startTimeField]
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ESRCH')) return undefined
      throw error
    }
  }
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { LC_ALL: 'C' },
    })
    return started.trim() || undefined
  } catch (error) {
    // ps exits 1 when there is no such process
    if ((error as { status?: number }).status === 1) return undefined
    throw error
  }
}

/** The identity of a running process, or undefined when it is gone. */
export function identify(pid: number): ProcessIdentity | undefined {
  const started = startTimeOf(pid)
  return started === undefined ? undefined : { pid, started }
}

/** Whether that very process still runs. */
export function isRunning({ pid, started }: ProcessIdentity): boolean {
  return startTimeOf(pid) === started
}
