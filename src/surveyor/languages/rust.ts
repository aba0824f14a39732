import type { Node } from '@vscode/tree-sitter-wasm'
import type { CodeFacts } from '../facts.ts'
import type { Language } from './language.ts'
import { createRustResolver } from './rust-resolver.ts'
import { childrenOf, descendants, fieldText, Found, namesUsed } from './syntax.ts'

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

/** Of what is compiled for tests alone. */
const FOR_TESTS = /\bcfg\((?:all\()?\s*test\b/

function extract(root: Node, source: string): CodeFacts {
  const found = new Found(root)
  const forTests: Node[] = []
  let inlineTests = false
  const items = (parent: Node | null): void => {
    let attributes = ''
    for (const node of childrenOf(parent)) {
      if (node.type === 'attribute_item') attributes += node.text
      else if (!node.type.endsWith('comment')) {
        if (FOR_TESTS.test(attributes)) forTests.push(node)
        item(node, attributes)
        attributes = ''
      }
    }
  }
  /** A `use` in the body of a function holds there alone, so it passes nothing on. */
  const usesWithin = (node: Node): void => {
    for (const use of descendants(node, 'use_declaration'))
      for (const { path } of usePaths(use.childForFieldName('argument'))) found.import(use, path)
  }
  /** What tests use, who stand so much deeper than their file. */
  const usesInTests = (node: Node, deeper: string): void => {
    for (const use of descendants(node, 'use_declaration'))
      for (const { path } of usePaths(use.childForFieldName('argument')))
        if (path.startsWith(deeper)) found.import(use, path.slice(deeper.length), 'test')
        else if (!/^(?:super|self)\b/.test(path)) found.import(use, path, 'test')
    for (const path of new Set(node.text.match(/\bcrate(?:::\w+)+/g))) found.import(node, path, 'test')
  }
  const item = (node: Node, attributes: string): void => {
    const name = fieldText(node, 'name')
    const exported = isVisible(node) || attributes.includes('macro_export')
    const kind = KINDS[node.type]
    if (/^(?:function|impl|trait)_item$/.test(node.type)) usesWithin(node)
    if (node.type === 'use_declaration') {
      const isOpen = isVisible(node)
      if (FOR_TESTS.test(attributes)) return usesInTests(node, '')
      for (const use of usePaths(node.childForFieldName('argument')))
        if (isOpen) found.reexport(node, use.path, use.name)
        else found.import(node, use.path)
    } else if (node.type === 'extern_crate_declaration') {
      if (isVisible(node)) found.reexport(node, name, fieldText(node, 'alias') || name)
      else found.import(node, name)
    } else if (node.type === 'mod_item') {
      const body = node.childForFieldName('body')
      if (FOR_TESTS.test(attributes)) {
        if (body === null) return found.import(node, `self::${name}`, 'test')
        inlineTests = true
        usesInTests(body, 'super::')
      } else if (body === null) found.import(node, name, 'declare')
      else items(body)
    } else if (node.type === 'impl_item') {
      const owner = fieldText(node, 'type').replace(/<.*/s, '')
      const isTrait = node.childForFieldName('trait') !== null
      for (const method of childrenOf(node.childForFieldName('body'))) {
        if (method.type !== 'function_item') continue
        const open = isTrait || isVisible(method)
        found.symbol(method, { name: fieldText(method, 'name'), kind: 'method', owner, exported: open })
      }
    } else if (kind !== undefined && name !== '') found.symbol(node, { name, kind, exported })
  }
  items(root)
  const isMain = found.symbols.some(
    ({ name, kind, owner }) => name === 'main' && kind === 'function' && owner === undefined,
  )
  return found.facts({
    words: namesUsed(
      root,
      source,
      /(?<![\w:])([a-z_]\w*(?:::\w+)+)/g,
      ['line_comment', 'block_comment', 'string_literal', 'use_declaration'],
      forTests,
    ),
    ...(isMain && { entry: '`fn main`' }),
    inlineTests: inlineTests || undefined,
  })
}

const isVisible = (node: Node): boolean =>
  childrenOf(node).some((child) => child.type === 'visibility_modifier')

/** A path that a `use` names, and the name that it has from then on; `*` for all that it holds. */
interface Use {
  path: string
  name: string
}

/** `use a::{b, c::D as E}` as `a::b` and `a::c::D`, the latter by the name `E`. */
function usePaths(node: Node | null, prefix = ''): Use[] {
  if (node === null) return []
  const join = (text: string): string =>
    (prefix === '' ? text : `${prefix}::${text}`).replace(/\s/g, '').replace(/::self$/, '')
  const use = (text: string, name?: string): Use[] => {
    const path = join(text)
    return [{ path, name: name ?? path.split('::').at(-1) ?? path }]
  }
  switch (node.type) {
    case 'use_list':
      return childrenOf(node).flatMap((child) => usePaths(child, prefix))
    case 'scoped_use_list':
      return usePaths(
        node.childForFieldName('list'),
        node.childForFieldName('path') === null ? prefix : join(fieldText(node, 'path')),
      )
    case 'use_as_clause':
      return use(fieldText(node, 'path'), fieldText(node, 'alias'))
    case 'use_wildcard': {
      const holder = childrenOf(node)[0]?.text
      return holder === undefined ? [{ path: prefix, name: '*' }] : use(holder, '*')
    }
    default:
      return node.type.endsWith('comment') ? [] : use(node.text)
  }
}

/** Rust. */
export const rust: Language = {
  id: 'rust',
  name: 'Rust',
  fence: 'rust',
  extensions: ['.rs'],
  grammar: () => 'rust',
  extract,
  createResolver: createRustResolver,
}
