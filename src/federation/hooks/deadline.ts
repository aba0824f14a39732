import { readdirSync, readFileSync } from 'node:fs'

/** A call of a hook's function that has not ended by then is given up, in milliseconds. */
export const callMs = 5000
/** A module that has not finished loading by then never will, in milliseconds. */
export const loadMs = 10_000

/** How often is looked whether time is up, in milliseconds. */
const lookMs = 250
/** A process that used less of the processor between two looks waits for something else, in milliseconds. */
const idleMs = 2
/** However busy the machine is, nothing is waited for longer than so many times its deadline. */
const most = 6

/**
 * Calls `late` when a deadline is over by which something should have ended. On a machine that is busy otherwise the
 * clock says little: a process that wants the processor and has not yet had it for so long is given more time.
 * @param deadlineMs in milliseconds.
 * @returns how to stop waiting.
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
    if (!isIdle && usedMs(atFirst, now) < deadlineMs && waited < most * deadlineMs) return
    clearInterval(timer)
    late()
  }, lookMs)
  return () => clearInterval(timer)
}

function usedMs(from: NodeJS.CpuUsage, to: NodeJS.CpuUsage): number {
  return (to.user - from.user + to.system - from.system) / 1000
}

/**
 * Whether another of this process's threads runs, stands in line for the processor or waits for the disk; where the
 * system does not tell, none does.
 */
function wantsMore(): boolean {
  try {
    return readdirSync('/proc/self/task').some(
      (thread) => thread !== String(process.pid) && /^[RD]$/.test(stateOf(thread)),
    )
  } catch {
    return false
  }
}

/** The letter that the kernel has for its state; nothing of one that has just ended. */
function stateOf(thread: string): string {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    // a thread's name may hold anything
    return stat.charAt(stat.lastIndexOf(')') + 2)
  } catch {
    return ''
  }
}
