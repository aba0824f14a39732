import { posix } from 'node:path'
import type { SourceTree } from './source-tree.ts'

export interface Projects {
  /** Folder of the project that compiles a file; undefined where none does. */
  projectOf(path: string): string | undefined
  /** Whether what a file declares can be seen in another: in its own project, or in one that it refers to. */
  sees(from: string, to: string): boolean
  /** Namespaces that a project file imports in each of its source files. */
  usingsOf(path: string): readonly string[]
  /** Names of the packages that its project asks for, itself or by what holds for all below a folder. */
  packagesOf(path: string): readonly string[]
}

/** The projects of .NET with what they refer to, directly or through others. */
export function readProjects(tree: Pick<SourceTree, 'paths' | 'read'>): Projects {
  const files = tree.paths.filter((path) => path.endsWith('.csproj'))
  const folders = [...new Set(files.map((path) => posix.dirname(path)))].toSorted(
    (a, b) => b.length - a.length,
  )
  const projectOf = (path: string): string | undefined =>
    folders.find((dir) => dir === '.' || path.startsWith(`${dir}/`))
  // What shared build files refer to holds for whoever imports them, which is not followed.
  const isPlain = !tree.paths.some(
    (path) => /\.(props|targets)$/.test(path) && tree.read(path).includes('<ProjectReference'),
  )
  // `Directory.Build.props` holds for all below it; other shared files for whoever imports them.
  const building = tree.paths.filter((path) =>
    /\.csproj$|(?:^|\/)Directory\.Build\.(?:props|targets)$/.test(path),
  )
  const builds = building.map((path) => ({
    dir: posix.dirname(path),
    isProject: path.endsWith('.csproj'),
    spaces: includesOf(tree.read(path), 'Using'),
    packages: includesOf(tree.read(path), 'PackageReference'),
  }))
  const heldFor = (path: string): typeof builds => {
    const own = projectOf(path)
    return own === undefined
      ? []
      : builds.filter(
          ({ dir, isProject }) => dir === own || (!isProject && (dir === '.' || own.startsWith(`${dir}/`))),
        )
  }
  const direct = new Map<string, Set<string>>()
  for (const path of files) {
    const dir = posix.dirname(path)
    const known = direct.get(dir) ?? new Set()
    for (const target of includesOf(tree.read(path), 'ProjectReference'))
      known.add(posix.dirname(posix.join(dir, target.replaceAll('\\', '/'))))
    direct.set(dir, known)
  }
  const seen = new Map([...direct.keys()].map((dir) => [dir, reachable(dir, direct)]))
  return {
    projectOf,
    packagesOf: (path) => heldFor(path).flatMap(({ packages }) => packages),
    usingsOf: (path) => heldFor(path).flatMap(({ spaces }) => spaces),
    sees(from, to) {
      const [own, other] = [projectOf(from), projectOf(to)]
      if (!isPlain || own === undefined || other === undefined || own === other) return true
      return seen.get(own)?.has(other) === true
    },
  }
}

/** What the elements of one name include. */
const includesOf = (source: string, element: string): string[] =>
  Array.from(
    source.matchAll(new RegExp(`<${element}\\s[^>]*?Include="([^"]+)"`, 'g')),
    ([, name = '']) => name,
  )

function reachable(start: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set([start])
  for (const one of found) for (const other of next.get(one) ?? []) found.add(other)
  return found
}
