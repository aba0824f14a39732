import { posix } from 'node:path'
import { fieldsOf, parseToml, textOf } from '../data-files.ts'
import { cratesUsed, dependencyTables } from '../manifests/toml-manifests.ts'
import type { ModuleIndex } from './language.ts'

/** A crate of the repository. */
export interface Crate {
  dir: string
  /** As code writes it: with `_` for `-`. */
  name: string
  /** The file that `lib` is made from, where the manifest or the habit names one that is there. */
  library?: string
  /** Folders that `crate::` may mean: those of the files that its programs and libraries begin with. */
  roots: string[]
  dependencies: ReadonlySet<string>
  /** Crates of the repository by the names that this one has for them. */
  siblings: ReadonlyMap<string, string>
}

type Fields = Readonly<Record<string, unknown>>

interface CargoFile {
  dir: string
  toml: Fields
}

/** Every crate of the repository, the deepest folder first. */
export function readCrates(index: ModuleIndex): Crate[] {
  const files = index.paths
    .filter((path) => posix.basename(path) === 'Cargo.toml')
    .map((path): CargoFile => ({ dir: posix.dirname(path), toml: parseToml(index.read(path)) }))
  const packages = new Map(
    files.flatMap(({ dir, toml }) => {
      const name = textOf(fieldsOf(toml['package'])['name'])
      return name === undefined ? [] : [[name, dir] as const]
    }),
  )
  return files
    .map((file) => readCrate(index, file, files, packages))
    .toSorted((a, b) => b.dir.length - a.dir.length)
}

const asWritten = (name: string): string => name.replaceAll('-', '_')

function readCrate(
  index: ModuleIndex,
  { dir, toml }: CargoFile,
  files: readonly CargoFile[],
  packages: ReadonlyMap<string, string>,
): Crate {
  const lib = fieldsOf(toml['lib'])
  const { normal, development } = cratesUsed(toml)
  const library = [textOf(lib['path']) ?? 'src/lib.rs', 'src/main.rs', 'lib.rs']
    .map((path) => posix.join(dir, path))
    .find((path) => index.has(path))
  return {
    dir,
    name: asWritten(textOf(lib['name']) ?? textOf(fieldsOf(toml['package'])['name']) ?? ''),
    ...(library === undefined ? {} : { library }),
    roots: targetPaths(toml).map((path) => posix.dirname(posix.join(dir, path))),
    dependencies: new Set([...normal, ...development].map(asWritten)),
    siblings: siblingsOf(dir, toml, files, packages),
  }
}

/** The files that a manifest says its programs, libraries, tests and the like begin with. */
const targetPaths = (toml: Fields): string[] =>
  ['lib', 'bin', 'test', 'bench', 'example']
    .flatMap((kind) => toml[kind])
    .flatMap((target) => textOf(fieldsOf(target)['path']) ?? [])

/** Dependencies that lie in the repository: by `path`, by the name of the package, or through the workspace. */
function siblingsOf(
  dir: string,
  toml: Fields,
  files: readonly CargoFile[],
  packages: ReadonlyMap<string, string>,
): Map<string, string> {
  const found = new Map<string, string>()
  const place = (from: string, key: string, wanted: Fields): string | undefined => {
    const path = textOf(wanted['path'])
    return path === undefined ? packages.get(textOf(wanted['package']) ?? key) : posix.join(from, path)
  }
  for (const [key, value] of dependencyTables(toml).flatMap((table) => Object.entries(table))) {
    const wanted = fieldsOf(value)
    const shared = wanted['workspace'] === true ? ofWorkspace(dir, key, files) : undefined
    const at = shared === undefined ? place(dir, key, wanted) : place(shared.dir, key, shared.wanted)
    if (at !== undefined && files.some((file) => file.dir === at)) found.set(asWritten(key), at)
  }
  return found
}

/** What the nearest workspace above a crate says of a dependency that it shares. */
function ofWorkspace(
  dir: string,
  key: string,
  files: readonly CargoFile[],
): { dir: string; wanted: Fields } | undefined {
  const above = files
    .filter((file) => file.dir === '.' || file.dir === dir || dir.startsWith(`${file.dir}/`))
    .toSorted((a, b) => b.dir.length - a.dir.length)
  for (const file of above) {
    const shared = fieldsOf(fieldsOf(file.toml['workspace'])['dependencies'])
    if (key in shared) return { dir: file.dir, wanted: fieldsOf(shared[key]) }
  }
  return undefined
}
