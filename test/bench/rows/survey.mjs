import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { compared, inTurn, inWords } from '../measure.mjs'
import { newFolder, programs, repository } from '../places.mjs'
import { changeOneFile, writeSourceRepository } from '../source-repository.mjs'

/** The surveyor alone, which no entry of the package exports; beside the packages that it resolves at run time. */
async function bundleSurveyor() {
  const dir = mkdtempSync(path.join(repository, 'node_modules', '.fed-bench-'))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  const build = await rolldown({
    cwd: repository,
    platform: 'node',
    input: path.join(programs, 'survey.ts'),
    external: ['@vscode/tree-sitter-wasm'],
    // of a package that has both kinds, the one that can be bundled whole
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'warn',
  })
  await build.write({ dir, format: 'esm', entryFileNames: '[name].mjs' })
  await build.close()
  return path.join(dir, 'survey.mjs')
}

/** A survey of a repository of which one file changed since the last one, against the first. */
export async function measure({ rounds = 5, files = 1000 }) {
  const program = await bundleSurveyor()
  const root = newFolder('sources')
  writeSourceRepository(root, files)
  const survey = (cache) => {
    const told = JSON.parse(execFileSync(process.execPath, [program, root, cache], { encoding: 'utf8' }))
    if (told.files < files) throw new Error(`${told.files} files instead of ${files}`)
    return told
  }
  const cache = newFolder('cache')
  survey(cache)
  const pairs = await inTurn(
    rounds,
    (round) => {
      changeOneFile(root, round)
      const { spent, parsed } = survey(cache)
      if (parsed > 1) throw new Error(`${parsed} files were parsed again`)
      return spent
    },
    () => survey(newFolder('cache')).spent,
  )
  return [
    compared(
      {
        path: `survey of ${files} files, one changed`,
        rival: 'its first run',
        sense: 'at most',
        floor: 0.15,
        reach: 0.05,
      },
      pairs,
      { describe: inWords },
    ),
  ]
}
