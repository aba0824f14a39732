import { lstatSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { FedError } from '../../errors/fed-error.ts'

/**
 * Makes a folder below another, one name after the other, and follows no link on the way: what is written there
 * lands there.
 * @param base is there.
 * @throws {FedError} when something else lies at one of the names.
 */
export function makeFolder(base: string, ...names: readonly string[]): string {
  return names.reduce((above, name) => {
    const folder = path.join(above, name)
    unless('EEXIST', () => mkdirSync(folder))
    if (!isFolder(folder))
      throw new FedError(`${folder} is no folder but a link or a file; remove it and try again`)
    return folder
  }, base)
}

/** Whether it is a folder itself, and no link to one. */
export function isFolder(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true
}
