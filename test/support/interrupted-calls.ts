import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Stands for the end of a process: whoever gets it in the middle of something does nothing more. */
export class Killed extends Error {
  override name = 'Killed'
}

/** What happens at one of the calls with which a process changes the file system. */
export interface Interruption {
  /** Counted from 1. */
  readonly call: number
  /** `halfway`: a write puts half of its bytes there, any other call is not made. */
  readonly when: 'before' | 'halfway' | 'after'
  /** Runs then, and the process goes on after it; without it the process is killed there. */
  readonly meanwhile?: () => void
}

type Call = (...parameters: unknown[]) => unknown

const changing = [
  'appendFileSync',
  'chmodSync',
  'copyFileSync',
  'cpSync',
  'fdatasyncSync',
  'fsyncSync',
  'ftruncateSync',
  'linkSync',
  'mkdirSync',
  'mkdtempSync',
  'openSync',
  'renameSync',
  'rmdirSync',
  'rmSync',
  'symlinkSync',
  'truncateSync',
  'unlinkSync',
  'utimesSync',
  'writeFileSync',
  'writeSync',
  'writevSync',
] as const

function isChange(name: string, [, flags]: readonly unknown[]): boolean {
  return name !== 'openSync' || (flags !== undefined && flags !== 'r')
}

function writeHalf(write: Call, [file, content, offset, length]: unknown[]): void {
  const bytes = Buffer.from(content as string | Uint8Array)
  const from = typeof offset === 'number' ? offset : 0
  const count = typeof length === 'number' ? length : bytes.length - from
  write(file, bytes.subarray(from, from + count / 2))
}

/**
 * Does something as a process would that is interrupted at one of its changing calls, once.
 * @returns whether it came that far; what it threw is thrown on, unless it was killed.
 */
export async function interrupted(interruption: Interruption, act: () => Promise<void>): Promise<boolean> {
  const real = new Map<string, Call>(changing.map((name) => [name, fs[name] as Call]))
  const target = fs as unknown as Record<string, Call>
  let count = 0
  let isDead = false
  const strike = () => {
    if (interruption.meanwhile !== undefined) return interruption.meanwhile()
    isDead = true
    throw new Killed('killed')
  }
  for (const [name, call] of real) {
    target[name] = (...parameters) => {
      if (!isChange(name, parameters)) return call(...parameters)
      // a process that is dead does nothing more, whatever it would clean up
      if (isDead) throw new Killed('dead')
      count += 1
      if (count !== interruption.call) return call(...parameters)
      if (interruption.when === 'halfway' && interruption.meanwhile === undefined && name === 'writeSync') {
        writeHalf(call, parameters)
      }
      if (interruption.when !== 'after') strike()
      const result = call(...parameters)
      if (interruption.when === 'after') strike()
      return result
    }
  }
  syncBuiltinESMExports()
  try {
    await act()
  } catch (error) {
    if (!isDead) throw error
  } finally {
    for (const [name, call] of real) target[name] = call
    syncBuiltinESMExports()
  }
  return count >= interruption.call
}
