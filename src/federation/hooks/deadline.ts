import { readdirSync, readFileSync } from 'node:fs'

/** Deadline for a call of a hook's function, in milliseconds. */
export const callMs = 5000
/** Deadline for loading a module, in milliseconds. */
export const loadMs = 10_000

/** How often the time is checked, in milliseconds. */
const lookMs = 250
/** A process that used less processor time than this between two checks is idle, in milliseconds. */
const idleMs = 2
/** Longest wait on a busy machine, as a multiple of the deadline. */
const mostDeadlines = 6

/**
 * Calls `late` when the deadline has passed. On a busy machine it waits longer, up to `mostDeadlines` times
 * the deadline: as long as this process is not idle and has had less processor time than the deadline.
 * @param deadlineMs in milliseconds.
 * @returns a function that stops the wait.
 */
export function startDeadline(deadlineMs: number, late: () => void): () => void {
  const began = performance.now()
  const atFirst = process.cpuUsage()
  let before = atFirst
  const timer = setInterval(() => {
    const waited = performance.now() - began
    const now = process.cpuUsage()
    const isIdle = usedMs(before, now) < idleMs && !wantsMore()
    before = now
    if (waited < deadlineMs) return
    if (!isIdle && usedMs(atFirst, now) < deadlineMs && waited < mostDeadlines * deadlineMs) return
    clearInterval(timer)
    late()
  }, lookMs)
  return () => clearInterval(timer)
}

function usedMs(from: NodeJS.CpuUsage, to: NodeJS.CpuUsage): number {
  return (to.user - from.user + to.system - from.system) / 1000
}

/** Whether another thread of this process runs, or waits for processor or disk; false where nothing tells. */
function wantsMore(): boolean {
  try {
    return readdirSync('/proc/self/task').some(
      (thread) => thread !== String(process.pid) && /^[RD]$/.test(stateOf(thread)),
    )
  } catch {
    return false
  }
}

/** The kernel's letter for the state of a thread; empty for one that has just ended. */
function stateOf(thread: string): string {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    // a thread's name may hold anything
    return stat.charAt(stat.lastIndexOf(')') + 2)
  } catch {
    return ''
  }
}
