import { posix } from 'node:path'
import { normal } from './source-tree.ts'
import type { SourceTree } from './source-tree.ts'
import type { Tsconfig } from './tsconfig.ts'

const SOURCES = ['.ts', '.tsx', '.mts', '.cts', '.js', '.mjs', '.cjs', '.jsx', '.vue', '.svelte', '.astro']
const BUILT = /(^|\/)(dist|lib|build|out|esm|cjs)(\/(cjs|esm|types|node|es|src))?\//

/** Whether a path stands in a folder that builds write to. */
export const isBuilt = (path: string): boolean => /(^|\/)(dist|build|out)\//.test(path)

/** A path without what a compiler puts at its end. */
const stemOf = (path: string): string => path.replace(/(\.d)?\.[cm]?[jt]sx?$/, '')

/** Where the code of an output folder comes from. */
interface Output {
  out: string
  root: string
}

/**
 * The source that a compiled file is made from: as a `tsconfig.json` maps its output, else by the habit that
 * `dist/` is made from `src/`. Undefined where neither leads to a file.
 */
export function createSourceFinder(
  tree: Pick<SourceTree, 'has'>,
  configs: readonly Tsconfig[],
): (path: string) => string | undefined {
  const outputs = configs.flatMap(outputsOf)
  const existing = (stem: string): string | undefined =>
    ['', '/index'].flatMap((inner) => SOURCES.map((end) => stem + inner + end)).find((path) => tree.has(path))
  return (path) => {
    const stem = stemOf(normal(path))
    const byCompiler = outputs.flatMap(({ out, root }) =>
      stem.startsWith(`${out}/`) ? [normal(posix.join(root, stem.slice(out.length + 1)))] : [],
    )
    const bySource = stem.replace(BUILT, '$1src/')
    const stems = [
      ...byCompiler,
      stem,
      bySource,
      bySource.replace('/src/src/', '/src/'),
      stem.replace(BUILT, '$1'),
    ]
    for (const candidate of stems) {
      const found = existing(candidate)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** The output of a configuration with each folder that it may mirror: its `rootDir`, else where its files lie. */
function outputsOf({ dir, outDir, rootDir, include }: Tsconfig): Output[] {
  if (outDir === undefined) return []
  if (rootDir !== undefined) return [{ out: outDir, root: rootDir }]
  const included = (include ?? []).map((path) => path.replace(/\/?\*.*$/, ''))
  return [...new Set([dir, ...included])].map((root) => ({ out: outDir, root }))
}
