import { lstatSync, type Stats } from 'node:fs'
import { createHash } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { ownFolder, personsFolder } from '../storage/persons-folder.ts'
import { isSystemError } from '../storage/system-error.ts'
import { remove } from '../storage/without-links.ts'
import { isWithin, real, type Rule } from './walls.ts'

/** Where the folder lies that is somebody's home within walls: outside of every repository. */
function placeOf(whose: readonly string[]): string {
  const name = createHash('sha256').update(whose.join('\0')).digest('hex').slice(0, 24)
  return path.join(personsFolder('cache'), 'homes', name)
}

/**
 * The folder that is somebody's home within walls. It stays between sessions, with caches and settings in it, and
 * nobody outside reads it.
 * @param whose words that tell them from everybody else.
 * @throws {FedError} when it cannot be had.
 */
export function privateHome(whose: readonly string[]): string {
  const place = placeOf(whose)
  const home = ownFolder(path.dirname(place)) && ownFolder(place)
  if (home === undefined) throw new FedError(`${place}: a home within walls cannot be made there`)
  return home
}

/** Removes it, where it is there. */
export function removePrivateHome(whose: readonly string[]): void {
  remove(placeOf(whose))
}

/**
 * Takes away what an earlier session left in a private home where something is to be laid over it: a link would lead
 * the mount elsewhere, and a file is no place for a folder.
 */
export function clearTheWay(home: string, rules: readonly Rule[]): void {
  const person = real(os.homedir()) ?? os.homedir()
  for (const { at, from = at } of rules) {
    if (at === person || !isWithin(at, person)) continue
    const parts = path.relative(person, at).split(path.sep)
    const isFolder = statOf(real(from) ?? from)?.isDirectory() === true
    for (const [index] of parts.entries()) {
      const place = path.join(home, ...parts.slice(0, index + 1))
      const found = statOf(place)
      if (found === undefined) break
      const mustBeFolder = index < parts.length - 1 || isFolder
      if (found.isSymbolicLink() || found.isDirectory() !== mustBeFolder) remove(place)
    }
  }
}

function statOf(place: string): Stats | undefined {
  return unless(isSystemError, () => lstatSync(place))
}
