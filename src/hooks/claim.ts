import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identify, isRunning, type ProcessIdentity } from '../process-identity.ts'
import { createOnce, disk, makeDirectory } from '../storage/disk.ts'

/** Whoever waits for another process to tell the hook waits so long, in milliseconds, and then goes on without. */
const patienceMs = 30_000
const pollMs = 20

/**
 * Claims the telling of one commit, so that of the processes that step a team at the same moment one tells the
 * hook. The claim of a process that died is followed by the next one; waits for one that lives.
 * @param isDone whether it was told, and everything else that the commit asks was done.
 * @returns how to give it back, or undefined when somebody else told it or still does.
 */
export async function claim(
  folder: string,
  version: number,
  isDone: () => boolean,
): Promise<(() => void) | undefined> {
  makeDirectory(folder)
  const deadline = performance.now() + patienceMs
  while (performance.now() < deadline) {
    if (isDone()) return undefined
    const claims = claimsOn(folder, version)
    const owner = claims.length === 0 ? undefined : ownerOf(path.join(folder, claims.at(-1) as string))
    if (owner !== undefined && isRunning(owner)) {
      await sleep(pollMs)
      continue
    }
    const mine = path.join(folder, `${version}.${claims.length + 1}`)
    if (!isMade(mine)) continue
    // somebody may have finished, and given its claim back, since the look
    if (!isDone()) return () => release(folder, version)
    release(folder, version)
  }
  return undefined
}

/** The claims on one commit, in the order in which they were made. */
function claimsOn(folder: string, version: number): string[] {
  const order = (name: string) => Number(name.split('.')[1])
  return disk
    .list(folder)
    .filter((name) => /^\d+\.\d+$/.test(name) && name.startsWith(`${version}.`))
    .toSorted((a, b) => order(a) - order(b))
}

/** The process that made a claim; one that was killed while it did has no name. */
function ownerOf(file: string): ProcessIdentity | undefined {
  const [pid = '', ...started] = (disk.read(file) ?? '').trim().split(' ')
  return started.length === 0 ? undefined : { pid: Number(pid), started: started.join(' ') }
}

function isMade(file: string): boolean {
  const { pid, started } = identify(process.pid) as ProcessIdentity
  return createOnce(file, `${pid} ${started}\n`, path.dirname(file), { isDurable: false })
}

function release(folder: string, version: number): void {
  for (const name of claimsOn(folder, version)) disk.unlink(path.join(folder, name))
}
