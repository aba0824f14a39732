import { posix } from 'node:path'
import { fieldsOf, parseJson, textOf, textsOf } from '../data-files.ts'
import { namedPackage } from './npm-packages.ts'
import type { NpmPackage } from './npm-packages.ts'
import { normal, prefixOf } from './source-tree.ts'
import type { SourceTree } from './source-tree.ts'

/** What a `tsconfig.json` says with all that it extends; paths are relative to the root of the repository. */
export interface Tsconfig {
  /** Folder whose files it holds for, with a slash at its end; empty for the root. */
  dir: string
  patterns: { prefix: string; suffix: string; isExact: boolean; targets: string[] }[]
  baseUrl?: string
  outDir?: string
  rootDir?: string
  include?: string[]
}

const DEEPEST = 8

/** Every configuration of TypeScript or JavaScript, the deepest folder first: the nearest speaks first. */
export function readTsconfigs(tree: SourceTree, packages: readonly NpmPackage[]): Tsconfig[] {
  return tree.paths
    .filter((path) => /(^|\/)(tsconfig|jsconfig)[\w.-]*\.json$/.test(path))
    .map((path) => ({ ...readOne(tree, packages, path, prefixOf(path), 0), dir: prefixOf(path) }))
    .toSorted((a, b) => b.dir.length - a.dir.length)
}

type Settings = Omit<Tsconfig, 'dir' | 'patterns'> & { patterns?: Tsconfig['patterns'] }

function readOne(
  tree: SourceTree,
  packages: readonly NpmPackage[],
  path: string,
  start: string,
  depth: number,
): Settings & Pick<Tsconfig, 'patterns'> {
  const json = fieldsOf(parseJson(tree.read(path)))
  const inherited = [textOf(json['extends']) ?? '', ...textsOf(json['extends'])]
    .filter((base) => base !== '' && depth < DEEPEST)
    .flatMap((base) => extended(tree, packages, path, base) ?? [])
    .map((base) => readOne(tree, packages, base, start, depth + 1))
  const before: Settings = Object.assign({}, ...inherited) as Settings
  return { patterns: [], ...before, ...ownSettings(json, prefixOf(path), start, before) }
}

/** The file that `extends` names: by its place, or in a package of the repository. */
function extended(
  tree: SourceTree,
  packages: readonly NpmPackage[],
  path: string,
  base: string,
): string | undefined {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(base)?.[0] ?? base
  const stem = base.startsWith('.')
    ? prefixOf(path) + base
    : `${namedPackage(packages, path, name)?.dir ?? 'node_modules/'}${base.slice(name.length + 1)}`
  return [stem, `${stem}.json`, `${stem}/tsconfig.json`].map(normal).find((file) => tree.has(file))
}

/** What one file sets; `${configDir}` is the folder of the configuration that is asked for. */
function ownSettings(
  json: Readonly<Record<string, unknown>>,
  folder: string,
  start: string,
  before: Settings,
): Settings {
  const options = fieldsOf(json['compilerOptions'])
  const place = (path: string, base = folder): string =>
    /^\$\{configDir\}/.test(path)
      ? normal(path.replace(/^\$\{configDir\}\/?/, start))
      : normal(posix.join(base, path))
  const one = (key: 'baseUrl' | 'outDir' | 'rootDir'): Settings => {
    const value = textOf(options[key])
    return value === undefined ? {} : { [key]: place(value) }
  }
  const include = textsOf(json['include']).map((path) => place(path))
  const baseUrl = one('baseUrl').baseUrl ?? before.baseUrl
  const patterns = Object.entries(fieldsOf(options['paths'])).map(([pattern, targets]) => {
    const [prefix = '', suffix = ''] = pattern.split('*')
    return {
      prefix,
      suffix,
      isExact: !pattern.includes('*'),
      targets: textsOf(targets).map((target) => place(target, baseUrl ?? folder)),
    }
  })
  return {
    ...one('baseUrl'),
    ...one('outDir'),
    ...one('rootDir'),
    ...(include.length > 0 && { include }),
    ...(options['paths'] !== undefined && { patterns }),
  }
}
