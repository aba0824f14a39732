import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { programs, repository } from './places.mjs'

/** A program of `programs/` that runs what no entry of the package exports; beside the packages that it resolves at run time. */
export async function bundle(name) {
  const dir = mkdtempSync(path.join(repository, 'node_modules', '.fed-bench-'))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  const build = await rolldown({
    cwd: repository,
    platform: 'node',
    input: path.join(programs, `${name}.ts`),
    external: ['@vscode/tree-sitter-wasm'],
    // of a package that has both kinds, the one that can be bundled whole
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'warn',
  })
  await build.write({ dir, format: 'esm', entryFileNames: '[name].mjs' })
  await build.close()
  return path.join(dir, `${name}.mjs`)
}
