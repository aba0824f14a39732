import { posix } from 'node:path'
import type { Node } from '@vscode/tree-sitter-wasm'
import { fieldsOf, parseToml, textOf } from '../data-files.ts'
import type { CodeFacts, Link } from '../facts.ts'
import { cratesUsed } from '../manifests/toml-manifests.ts'
import type { Language, ModuleIndex, Resolver } from './language.ts'
import { childrenOf, fieldText, Found, namesUsed } from './syntax.ts'

const KINDS: Record<string, string> = {
  function_item: 'function',
  struct_item: 'struct',
  enum_item: 'enum',
  union_item: 'union',
  trait_item: 'trait',
  type_item: 'type',
  const_item: 'constant',
  static_item: 'static',
  macro_definition: 'macro',
}

function extract(root: Node, source: string): CodeFacts {
  const found = new Found(root)
  let inlineTests = false
  const items = (parent: Node | null): void => {
    let attributes = ''
    for (const node of childrenOf(parent)) {
      if (node.type === 'attribute_item') attributes += node.text
      else if (!node.type.endsWith('comment')) {
        item(node, attributes)
        attributes = ''
      }
    }
  }
  const item = (node: Node, attributes: string): void => {
    const name = fieldText(node, 'name')
    const exported =
      childrenOf(node).some((child) => child.type === 'visibility_modifier') ||
      attributes.includes('macro_export')
    const kind = KINDS[node.type]
    if (node.type === 'use_declaration') {
      for (const specifier of usePaths(node.childForFieldName('argument'))) found.import(node, specifier)
    } else if (node.type === 'mod_item') {
      const body = node.childForFieldName('body')
      if (/cfg\(test\)/.test(attributes)) inlineTests = true
      else if (body === null) found.import(node, name, 'declare')
      else items(body)
    } else if (node.type === 'impl_item') {
      const owner = fieldText(node, 'type').replace(/<.*/s, '')
      const isTrait = node.childForFieldName('trait') !== null
      for (const method of childrenOf(node.childForFieldName('body'))) {
        if (method.type !== 'function_item') continue
        const open = isTrait || childrenOf(method).some((child) => child.type === 'visibility_modifier')
        found.symbol(method, { name: fieldText(method, 'name'), kind: 'method', owner, exported: open })
      }
    } else if (kind !== undefined && name !== '') found.symbol(node, { name, kind, exported })
  }
  items(root)
  const isMain = found.symbols.some(
    ({ name, kind, owner }) => name === 'main' && kind === 'function' && owner === undefined,
  )
  return found.facts({
    words: namesUsed(root, source, /(?<![\w:])([a-z_]\w*(?:::\w+)+)/g, [
      'line_comment',
      'block_comment',
      'string_literal',
      'use_declaration',
    ]),
    ...(isMain && { entry: '`fn main`' }),
    inlineTests: inlineTests || undefined,
  })
}

/** `use a::{b, c::D}` as `a::b` and `a::c::D`. */
function usePaths(node: Node | null, prefix = ''): string[] {
  if (node === null) return []
  const join = (text: string): string =>
    (prefix === '' ? text : `${prefix}::${text}`).replace(/\s/g, '').replace(/::self$/, '')
  switch (node.type) {
    case 'use_list':
      return childrenOf(node).flatMap((child) => usePaths(child, prefix))
    case 'scoped_use_list':
      return usePaths(
        node.childForFieldName('list'),
        node.childForFieldName('path') === null ? prefix : join(fieldText(node, 'path')),
      )
    case 'use_as_clause':
      return [join(fieldText(node, 'path'))]
    case 'use_wildcard':
      return [join(childrenOf(node)[0]?.text ?? '')]
    default:
      return node.type.endsWith('comment') ? [] : [join(node.text)]
  }
}

interface Crate {
  dir: string
  name: string
  dependencies: ReadonlySet<string>
}

