import path from 'node:path'
import { refuseNewer } from '../../errors/newer-format.ts'
import { identify, isRunning, type ProcessIdentity } from '../process/process-identity.ts'
import { createOnce, disk, makeDirectory } from './disk.ts'
import { numbersIn } from './numbered-names.ts'

/** What a claim's one line begins with; the process's number and its start follow. */
const FORMAT = 'fed-claim-1'

/**
 * Claims something that one process at a time may do. The claim of a process that died is followed by the next one.
 * @param name of what is claimed; its claims are files `<name>.<number>` in the folder.
 * @param aside folder of the same file system in which a claim is written first.
 * @returns how to give it back; undefined while somebody who lives has it, or wants it at the same moment.
 * @throws {NewerFormatError}
 */
export function claim(folder: string, name: string, aside = folder): (() => void) | undefined {
  makeDirectory(folder)
  const fileOf = (number: number) => path.join(folder, `${name}.${number}`)
  const isTaken = (numbers: readonly number[]) => numbers.some((number) => isHeld(fileOf(number)))
  for (;;) {
    const before = claimsOn(folder, name)
    if (isTaken(before)) return undefined
    const mine = (before.at(-1) ?? 0) + 1
    if (!isMade(fileOf(mine), aside)) continue
    // since the look all may have been given back, and the first made anew
    let isFree = false
    try {
      isFree = !isTaken(claimsOn(folder, name).filter((number) => number !== mine))
    } finally {
      if (!isFree) disk.unlink(fileOf(mine))
    }
    if (!isFree) return undefined
    return () => {
      for (const number of claimsOn(folder, name)) if (number <= mine) disk.unlink(fileOf(number))
    }
  }
}

/**
 * Whether a process that lives has claimed it.
 * @throws {NewerFormatError}
 */
export function isClaimed(folder: string, name: string): boolean {
  return claimsOn(folder, name).some((number) => isHeld(path.join(folder, `${name}.${number}`)))
}

/** Numbers of the claims on one thing, in the order in which they were made. */
function claimsOn(folder: string, name: string): number[] {
  return numbersIn(disk.list(folder), `${name}.`, '')
}

/** Whether the process that made a claim runs; a claim of nobody was made by one that was killed while it did. */
function isHeld(file: string): boolean {
  const [format, pid, ...started] = (disk.read(file) ?? '').trim().split(' ')
  refuseNewer(file, format, FORMAT)
  return format === FORMAT && isRunning({ pid: Number(pid), started: started.join(' ') })
}

function isMade(file: string, aside: string): boolean {
  const { pid, started } = identify(process.pid) as ProcessIdentity
  return createOnce(file, `${FORMAT} ${pid} ${started}\n`, aside, { isDurable: false })
}
