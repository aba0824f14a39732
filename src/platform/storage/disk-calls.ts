import { disk, type Disk } from './disk.ts'

type Asked = { [Name in keyof Disk]: [name: Name, ...Parameters<Disk[Name]>] }[keyof Disk]

/**
 * An algorithm over a disk, written as a generator that yields each file system call instead of making it.
 * The real disk performs them one after the other; a simulation stops, kills and interleaves several
 * processes between any two of them.
 */
export type Steps<Result> = Generator<Asked, Result, unknown>

/** Asks for one file system call. */
export function* ask<Name extends keyof Disk>(
  name: Name,
  ...parameters: Parameters<Disk[Name]>
): Steps<ReturnType<Disk[Name]>> {
  // the pair is one member of the union, which TypeScript cannot see through the type parameter
  return (yield [name, ...parameters] as unknown as Asked) as ReturnType<Disk[Name]>
}

/** Performs one asked call on a disk. */
export function performOne(on: Disk, [name, ...parameters]: Asked): unknown {
  return (on[name] as (...all: unknown[]) => unknown)(...parameters)
}

/** Runs an algorithm to its end on a disk; what a call throws is thrown where the algorithm asked for it. */
export function perform<Result>(steps: Steps<Result>, on: Disk = disk): Result {
  let turn = steps.next()
  while (!turn.done) {
    let answer: unknown
    try {
      answer = performOne(on, turn.value)
    } catch (error) {
      turn = steps.throw(error)
      continue
    }
    turn = steps.next(answer)
  }
  return turn.value
}
