import { type BigIntStats, lstatSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { succeedsUnless, unless } from '../../errors/unless.ts'
import { identify } from '../../platform/process/process-identity.ts'
import { disk, makeDirectory } from '../../platform/storage/disk.ts'
import { below, removeEmpty } from '../../platform/storage/without-links.ts'

/** Which way the files in a staging go: out of the inbox, or back from a month of the archive. */
export type Direction = 'leaving' | 'returning'

const stagingName = /^\.[0-9a-f-]{36}\.(\d+)\.(leaving|returning)$/

/** What tells a file from another that has its name later. */
export type FileIdentity = Pick<BigIntStats, 'ino' | 'dev'>

/** @returns undefined where there is none. */
export function identityOf(file: string): FileIdentity | undefined {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false })
}

/** Whether two names are names of one file. */
export function isSameFile(a: string, b: string | FileIdentity): boolean {
  const one = identityOf(a)
  const other = typeof b === 'string' ? identityOf(b) : b
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev
}

/**
 * Gives a file another name; its own it keeps.
 * @returns false when another file has that name, undefined when the file itself is gone.
 */
export function linkTo(from: string, to: string): boolean | undefined {
  for (;;) {
    const isSo = unless('ENOENT', () => disk.link(from, to) || isSameFile(from, to))
    if (isSo !== undefined || !disk.exists(from)) return isSo
    // the folder of a month that was brought back is removed when it is empty
    makeDirectory(path.dirname(to))
  }
}

/**
 * Where a file that has its new name already waits until it is sure that it kept it. A name is never simply
 * removed: between the look at the new name and the removal of the old one a process may be stopped for long,
 * and the old name may be another file's then, or the only one that is left.
 */
export class Staging {
  readonly dir: string

  private constructor(dir: string) {
    this.dir = dir
  }

  /** A staging of this process, in an existing folder. */
  static open(folder: string, direction: Direction): Staging {
    const dir = path.join(folder, `.${uuid()}.${process.pid}.${direction}`)
    below(dir, (at) => mkdirSync(at))
    return new Staging(dir)
  }

  /** What processes that died in the middle left in a folder. */
  static abandoned(folder: string, direction: Direction): Staging[] {
    return disk.list(folder).flatMap((name) => {
      const [, pid, way] = stagingName.exec(name) ?? []
      if (way !== direction || Number(pid) === process.pid || identify(Number(pid)) !== undefined) return []
      return [new Staging(path.join(folder, name))]
    })
  }

  files(): string[] {
    return disk.list(this.dir)
  }

  /**
   * Takes a file's old name away once it has its new one.
   * @returns false when it was not there, or was another file, which has its name again.
   */
  take(file: string, kept: string): boolean {
    const name = path.basename(file)
    const isTaken = succeedsUnless('ENOENT', () => disk.rename(file, path.join(this.dir, name)))
    return isTaken && this.settle(name, [kept], [file])
  }

  /**
   * Forgets a parked file that is kept elsewhere, and otherwise gives it the first of the names that is free.
   * @returns whether it was kept.
   */
  settle(name: string, kept: readonly string[], otherwise: readonly string[]): boolean {
    const parked = path.join(this.dir, name)
    const isKept = kept.some((file) => isSameFile(parked, file))
    if (!isKept && !otherwise.some((file) => linkTo(parked, file))) return false
    disk.unlink(parked)
    return isKept
  }

  /** Removes the staging unless something is still in it. */
  close(): void {
    removeEmpty(this.dir)
  }
}
