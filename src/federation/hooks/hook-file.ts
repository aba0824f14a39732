import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { HookError } from '../../errors/document-errors.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'

const extensions = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']

/**
 * The module that `importHook` names, seen from the federation's root: its real path. It lies inside of the
 * repository, where it is reviewed with the code, and outside of `.fed`, where agents write.
 * @throws {HookError}
 */
export function hookFile(root: string, configured: string): string {
  const file = path.resolve(root, configured)
  const fail = (message: string) => new HookError(file, [{ message }])
  const real = realPath(file)
  if (real === undefined) throw fail('there is no such file')
  if (!statSync(real).isFile()) throw fail('it is no regular file')
  if (!isWithin(realpathSync(root), real)) throw fail('it lies outside of the federation')
  if (isWithin(realPath(federationLayout(root).fed) ?? federationLayout(root).fed, real))
    throw fail('it lies in .fed, where agents write')
  if (!extensions.includes(path.extname(real)))
    throw fail(`it is neither TypeScript nor JavaScript (${extensions.join(', ')})`)
  return real
}

/** Whether a file lies in a folder or below it; both absolute and without links. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file)
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}

function realPath(file: string): string | undefined {
  return unless(['ENOENT', 'ENOTDIR', 'ELOOP'], () => realpathSync(file))
}
