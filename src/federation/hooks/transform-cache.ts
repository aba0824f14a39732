import { lstatSync, mkdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'

/**
 * Where TypeScript that was made JavaScript is kept: in the user's own cache, which nobody else can write. Not
 * in `.fed`, where agents write, and not in a folder for everybody's temporary files: what lies there is run.
 * Undefined where there is no such place; then it is made each time.
 */
export function transformCache(): string | undefined {
  const { XDG_CACHE_HOME: given } = process.env
  const base = given !== undefined && path.isAbsolute(given) ? given : path.join(os.homedir(), '.cache')
  const folder = path.join(base, 'fed', 'hooks')
  return unless(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'ELOOP'], () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(folder)
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
    return isOurs && lstatSync(folder).isDirectory() ? folder : undefined
  })
}
