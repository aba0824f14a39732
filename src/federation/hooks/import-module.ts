import type { Jiti } from 'jiti'
import { createRequire } from 'node:module'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { HookError, type HookProblem } from '../../errors/document-errors.ts'
import { loadMs, startDeadline } from './deadline.ts'
import { packageRoot } from '../../platform/process/package.ts'
import { hookSources } from '../trust/hook-sources.ts'
import { isWithin } from './hook-file.ts'
import { findText, placeOf, reasonOf } from './source-place.ts'
import { transformCache } from './transform-cache.ts'

/** A loaded module of the federation's own. */
export interface Imported {
  readonly exported: unknown
  /** The module and what it imported of the federation's own code, absolute; the module first. */
  readonly files: readonly string[]
}

/**
 * Loads a TypeScript or JavaScript module. `fed` and `xstate` and `zod` mean those of the running fed, so
 * that a repository needs none of them. What it writes to the console while it loads goes to the standard
 * error.
 * @param file real path.
 * @throws {HookError} with the line at which it cannot be read, or at which it throws.
 */
export async function importModule(root: string, file: string): Promise<Imported> {
  refuseExit(realpathSync(root))
  const { jiti, pathsFault } = await loaderOf(file)
  const ownFiles = () => {
    const within = realpathSync(root)
    const loaded = Object.keys(jiti.cache).filter(
      (one) =>
        isWithin(within, one) &&
        !isWithin(path.join(packageRoot, 'dist'), one) &&
        !/[\\/]node_modules[\\/]/.test(one),
    )
    return [file, ...loaded.filter((one) => one !== file)]
  }
  for (const loaded of ownFiles()) delete jiti.cache[loaded]
  try {
    const exported = await withDeadline(quietly(() => jiti.import(file)))
    const files = ownFiles()
    const known = hookSources(realpathSync(root), file)
    const unknown = files
      .map((one) => path.relative(realpathSync(root), one))
      .find((one) => !known.includes(one))
    if (unknown !== undefined)
      throw new Error(`it loads ${unknown}, which no import names: name it, so that 'fed trust' shows it`)
    return { exported, files }
  } catch (error) {
    const files = ownFiles()
    const problem = problemOf(error, realpathSync(root), files)
    const isLost = pathsFault !== undefined && /^Cannot find (?:module|package)/.test(problem.message)
    const message = isLost ? `${problem.message} (tsconfig.json: ${pathsFault})` : problem.message
    throw new HookError(file, [{ ...problem, message }], error)
  }
}

/** A loader with the path aliases of the nearest tsconfig.json, or why those cannot be read. */
async function loaderOf(file: string): Promise<{ readonly jiti: Jiti; readonly pathsFault?: string }> {
  const { createJiti } = await import('jiti')
  const options = { fsCache: transformCache() ?? false, interopDefault: false, alias: aliases() }
  try {
    return { jiti: createJiti(file, { ...options, tsconfigPaths: true }) }
  } catch (error) {
    // such as one that extends a package which is not installed: most modules need nothing of it
    return { jiti: createJiti(file, options), pathsFault: reasonOf(error) }
  }
}

/** Roots whose code is kept from ending the process already. */
const refusing = new Set<string>()

/** Makes `process.exit` throw when the federation's own code calls it, with the file and line of the call. */
function refuseExit(root: string): void {
  if (refusing.has(root)) return
  refusing.add(root)
  const exit = process.exit.bind(process)
  process.exit = (code) => {
    const error = new Error('it calls process.exit')
    if (placeOf(error, root) !== undefined) throw error
    return exit(code)
  }
}

function aliases(): Record<string, string> {
  const { resolve } = createRequire(path.join(packageRoot, 'package.json'))
  const library = path.join(packageRoot, 'dist', 'library')
  const folderOf = (name: string) => path.dirname(resolve(`${name}/package.json`))
  return {
    'fed/hook': path.join(library, 'hook.js'),
    'fed/machines': path.join(library, 'machines'),
    fed: path.join(library, 'index.js'),
    xstate: folderOf('xstate'),
    zod: folderOf('zod'),
  }
}

/** Waits for a module to load, at most as long as a deadline of `loadMs` allows; throws when it is over. */
async function withDeadline<Result>(loading: Promise<Result>): Promise<Result> {
  let stop: (() => void) | undefined
  const late = new Promise<never>((_, reject) => {
    stop = startDeadline(loadMs, () => reject(new Error(`it did not load within ${loadMs / 1000} s`)))
  })
  try {
    return await Promise.race([loading, late])
  } finally {
    stop?.()
  }
}

/** Runs `load` with the console on the standard error: the standard output is for a command's result. */
async function quietly<Result>(load: () => Promise<Result>): Promise<Result> {
  const { log, info, debug, dir, table } = console
  Object.assign(console, {
    log: console.error,
    info: console.error,
    debug: console.error,
    dir: console.error,
    table: console.error,
  })
  try {
    return await load()
  } finally {
    Object.assign(console, { log, info, debug, dir, table })
  }
}

function problemOf(error: unknown, root: string, files: readonly string[]): HookProblem {
  const place = placeOf(error, root)
  const message = reasonOf(error).replace(/^ParseError: /, '')
  if (place !== undefined) return { message, ...place }
  // an import that leads nowhere has no line in its error
  const [, name] = /Cannot find (?:module|package) '([^']+)'/.exec(message) ?? []
  return { message, ...(name === undefined ? undefined : findText(files, [`'${name}'`, `"${name}"`])) }
}