/** Paths by the module tree that file names make within each crate (`src/a/b.rs` is `crate::a::b`). */
function createResolver(index: ModuleIndex): Resolver {
  const crates: Crate[] = index.paths
    .filter((path) => posix.basename(path) === 'Cargo.toml')
    .map((path) => readCrate(posix.dirname(path), index.read(path)))
    .toSorted((a, b) => b.dir.length - a.dir.length)
  const crateOf = (path: string): Crate | undefined =>
    crates.find(({ dir }) => dir === '.' || path.startsWith(`${dir}/`))
  const at = (...parts: string[]): string => posix.join(...parts)

  /** The file of the longest prefix of module names below a folder. */
  const descend = (folder: string, names: readonly string[], own?: string): string | undefined => {
    for (let length = names.length; length > 0; length--) {
      const stem = at(folder, ...names.slice(0, length))
      for (const candidate of [`${stem}.rs`, `${stem}/mod.rs`]) if (index.has(candidate)) return candidate
    }
    return own
  }
  const rootOf = (folder: string): string | undefined =>
    ['lib.rs', 'main.rs', 'mod.rs'].map((file) => at(folder, file)).find((file) => index.has(file))

  return (path, code) => {
    const crate = crateOf(path)
    const source = crate === undefined ? posix.dirname(path) : sourceFolder(path, crate.dir)
    const stem = posix.basename(path, '.rs')
    const ownsFolder =
      ['mod', 'lib', 'main'].includes(stem) ||
      (posix.dirname(path) !== source && posix.dirname(path).endsWith('/bin'))
    const children = ownsFolder ? posix.dirname(path) : at(posix.dirname(path), stem)
    const parent = ownsFolder ? posix.dirname(children) : posix.dirname(path)
    const fileOf = (folder: string): string | undefined =>
      folder === source
        ? rootOf(folder)
        : [`${folder}.rs`, `${folder}/mod.rs`].find((file) => index.has(file))

    const resolve = (specifier: string): Pick<Link, 'to' | 'external'> | undefined => {
      const [head = '', ...rest] = specifier.split('::')
      if (head === 'crate') return asLink(descend(source, rest, rootOf(source)))
      if (head === 'self') return asLink(descend(children, rest))
      if (head === 'super') {
        let folder = parent
        let names = rest
        while (names[0] === 'super') [folder, names] = [posix.dirname(folder), names.slice(1)]
        return asLink(descend(folder, names, fileOf(folder)))
      }
      const local = descend(children, [head, ...rest])
      if (local !== undefined) return { to: local }
      const other = crates.find(({ name }) => name === head)
      if (other !== undefined) {
        const folder =
          index.has(at(other.dir, 'src/lib.rs')) || index.has(at(other.dir, 'src/main.rs'))
            ? at(other.dir, 'src')
            : other.dir
        return asLink(descend(folder, rest, rootOf(folder)))
      }
      return crate?.dependencies.has(head) === true ? { external: head } : undefined
    }

    const links: Link[] = []
    const push = (
      found: Pick<Link, 'to' | 'external'> | undefined,
      line: number,
      mode: Link['mode'],
      name?: string,
    ): void => {
      if (found === undefined) return
      links.push({
        ...found,
        line,
        mode,
        ...(name !== undefined && /^[A-Z]/.test(name) ? { names: [name] } : {}),
      })
    }
    for (const { specifier, line, mode } of code.imports) {
      if (mode === 'declare') push(asLink(descend(children, [specifier])), line, 'reference')
      else push(resolve(specifier), line, mode, specifier.split('::').at(-1))
    }
    const known = new Set(links.map(({ to, external }) => to ?? external))
    for (const word of code.words ?? []) {
      const found = resolve(word)
      const key = found?.to ?? found?.external
      if (found === undefined || key === undefined || known.has(key)) continue
      known.add(key)
      push(found, 1, 'reference', word.split('::').at(-1))
    }
    return links
  }
}

const asLink = (to: string | undefined): { to: string } | undefined => (to === undefined ? undefined : { to })

/** The folder that `crate::` means for a file: `src`, or the folder of a test, bench, example or build script. */
function sourceFolder(path: string, dir: string): string {
  const inside = dir === '.' ? path : path.slice(dir.length + 1)
  const first = inside.split('/')[0] ?? ''
  if (!inside.includes('/')) return dir
  return ['src', 'tests', 'benches', 'examples'].includes(first)
    ? posix.join(dir, first)
    : posix.dirname(path)
}

function readCrate(dir: string, manifest: string): Crate {
  const toml = parseToml(manifest)
  const name = textOf(fieldsOf(toml['lib'])['name']) ?? textOf(fieldsOf(toml['package'])['name']) ?? ''
  const { normal, development } = cratesUsed(toml)
  const dependencies = new Set([...normal, ...development].map((used) => used.replaceAll('-', '_')))
  return { dir, name: name.replaceAll('-', '_'), dependencies }
}

/** Rust. */
export const rust: Language = {
  id: 'rust',
  name: 'Rust',
  fence: 'rust',
  extensions: ['.rs'],
  grammar: () => 'rust',
  extract,
  createResolver,
}
