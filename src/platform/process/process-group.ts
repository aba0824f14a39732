import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { succeedsUnless, unless } from '../../errors/unless.ts'
import { processStat } from './process-identity.ts'

/** Time that processes have to end after they were asked to, in milliseconds. */
export const graceMs = 5000
const pollMs = 20

/**
 * Ends what is left of a process group whose leader is gone: asks, and after five seconds kills.
 * @returns when nothing of it runs.
 */
export async function endGroup(group: number): Promise<void> {
  signalGroup(group, 'SIGTERM')
  const deadline = performance.now() + graceMs
  while (hasMembers(group)) {
    if (performance.now() > deadline) signalGroup(group, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Sends a signal to every process of a group; a group that is gone needs none. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  return succeedsUnless('ESRCH', () => process.kill(-group, signal))
}

/**
 * Sends a signal to the processes of a group but for some, on Linux.
 * @returns whether there were any others.
 */
export function signalOthers(group: number, signal: NodeJS.Signals, some: readonly number[]): boolean {
  const others = membersOf(group).filter((pid) => !some.includes(pid))
  for (const pid of others) signalProcess(pid, signal)
  return others.length > 0
}

/**
 * Ends what a killed leader left of its group. Only processes that bear this variable are touched: the number
 * may have been given to somebody else's group since. Elsewhere than on Linux nobody can tell, and nothing is done.
 * @param variable as it stands in the environment, such as `NAME=value`.
 * @returns when nothing of it runs.
 */
export async function endAbandoned(group: number, variable: string): Promise<void> {
  if (process.platform !== 'linux') return
  await endAll(() => membersOf(group).filter((pid) => hasVariable(pid, variable)))
}

/**
 * Running processes that bear a variable, in whatever group or session, but for this one. None elsewhere than on
 * Linux, where nobody can tell.
 * @param variable as it stands in the environment, such as `NAME=value`.
 */
export function bearersOf(variable: string): number[] {
  if (process.platform !== 'linux') return []
  return processes().filter((pid) => pid !== process.pid && hasVariable(pid, variable))
}

/**
 * Running processes that have their working folder, their program or an open file in this folder, as far as this
 * user may see; Linux as above.
 */
export function dwellersIn(folder: string): number[] {
  if (process.platform !== 'linux') return []
  return processes().filter(
    (pid) =>
      pid !== process.pid && heldBy(pid).some((place) => place === folder || place.startsWith(`${folder}/`)),
  )
}

/** Paths of what a process holds; none of one that is gone meanwhile, or is another user's. */
function heldBy(pid: number): string[] {
  const own = `/proc/${pid}`
  const hidden = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM']
  const open = unless(hidden, () => readdirSync(`${own}/fd`)) ?? []
  return ['cwd', 'exe', ...open.map((name) => `fd/${name}`)].flatMap(
    (name) => unless(hidden, () => readlinkSync(`${own}/${name}`)) ?? [],
  )
}

/**
 * Asks processes to end, and after five seconds kills them.
 * @param left those that still run.
 * @returns when none does.
 */
export async function endAll(left: () => readonly number[]): Promise<void> {
  for (const pid of left()) signalProcess(pid, 'SIGTERM')
  const deadline = performance.now() + graceMs
  for (let running = left(); running.length > 0; running = left()) {
    if (performance.now() > deadline) for (const pid of running) signalProcess(pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  unless('ESRCH', () => process.kill(pid, signal))
}

function hasVariable(pid: number, variable: string): boolean {
  // gone meanwhile, or another user's
  return (
    unless(['ENOENT', 'ESRCH', 'EACCES', 'EPERM'], () =>
      readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(variable),
    ) ?? false
  )
}

/**
 * Whether anything of a group runs. Ended processes that nobody has collected yet are members to the kernel; on
 * Linux they are told apart.
 */
export function hasMembers(group: number): boolean {
  if (!signalGroup(group, 0)) return false
  return process.platform !== 'linux' || membersOf(group).length > 0
}

function membersOf(group: number): number[] {
  return processes().filter((pid) => isRunningIn(pid, group))
}

function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

function isRunningIn(pid: number, group: number): boolean {
  const [state, , processGroup] = processStat(pid) ?? []
  return processGroup === String(group) && state !== 'Z' && state !== 'X'
}
