import { realpathSync, statSync } from 'node:fs'
import { HookError, type HookProblem } from '../errors.ts'
import { problemsOf } from '../protocol/problems.ts'
import type { Archetype } from '../teams/archetypes.ts'
import { archetypeFrom, type NamedProblem } from './archetype-from.ts'
import { hookFunctions, type Hook, type HookFunction } from './definition.ts'
import { hookSchema } from './definition-schema.ts'
import { hookFile } from './hook-file.ts'
import { importModule } from './import-module.ts'
import { findText } from './source-place.ts'

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
 * The module that `importHook` names (spec §2.3), with its archetypes checked. A process loads it once, and again
 * when the file changed.
 * @throws {HookError} naming every problem with its file and, where it is known, its line.
 */
export async function loadHook(root: string, configured: string): Promise<LoadedHook> {
  const file = hookFile(root, configured)
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
  return { file, archetypes, functions: hookFunctions.filter((name) => hook[name] !== undefined) }
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
  const { default: given } = exported as { default?: unknown }
  const parsed = hookSchema.safeParse(given)
  if (parsed.success) return { hook: parsed.data, files }
  const problems =
    typeof given !== 'object' || given === null
      ? [{ message: 'it exports no hook; end it with: export default defineHook({ … })' }]
      : problemsOf(parsed.error).map(({ path: field, message }) => ({
          message: field === '' ? message : `${field}: ${message}`,
          ...findText(files, [field.split('.').at(-1) ?? '']),
        }))
  throw new HookError(file, problems, parsed.error)
}
