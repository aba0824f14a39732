import { createRequire } from 'node:module'
import { existsSync, statSync } from 'node:fs'
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

/** What loads code that no text names: an import by a computed name, one with an escape in it, and other loaders. */
const unnamed = [
  /(?<![\w$.'"`])(?:import|require)\s*\((?!\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`$\n]*`|\.\.\.[^)]*)\s*[,)])/,
  /\b(?:from|import|require)\s*\(?\s*(['"`])(?:(?!\1)[^\n\\])*\\/,
  /\bcreateRequire\b|\bnew\s+Worker\b|\.\s*require\b|[=(,[:]\s*require\s*(?:[,;)\]]|$)/m,
]

/**
 * The files of the repository that a module is made of: itself, what it and these import by name, and the lock file
 * where a package is among that. More than that is no harm; of less, an edit would go unseen.
 * @param root real path.
 * @param module real path.
 * @returns paths from the root, sorted.
 * @throws {HookError} where code is loaded that no text names: nobody could say what it will be.
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
      problems.push({
        file,
        line,
        message: 'loads what no name shows: import the file that is meant, with its name written out',
      })
    for (const { groups } of text.matchAll(named)) {
      const url = resolve(groups?.path ?? groups?.name ?? '', file)
      if (!url?.startsWith('file://')) continue
      const target = fileURLToPath(url)
      // a text may name any file, an import names code
      const isCode = groups?.name !== undefined || code.test(target)
      if (isPackaged(target)) takesPackages = true
      else if (
        isWithin(root, target) &&
        isCode &&
        statSync(target, { throwIfNoEntry: false })?.isFile() === true
      )
        found.add(target)
    }
  }
  if (problems.length > 0) throw new HookError(module, problems)
  const locks = takesPackages ? lockFiles.map((name) => path.join(root, name)).filter(existsSync) : []
  return [...found, ...locks].map((file) => path.relative(root, file)).toSorted()
}

function isPackaged(file: string): boolean {
  return file.split(path.sep).includes('node_modules')
}

/** What is a comment for certain: nothing in it can end a string or begin code, and nothing before it a string. */
const comment = /^[ \t]*\/\*(?:(?!\*\/)[^'"`])*\*\/|(?<=^[^'"`/\n]*)\/\/(?!.*(?:`|\$\{)).*$/gm

/** The line of the first thing that loads what no name shows; undefined without one. Comments do not count. */
function lineOf(text: string): number | undefined {
  const plain = text.replace(comment, (part) => part.replace(/[^\n]/g, ' '))
  const places = unnamed.map((way) => plain.search(way)).filter((at) => at >= 0)
  return places.length === 0 ? undefined : plain.slice(0, Math.min(...places)).split('\n').length
}
