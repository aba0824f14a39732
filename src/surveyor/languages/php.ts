import { posix } from 'node:path'
import type { Node } from '@vscode/tree-sitter-wasm'
import type { CodeFacts, Link } from '../facts.ts'
import { indexDeclaredNames } from './declared-names.ts'
import type { Language, ModuleIndex, Resolver } from './language.ts'
import { childrenOf, descendants, fieldText, Found, isInside, namesUsed } from './syntax.ts'

const KINDS: Record<string, string> = {
  class_declaration: 'class',
  interface_declaration: 'interface',
  trait_declaration: 'trait',
  enum_declaration: 'enum',
  function_definition: 'function',
}
const REQUIRES = [
  'require_expression',
  'require_once_expression',
  'include_expression',
  'include_once_expression',
]

function extract(root: Node, source: string): CodeFacts {
  const found = new Found(root)
  let namespace = ''
  const items = (parent: Node | null): void => {
    for (const node of childrenOf(parent)) item(node)
  }
  const item = (node: Node): void => {
    if (node.type === 'namespace_definition') {
      namespace ||= fieldText(node, 'name')
      items(node.childForFieldName('body'))
    } else if (node.type === 'namespace_use_declaration') uses(node, found)
    else if (node.type === 'if_statement') items(node.childForFieldName('body'))
    const kind = KINDS[node.type]
    if (kind === undefined) return
    const owner = fieldText(node, 'name')
    found.symbol(node, { name: owner, kind, exported: true })
    for (const member of kind === 'function' ? [] : childrenOf(node.childForFieldName('body'))) {
      if (member.type !== 'method_declaration') continue
      const hidden = childrenOf(member).some(
        (child) => child.type === 'visibility_modifier' && child.text === 'private',
      )
      found.symbol(member, { name: fieldText(member, 'name'), kind: 'method', owner, exported: !hidden })
    }
  }
  items(root)
  for (const node of descendants(root, REQUIRES)) {
    const specifier = descendants(node, ['string_content'])[0]?.text
    if (specifier === undefined) continue
    const lazy = isInside(node, new Set(['function_definition', 'method_declaration', 'anonymous_function']))
    found.import(node, `./${specifier.replace(/^\.?\//, '')}`, lazy ? 'lazy' : 'load')
  }
  return found.facts({
    doc: found.docOfFirst,
    namespace,
    words: namesUsed(root, source, /(?<![\w$>\\])[A-Z]\w*(?:\\[A-Z]\w*)*/g, [
      'comment',
      'string',
      'encapsed_string',
      'namespace_use_declaration',
    ]),
    ...(source.startsWith('#!') && { entry: 'starts with `#!`' }),
  })
}

/** `use A\{B, C as D}` as `A\B` and `A\C`. */
function uses(node: Node, found: Found): void {
  const prefix = childrenOf(node).find((child) => child.type === 'namespace_name')?.text
  for (const clause of descendants(node, 'namespace_use_clause')) {
    const name = childrenOf(clause)[0]?.text ?? ''
    found.import(clause, (prefix === undefined ? name : `${prefix}\\${name}`).replace(/^\\/, ''))
  }
}

/** Classes by full name, which is what PSR-4 promises; `require` by path. */
function createResolver(index: ModuleIndex): Resolver {
  const declared = indexDeclaredNames(index, php, (path) => index.code(path)?.namespace ?? '')
  return (path, code) => {
    const words = new Set((code.words ?? []).map((word) => word.split('\\')[0] ?? word))
    const qualified = (code.words ?? []).filter((word) => word.includes('\\'))
    const links: Link[] = []
    for (const { specifier, line, mode } of code.imports) {
      if (specifier.startsWith('./')) {
        const to = [posix.join(posix.dirname(path), specifier), specifier.slice(2)].find((candidate) =>
          index.has(candidate),
        )
        if (to !== undefined) links.push({ to, line, mode })
        continue
      }
      const parts = specifier.split('\\')
      const name = parts.at(-1) ?? ''
      const targets = declared.files(parts.slice(0, -1).join('\\'), name)
      for (const to of targets) links.push({ to, line, mode, names: [name] })
      if (targets.length > 0) continue
      if (declared.hasNamespace(specifier)) {
        // `use App\Model;` and then `Model\User`: the used names belong to that namespace.
        links.push(...declared.used(path, specifier, words, { line, mode }))
      } else if (parts.length > 1) links.push({ external: parts.slice(0, 2).join('\\'), line, mode })
    }
    // `Curl\Util` is within what `use` calls `Curl`, or else within the file's own namespace.
    for (const word of qualified) {
      const [first = '', ...rest] = word.split('\\')
      const name = rest.pop() ?? ''
      const imported = code.imports.find(({ specifier }) => specifier.split('\\').at(-1) === first)
      const space =
        imported?.specifier ?? [code.namespace ?? '', first].filter((part) => part !== '').join('\\')
      for (const to of declared.files([space, ...rest].join('\\'), name))
        links.push({ to, line: imported?.line ?? 1, mode: 'reference', names: [name] })
    }
    return [...links, ...declared.used(path, code.namespace ?? '', words, { line: 1, mode: 'reference' })]
  }
}

/** PHP. */
export const php: Language = {
  id: 'php',
  name: 'PHP',
  fence: 'php',
  extensions: ['.php', '.phtml', '.inc'],
  interpreters: ['php'],
  grammar: () => 'php',
  extract,
  createResolver,
}
