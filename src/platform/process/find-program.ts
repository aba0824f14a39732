import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { isSystemError } from '../storage/system-error.ts'

/**
 * Absolute path of a program on the PATH, or undefined.
 * @param from folder from which a name with a slash is seen.
 * @param searched the folders of another PATH than `pathOutside([from])`.
 */
export function findProgram(
  name: string,
  from: string = process.cwd(),
  searched: string = pathOutside([from]),
): string | undefined {
  if (name.includes(path.sep)) {
    const file = path.resolve(from, name)
    return isExecutable(file) ? file : undefined
  }
  return searched
    .split(path.delimiter)
    .filter((dir) => path.isAbsolute(dir))
    .map((dir) => path.join(dir, name))
    .find(isExecutable)
}

/**
 * This process's PATH without the folders where agents write: those below one of `tops`, below a `.fed` wherever it
 * lies, and those that would be another folder in each place. A top that holds the person's home counts for nothing
 * but its `.fed`: the person's own programs lie below it.
 */
export function pathOutside(tops: readonly string[]): string {
  const home = realOf(os.homedir())
  const closed = tops.map(realOf).filter((top) => !isWithin(home, top))
  const isOpen = (folder: string) =>
    ![folder, realOf(folder)].some(
      (place) => place.split(path.sep).includes('.fed') || closed.some((top) => isWithin(place, top)),
    )
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && isOpen(folder))
    .join(path.delimiter)
}

function realOf(place: string): string {
  return unless(isSystemError, () => realpathSync.native(place)) ?? path.resolve(place)
}

function isWithin(place: string, top: string): boolean {
  return place === top || place.startsWith(top.endsWith(path.sep) ? top : `${top}${path.sep}`)
}

function isExecutable(file: string): boolean {
  return (
    unless(['ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'], () => {
      accessSync(file, constants.X_OK)
      return statSync(file).isFile()
    }) ?? false
  )
}
