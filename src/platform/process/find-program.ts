import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'

/**
 * Absolute path of a program on the PATH, or undefined.
 * @param from folder from which a name with a slash is seen.
 * @param searched the folders of another PATH than this process's.
 */
export function findProgram(
  name: string,
  from: string = process.cwd(),
  searched: string | undefined = process.env.PATH,
): string | undefined {
  if (name.includes(path.sep)) {
    const file = path.resolve(from, name)
    return isExecutable(file) ? file : undefined
  }
  return (searched ?? '')
    .split(path.delimiter)
    .filter((dir) => path.isAbsolute(dir))
    .map((dir) => path.join(dir, name))
    .find(isExecutable)
}

function isExecutable(file: string): boolean {
  return (
    unless(['ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'], () => {
      accessSync(file, constants.X_OK)
      return statSync(file).isFile()
    }) ?? false
  )
}
