import { posix } from 'node:path'
import type { SourceTree } from './source-tree.ts'

export interface Projects {
  /** Folder of the project that compiles a file; undefined where none does. */
  projectOf(path: string): string | undefined
  /** Whether what a file declares can be seen in another: in its own project, or in one that it refers to. */
  sees(from: string, to: string): boolean
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
  const direct = new Map<string, Set<string>>()
  for (const path of files) {
    const dir = posix.dirname(path)
    const known = direct.get(dir) ?? new Set()
    for (const [, target = ''] of tree.read(path).matchAll(/<ProjectReference\s[^>]*?Include="([^"]+)"/g))
      known.add(posix.dirname(posix.join(dir, target.replaceAll('\\', '/'))))
    direct.set(dir, known)
  }
  const seen = new Map([...direct.keys()].map((dir) => [dir, reachable(dir, direct)]))
  return {
    projectOf,
    sees(from, to) {
      const [own, other] = [projectOf(from), projectOf(to)]
      if (!isPlain || own === undefined || other === undefined || own === other) return true
      return seen.get(own)?.has(other) === true
    },
  }
}

function reachable(start: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set([start])
  for (const one of found) for (const other of next.get(one) ?? []) found.add(other)
  return found
}
