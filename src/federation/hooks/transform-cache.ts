import path from 'node:path'
import { ownFolder, personsFolder } from '../../platform/storage/persons-folder.ts'

/**
 * Where TypeScript that was made JavaScript is kept: in the user's own cache, which nobody else can write. Not
 * in `.fed`, where agents write, and not in a folder for everybody's temporary files: what lies there is run.
 * Undefined where there is no such place; then it is made each time.
 */
export function transformCache(): string | undefined {
  return ownFolder(path.join(personsFolder('cache'), 'hooks'))
}
