import type { Link } from '../facts.ts'
import type { Language, ModuleIndex } from './language.ts'

/** Which files of the repository declare a name, by namespace: for languages that find neighbours by name. */
export interface DeclaredNames {
  /** Files that declare `namespace.name`; more than one for partial classes. */
  files(namespace: string, name: string): readonly string[]
  hasNamespace(namespace: string): boolean
  /** Links to the declared names of one namespace that a file uses, itself left out. */
  used(from: string, namespace: string, words: ReadonlySet<string>, link: Omit<Link, 'to' | 'names'>): Link[]
}

/** Indexes the top-level declarations of one language by `namespaceOf(path)`. */
export function indexDeclaredNames(
  index: ModuleIndex,
  language: Language,
  namespaceOf: (path: string) => string,
): DeclaredNames {
  const spaces = new Map<string, Map<string, string[]>>()
  for (const path of index.of(language)) {
    const space = namespaceOf(path)
    const names = spaces.get(space) ?? new Map<string, string[]>()
    spaces.set(space, names)
    for (const { name, owner } of index.code(path)?.symbols ?? []) {
      if (owner !== undefined) continue
      const files = names.get(name)
      if (files === undefined) names.set(name, [path])
      else if (!files.includes(path)) files.push(path)
    }
  }
  return {
    files: (namespace, name) => spaces.get(namespace)?.get(name) ?? [],
    hasNamespace: (namespace) => spaces.has(namespace),
    used(from, namespace, words, link) {
      const names = spaces.get(namespace)
      if (names === undefined) return []
      const byFile = new Map<string, string[]>()
      // Walk the smaller side; both orders give the same sorted result.
      const shared =
        words.size < names.size
          ? [...words].filter((word) => names.has(word))
          : [...names.keys()].filter((name) => words.has(name))
      for (const name of shared.toSorted()) {
        const files = names.get(name) ?? []
        // The file's own declaration hides another of the same name.
        if (files.includes(from)) continue
        for (const file of files) byFile.set(file, [...(byFile.get(file) ?? []), name])
      }
      return [...byFile].map(([to, used]) => ({ to, names: used, ...link }))
    },
  }
}
