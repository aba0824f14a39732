import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { unless } from '../../errors/unless.ts'

/** A process, told from a later one that got the same number. */
export interface ProcessIdentity {
  readonly pid: number
  /** When it started, in the operating system's own words; only compared. */
  readonly started: string
}

/** Of the fields behind the command's name, the 20th is the start time. */
const startTimeField = 19

/**
 * Fields of `/proc/<pid>/stat` behind the command's name: state, parent, process group, and so on (Linux).
 * @returns undefined when there is no such process.
 */
export function processStat(pid: number): string[] | undefined {
  return unless(['ENOENT', 'ESRCH'], () => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the name stands in parentheses and may hold anything, also parentheses
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  })
}

function startTimeOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const fields = processStat(pid)
    return fields?.[0] === 'Z' ? undefined : fields?.[startTimeField]
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
