import { posix } from 'node:path'
import { isExample, isTest } from '../classify.ts'
import { fieldsOf, parseJson, textOf, textsOf } from '../data-files.ts'
import { normal, prefixOf } from './source-tree.ts'
import type { SourceTree } from './source-tree.ts'

type Fields = Readonly<Record<string, unknown>>

/** A folder with a `package.json`. */
export interface NpmPackage {
  name: string | undefined
  /** With a slash at its end; empty for the root. */
  dir: string
  manifest: Fields
  /** Others of the repository may import it by its name. */
  isMember: boolean
}

/** Every package of the repository, the deepest folder first. */
export function readNpmPackages(tree: SourceTree): NpmPackage[] {
  const found = tree.paths
    .filter((path) => posix.basename(path) === 'package.json')
    .map((path) => ({ dir: prefixOf(path), manifest: fieldsOf(parseJson(tree.read(path))) }))
  const globs = workspaceGlobs(tree, found)
  return found
    .map(({ dir, manifest }) => ({
      name: textOf(manifest['name']),
      dir,
      manifest,
      isMember: dir === '' || (globs.length > 0 ? isMatched(dir, globs) : !isTest(dir) && !isExample(dir)),
    }))
    .toSorted((a, b) => b.dir.length - a.dir.length)
}

/** The package that a file stands in. */
export const packageOf = (packages: readonly NpmPackage[], path: string): NpmPackage | undefined =>
  packages.find(({ dir }) => path.startsWith(dir))

/** The package of the repository that a name means in a file, if it means one. */
export function namedPackage(
  packages: readonly NpmPackage[],
  from: string,
  name: string,
): NpmPackage | undefined {
  const own = packageOf(packages, from)
  const linked = own === undefined ? undefined : linkedFolder(own, name)
  if (linked !== undefined) return packages.find(({ dir }) => dir === linked)
  const isLoose = isTest(from) || isExample(from)
  const candidates = packages.filter(
    (one) => one.name === name && (one.isMember || isLoose || from.startsWith(one.dir)),
  )
  return candidates.find((one) => one === own) ?? candidates.find(({ isMember }) => isMember) ?? candidates[0]
}

/** The folder that a dependency such as `file:../core` names. */
function linkedFolder({ dir, manifest }: NpmPackage, name: string): string | undefined {
  const wanted = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap(
    (group) => textOf(fieldsOf(manifest[group])[name]) ?? [],
  )[0]
  const place = /^(?:file|link|portal):(.+)$/.exec(wanted ?? '')?.[1]
  if (place === undefined) return undefined
  const folder = normal(posix.join(dir, place))
  return folder === '' ? '' : `${folder}/`
}

/** The files that a package offers under a path (`.`, `./sub`), as its manifest has them. */
export function offeredBy({ manifest }: NpmPackage, subpath: string): string[] {
  const exported = manifest['exports']
  if (exported !== undefined) {
    const fields = fieldsOf(exported)
    const table = Object.keys(fields).some((key) => key.startsWith('.')) ? fields : { '.': exported }
    return matchTargets(table, subpath)
  }
  return subpath === '.'
    ? textsOf([manifest['source'], manifest['module'], manifest['main'], manifest['types']])
    : []
}

/** Where a package's own `#name` leads. */
export const importedAs = ({ manifest }: NpmPackage, specifier: string): string[] =>
  matchTargets(fieldsOf(manifest['imports']), specifier)

/** The targets of a key in `exports` or `imports`: an exact one first, else the longest pattern with `*`. */
function matchTargets(table: Fields, key: string): string[] {
  if (key in table) return leavesOf(table[key])
  const patterns = Object.keys(table)
    .filter((pattern) => pattern.includes('*'))
    .toSorted((a, b) => b.indexOf('*') - a.indexOf('*'))
  for (const pattern of patterns) {
    const [before = '', after = ''] = pattern.split('*')
    if (!key.startsWith(before) || !key.endsWith(after) || key.length < before.length + after.length) continue
    const star = key.slice(before.length, key.length - after.length)
    return leavesOf(table[pattern]).map((target) => target.replaceAll('*', star))
  }
  return []
}

/** Every path that conditions may lead to, in the order written; declarations are for the compiler alone. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  const conditions = Object.entries(fieldsOf(value))
  const [types, others] = [true, false].map((wanted) =>
    conditions.filter(([key]) => (key === 'types') === wanted),
  )
  return [...(others ?? []), ...(types ?? [])].flatMap(([, inner]) => leavesOf(inner))
}

/** Patterns of workspace folders, relative to the root; `!` in front takes away. */
function workspaceGlobs(tree: SourceTree, manifests: readonly { dir: string; manifest: Fields }[]): string[] {
  const ofNpm = manifests.flatMap(({ dir, manifest }) => {
    const listed = manifest['workspaces']
    return [...textsOf(listed), ...textsOf(fieldsOf(listed)['packages'])].map((glob) => within(dir, glob))
  })
  const ofPnpm = tree.paths
    .filter((path) => posix.basename(path) === 'pnpm-workspace.yaml')
    .flatMap((path) => pnpmPackages(tree.read(path)).map((glob) => within(prefixOf(path), glob)))
  return [...ofNpm, ...ofPnpm]
}

const within = (dir: string, glob: string): string =>
  glob.startsWith('!') ? `!${normal(dir + glob.slice(1))}` : normal(dir + glob)

/** The list below `packages:` of a `pnpm-workspace.yaml`. */
function pnpmPackages(yaml: string): string[] {
  const block = /^packages:[ \t]*\r?\n((?:[ \t]*(?:-.*|#.*)?\r?\n?)*)/m.exec(yaml)?.[1] ?? ''
  return Array.from(
    block.matchAll(/^[ \t]*-[ \t]*(['"]?)([^'"#\r\n]+?)\1[ \t]*(?:#.*)?$/gm),
    ([, , glob = '']) => glob,
  )
}

function isMatched(dir: string, globs: readonly string[]): boolean {
  const folder = dir.replace(/\/$/, '')
  const matches = (glob: string): boolean => patternOf(glob).test(folder)
  return (
    globs.some((glob) => !glob.startsWith('!') && matches(glob)) &&
    !globs.some((glob) => glob.startsWith('!') && matches(glob.slice(1)))
  )
}

const patternOf = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('**', '\0')
      .replaceAll('*', '[^/]+')
      .replaceAll('/\0', '(?:/.+)?')
      .replaceAll('\0', '.*')}$`,
  )
