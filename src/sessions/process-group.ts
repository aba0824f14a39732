import { readdirSync } from 'node:fs'
import { processStat } from '../process-identity.ts'
import { hasCode } from '../storage/disk.ts'

/** Time that processes have to end after they were asked to, in milliseconds. */
export const graceMs = 5000
const pollMs = 20

/**
 * Ends what is left of a process group whose leader is gone: asks, and after five seconds kills.
 * @returns when nothing of it runs.
 */
export async function endGroup(group: number): Promise<void> {
  signalGroup(group, 'SIGTERM')
  const deadline = Date.now() + graceMs
  while (hasMembers(group)) {
    if (Date.now() > deadline) signalGroup(group, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Sends a signal to every process of a group; a group that is gone needs none. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false
    throw error
  }
}

/** Ended processes that nobody has collected yet are members to the kernel; on Linux they are told apart. */
function hasMembers(group: number): boolean {
  if (!signalGroup(group, 0)) return false
  if (process.platform !== 'linux') return true
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => isRunningIn(Number(pid), group))
}

function isRunningIn(pid: number, group: number): boolean {
  const [state, , processGroup] = processStat(pid) ?? []
  return processGroup === String(group) && state !== 'Z' && state !== 'X'
}
