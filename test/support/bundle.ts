import { chmodSync, mkdtempSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bundled = new Map<string, Promise<string>>()

/**
 * Bundles a TypeScript program (a path below `test/`, such as `workers/storage.ts`) into a file that node can
 * run, once for each worker that asks. Packages that it leaves out resolve as they do in the repository.
 */
export function bundle(program: string): Promise<string> {
  let result = bundled.get(program)
  if (result === undefined) bundled.set(program, (result = write(program)))
  return result
}

async function write(program: string): Promise<string> {
  const dir = mkdtempSync(path.join(process.env.FED_TEST_PROGRAMS as string, 'program-'))
  chmodSync(dir, 0o755)
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    input: path.join(root, 'test', program),
    external: ['@vscode/tree-sitter-wasm'],
    logLevel: 'warn',
    // as the build does: of a package that has both kinds, the one that can be bundled
    resolve: { mainFields: ['module', 'main'] },
  })
  const { output } = await build.write({ dir, format: 'esm', entryFileNames: '[name].mjs' })
  await build.close()
  return path.join(dir, output[0].fileName)
}
