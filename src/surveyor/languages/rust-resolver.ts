import { posix } from 'node:path'
import type { ImportFact, Link } from '../facts.ts'
import type { ModuleIndex, Resolver } from './language.ts'
import { readCrates } from './rust-crates.ts'
import type { Crate } from './rust-crates.ts'

/** A file that a path leads to, with the names that are left of the path when it is reached. */
interface Reached {
  file: string
  rest: readonly string[]
}

type Found = { files: Reached[] } | { external: string }

/** A chain of re-exports that is longer leads round in a circle. */
const LONGEST_CHAIN = 8

/** Paths by the module tree that file names make within each crate (`src/a/b.rs` is `crate::a::b`). */
export function createRustResolver(index: ModuleIndex): Resolver {
  const crates = readCrates(index)
  const crateOf = (path: string): Crate | undefined =>
    crates.find(({ dir }) => dir === '.' || path.startsWith(`${dir}/`))

  /** The file of the longest prefix of module names below a folder. */
  const descend = (folder: string, names: readonly string[], own?: string): Reached | undefined => {
    for (let length = names.length; length > 0; length--) {
      const stem = posix.join(folder, ...names.slice(0, length))
      for (const file of [`${stem}.rs`, `${stem}/mod.rs`])
        if (index.has(file)) return { file, rest: names.slice(length) }
    }
    return own === undefined ? undefined : { file: own, rest: names }
  }
  const rootOf = (folder: string): string | undefined =>
    ['lib.rs', 'main.rs', 'mod.rs'].map((file) => posix.join(folder, file)).find((file) => index.has(file))

  const place = (path: string): ModulePlace => placeOf(path, crateOf(path))

  /** The other crate of the repository that a name means in a file of `crate`. */
  const sibling = (crate: Crate | undefined, name: string): Crate | undefined => {
    const at = crate?.siblings.get(name)
    return at === undefined
      ? crates.find((other) => other.name === name)
      : crates.find(({ dir }) => dir === at)
  }

  /** Where a path leads by folders and file names alone. */
  const reach = (path: string, names: readonly string[]): Reached | { external: string } | undefined => {
    const { crate, source, children, parent } = place(path)
    const [head = '', ...rest] = names
    if (head === 'crate') return descend(source, rest, rootOf(source))
    if (head === 'self') return descend(children, rest, path)
    if (head === 'super') {
      let folder = parent
      let left = rest
      while (left[0] === 'super') [folder, left] = [posix.dirname(folder), left.slice(1)]
      const own =
        folder === source
          ? rootOf(folder)
          : [`${folder}.rs`, `${folder}/mod.rs`].find((file) => index.has(file))
      return descend(folder, left, own)
    }
    const child = descend(children, names)
    if (child !== undefined) return child
    const other = sibling(crate, head)
    // A crate is seen from outside as its library says, whose modules may bear the names of its functions.
    if (other?.library !== undefined && rest.length === 1 && declares(other.library, rest[0] ?? ''))
      return { file: other.library, rest }
    if (other !== undefined)
      return other.library === undefined
        ? descend(other.dir, rest, rootOf(other.dir))
        : descend(posix.dirname(other.library), rest, other.library)
    return crate?.dependencies.has(head) === true ? { external: head } : undefined
  }

  /** What a file that is reached passes on under the next name of the path, as far as that leads. */
  const passedOn = ({ file, rest }: Reached, depth: number): Reached[] => {
    const [name, ...left] = rest
    const code = index.code(file)
    if (name === undefined || code === undefined || depth > LONGEST_CHAIN) return []
    if (declares(file, name)) return []
    const named = code.imports.filter(({ passesOn }) => passesOn === name)
    const starred = code.imports.filter(({ passesOn }) => passesOn === '*')
    const follow = ({ specifier }: ImportFact, names: readonly string[]): Reached[] => {
      const found = resolve(file, [...specifier.split('::'), ...names], depth + 1)
      return found !== undefined && 'files' in found ? found.files.filter((one) => one.file !== file) : []
    }
    for (const use of named) {
      const files = follow(use, left)
      if (files.length > 0) return files
    }
    for (const use of starred) {
      const files = follow(use, rest)
      const last = files.at(-1)
      if (last !== undefined && (last.rest.length === 0 || declares(last.file, last.rest[0] ?? '')))
        return files
    }
    return []
  }

  const declares = (file: string, name: string): boolean =>
    index.code(file)?.symbols.some((symbol) => symbol.owner === undefined && symbol.name === name) === true

  /** The file that a path names, then those to which it is passed on. */
  const resolve = (path: string, names: readonly string[], depth = 0): Found | undefined => {
    const first = reach(path, names)
    if (first === undefined || 'external' in first) return first
    return { files: [first, ...passedOn(first, depth)] }
  }

  return (path, code) => {
    const links: Link[] = []
    const push = (specifier: string, line: number, mode: Link['mode'], seen?: Set<string>): void => {
      const found = resolve(path, specifier.split('::'))
      const name = specifier.split('::').at(-1) ?? ''
      const names = /^[A-Z]/.test(name) ? { names: [name] } : {}
      const targets: Pick<Link, 'to' | 'external'>[] =
        found === undefined ? [] : 'files' in found ? found.files.map(({ file }) => ({ to: file })) : [found]
      for (const target of targets) {
        const key = target.to ?? target.external ?? ''
        if (seen?.has(key) === true) continue
        seen?.add(key)
        links.push({ ...target, line, mode, ...names })
      }
    }
    for (const { specifier, line, mode } of code.imports) {
      if (mode !== 'declare') push(specifier, line, mode)
      else {
        const child = descend(place(path).children, [specifier])
        if (child !== undefined) links.push({ to: child.file, line, mode: 'reference' })
      }
    }
    const known = new Set(
      links.filter(({ mode }) => mode !== 'test').map(({ to, external }) => to ?? external ?? ''),
    )
    for (const word of code.words ?? []) push(word, 1, 'reference', known)
    return links
  }
}

/** What `crate::`, `self::` and `super::` mean in a file. */
interface ModulePlace {
  crate: Crate | undefined
  source: string
  children: string
  parent: string
}

function placeOf(path: string, crate: Crate | undefined): ModulePlace {
  const source = crate === undefined ? posix.dirname(path) : sourceFolder(path, crate)
  const stem = posix.basename(path, '.rs')
  const ownsFolder =
    ['mod', 'lib', 'main'].includes(stem) ||
    (posix.dirname(path) !== source && posix.dirname(path).endsWith('/bin'))
  const children = ownsFolder ? posix.dirname(path) : posix.join(posix.dirname(path), stem)
  return { crate, source, children, parent: ownsFolder ? posix.dirname(children) : posix.dirname(path) }
}

/** The folder that `crate::` means for a file: that of a target which the manifest names, else by habit. */
function sourceFolder(path: string, { dir, roots }: Crate): string {
  const inside = dir === '.' ? path : path.slice(dir.length + 1)
  const first = inside.split('/')[0] ?? ''
  const declared = roots
    .filter((root) => root !== dir && path.startsWith(`${root}/`))
    .toSorted((a, b) => b.length - a.length)[0]
  if (declared !== undefined) return declared
  if (!inside.includes('/')) return dir
  return ['src', 'tests', 'benches', 'examples'].includes(first)
    ? posix.join(dir, first)
    : posix.dirname(path)
}
