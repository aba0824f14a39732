import { createRequire } from 'node:module'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { HookError, type HookProblem } from '../../errors/document-errors.ts'
import { unless } from '../../errors/unless.ts'
import { disk } from '../../platform/storage/disk.ts'
import { packageRoot } from '../../platform/process/package.ts'
import { isWithin } from '../hooks/hook-file.ts'

/** What may be run or read as code. */
const code = /\.(?:[cm]?[jt]sx?|json|node|wasm)$/

/** Which packages are installed. */
const lockFiles = [
  ...['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml'],
  ...['yarn.lock', 'bun.lock', 'bun.lockb'],
]

/** Every text that names a file from here, and every name that is imported. */
const named =
  /(?<quote>['"`])(?<path>(?:\.{1,2}\/|[/#])[^'"`\n]{1,300})\k<quote>|\b(?:from|import|require)\s*\(?\s*(?<q>['"`])(?<name>[^'"`\n]{1,300})\k<q>/g

/** An import whose name is computed. */
const computed =
  /(?<![\w$.'"`])(?:import|require)\s*\((?!\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`$\n]*`|\.\.\.[^)]*)\s*[,)])/

/**
 * The files of the repository that a module is made of: itself, what it and these import by name, and the lock file
 * where a package is among that. More than that is no harm; of less, an edit would go unseen.
 * @param root real path.
 * @param module real path.
 * @returns paths from the root, sorted.
 * @throws {HookError} where an import's name is computed: nobody could say what it will be.
 */
export function hookSources(root: string, module: string): string[] {
  const { createJiti } = createRequire(path.join(packageRoot, 'package.json'))(
    'jiti',
  ) as typeof import('jiti')
  const jiti =
    unless(Error, () => createJiti(module, { fsCache: false, tsconfigPaths: true })) ??
    createJiti(module, { fsCache: false })
  const resolve = (name: string, from: string) =>
    unless(Error, () => jiti.esmResolve(name, { parentURL: pathToFileURL(from).href, try: true }))
  const found = new Set([module])
  const problems: HookProblem[] = []
  let takesPackages = false
  for (const file of found) {
    const text = isPackaged(file) || !/\.[cm]?[jt]sx?$/.test(file) ? '' : (disk.read(file) ?? '')
    const line = lineOf(text)
    if (line !== undefined)
      problems.push({ file, line, message: 'an import by a computed name: write out the file that is meant' })
    for (const { groups } of text.matchAll(named)) {
      const url = resolve(groups?.path ?? groups?.name ?? '', file)
      if (!url?.startsWith('file://')) continue
      const target = fileURLToPath(url)
      if (isPackaged(target)) takesPackages = true
      else if (isWithin(root, target) && code.test(target) && existsSync(target)) found.add(target)
    }
  }
  if (problems.length > 0) throw new HookError(module, problems)
  const locks = takesPackages ? lockFiles.map((name) => path.join(root, name)).filter(existsSync) : []
  return [...found, ...locks].map((file) => path.relative(root, file)).toSorted()
}

function isPackaged(file: string): boolean {
  return file.split(path.sep).includes('node_modules')
}

/** The line of the first import by a computed name; undefined without one. Comments do not count. */
function lineOf(text: string): number | undefined {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ')
  const plain = text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*$/gm, blank)
  const at = plain.search(computed)
  return at < 0 ? undefined : plain.slice(0, at).split('\n').length
}
