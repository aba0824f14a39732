import { realpathSync, statSync } from 'node:fs'
import { types } from 'node:util'
import { HookError, type HookProblem } from '../../errors/document-errors.ts'
import { problemsOf } from '../../protocol/problems.ts'
import type { Archetype } from '../archetypes.ts'
import { archetypeFrom, type NamedProblem } from './archetype-from.ts'
import { assertTrusted } from '../trust/allowed-parts.ts'
import { hookFunctions, type Hook, type HookFunction } from './hook-definition.ts'
import { hookSchema } from './definition-schema.ts'
import { hookFile } from './hook-file.ts'
import { recordFault } from './faults.ts'
import { importModule } from './import-module.ts'
import { noteOwnCode } from './stray-errors.ts'
import { findText, placeOf, reasonOf } from './source-place.ts'
import { tryOut } from './trial.ts'

/** A federation's hook as it was found good. */
export interface LoadedHook {
  /** Absolute path of the module. */
  readonly file: string
  readonly archetypes: readonly Archetype[]
  /** Which of the functions it has. */
  readonly functions: readonly HookFunction[]
}

const loaded = new Map<string, Promise<LoadedHook>>()

/**
 * The module that `importHook` names (spec §2.3), with its archetypes checked. A process loads it once, and
 * again when the file changed.
 * @throws {UntrustedError}; {HookError} naming every problem with its file and, where it is known, its line.
 */
export async function loadHook(root: string, configured: string): Promise<LoadedHook> {
  const file = hookFile(root, configured)
  assertTrusted(root, 'importHook')
  const { mtimeMs, size } = statSync(file)
  const key = JSON.stringify([root, file, mtimeMs, size])
  const known = loaded.get(key)
  if (known !== undefined) return known
  const loading = load(root, file)
  loaded.set(key, loading)
  // what it imports may be put right without a change of the module itself
  loading.catch(() => loaded.delete(key))
  return loading
}

async function load(root: string, file: string): Promise<LoadedHook> {
  await tryOut(realpathSync(root), file)
  const hook = await checkHook(root, file)
  noteStrays(root, file)
  return hook
}

/** Records errors that the module throws later, in timers or unawaited promises; they stop nothing. */
function noteStrays(root: string, file: string): void {
  noteOwnCode(file, {
    takeStray: (error) => {
      const place = placeOf(error, realpathSync(root))
      if (place !== undefined)
        recordFault(root, file, { function: 'load', ...place, message: reasonOf(error) })
      return place !== undefined
    },
  })
}

/**
 * The module and its archetypes, checked in this very thread.
 * @throws {HookError}
 */
export async function checkHook(
  root: string,
  file: string,
): Promise<LoadedHook & { readonly files: readonly string[] }> {
  const { hook, files } = await readHook(root, file)
  const archetypes: Archetype[] = []
  const problems: NamedProblem[] = []
  for (const [id, definition] of Object.entries(hook.archetypes ?? {})) {
    const found = archetypeFrom(root, id, definition)
    if ('archetype' in found) archetypes.push(found.archetype)
    else problems.push(...found.problems)
  }
  if (problems.length > 0) {
    throw new HookError(
      file,
      problems.map(({ message, about }): HookProblem => ({ message, ...findText(files, about) })),
    )
  }
  const functions = hookFunctions.filter((name) => hook[name] !== undefined)
  return { file, archetypes, functions, files }
}

/**
 * The module's default export, without a look into its archetypes.
 * @throws {HookError}
 */
export async function readHook(
  root: string,
  file: string,
): Promise<{
  readonly hook: Omit<Hook, 'archetypes'> & { readonly archetypes?: Record<string, unknown> }
  readonly files: readonly string[]
}> {
  const { exported, files } = await importModule(realpathSync(root), file)
  const given = defaultOf(exported)
  const parsed = parse(given, (error) => {
    throw new HookError(file, [{ message: reasonOf(error), ...placeOf(error, realpathSync(root)) }], error)
  })
  if (parsed.success) return { hook: parsed.data, files }
  const problems =
    given === undefined || !isPlain(given)
      ? [{ message: 'it exports no hook; end it with: export default defineHook({ … })' }]
      : problemsOf(parsed.error).map(({ path: field, message }) => ({
          message: field === '' ? message : `${field}: ${message}`,
          ...findText(files, [field.split('.').at(-1) ?? '']),
        }))
  throw new HookError(file, problems, parsed.error)
}

/** Parses the default export; calls `fail` when that throws, as a getter of the module may. */
function parse(given: unknown, fail: (error: unknown) => never) {
  try {
    return hookSchema.safeParse(isPlain(given) ? given : undefined)
  } catch (error) {
    return fail(error)
  }
}

/** Default export of an ES module, of CommonJS, or of one compiled to the other; undefined without one. */
function defaultOf(exported: unknown): unknown {
  const { default: given = exported, __esModule: isCompiled } = exported as Exports
  if (given === exported) {
    const isEmpty = isCompiled === true || Object.keys(exported as object).length === 0
    return isEmpty || types.isModuleNamespaceObject(exported) ? undefined : exported
  }
  return isPlain(given) && 'default' in given ? defaultOf(given) : given
}

interface Exports {
  readonly default?: unknown
  readonly __esModule?: unknown
}

/** Whether a default export is an object that may be a hook: no promise and no function. */
function isPlain(given: unknown): given is object {
  return typeof given === 'object' && given !== null && !types.isPromise(given)
}
