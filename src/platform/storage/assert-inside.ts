import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { RefusedError } from '../../errors/fed-error.ts'

/**
 * Makes sure that a folder of a workspace, which may not be there yet, is in it: agents can put a link in its place.
 * @throws {RefusedError} when a symbolic link leads out of the workspace.
 */
export function assertInside(workspace: string, folder: string): void {
  if (!existsSync(folder)) return
  const place = realpathSync(folder)
  const relative = path.relative(realpathSync(workspace), place)
  if (relative.startsWith('..') || path.isAbsolute(relative)) {
    throw new RefusedError(
      `${folder} leads out of its workspace, to ${place}; nothing was changed: put a folder there`,
    )
  }
}
