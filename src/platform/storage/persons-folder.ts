import { lstatSync, mkdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'

/** What the system says of a folder that cannot be made or looked at. */
const unusable = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'ELOOP']

/** Where each kind of a person's own folders lies in the home folder, when its variable names no other place. */
const inHome = { CONFIG: '.config', CACHE: '.cache', STATE: '.local/state' }

/** fed's folder among the person's own, `$XDG_<kind>_HOME/fed`, whether it is there or not. */
export function personsFolder(kind: 'config' | 'cache' | 'state'): string {
  const name = kind.toUpperCase() as Uppercase<typeof kind>
  const given = process.env[`XDG_${name}_HOME`]
  const base = given !== undefined && path.isAbsolute(given) ? given : path.join(os.homedir(), inHome[name])
  return path.join(base, 'fed')
}

/** A folder that nobody but its owner, who runs this, can write; made if need be. Undefined where it cannot be had. */
export function ownFolder(folder: string): string | undefined {
  return unless(unusable, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(folder)
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
    return isOurs && lstatSync(folder).isDirectory() ? folder : undefined
  })
}
