// TypeScript, TSX and JavaScript share everything but the grammar.
import type { Node } from '@vscode/tree-sitter-wasm'
import type { CodeFacts, ImportMode } from '../facts.ts'
import { createEcmascriptResolver } from './ecmascript-resolver.ts'
import type { Language } from './language.ts'
import { childrenOf, descendants, fieldText, Found, isInside } from './syntax.ts'

const KINDS: Record<string, string> = {
  function_declaration: 'function',
  generator_function_declaration: 'function',
  function_signature: 'function',
  class_declaration: 'class',
  abstract_class_declaration: 'class',
  interface_declaration: 'interface',
  type_alias_declaration: 'type',
  enum_declaration: 'enum',
  internal_module: 'namespace',
  module: 'namespace',
}
const FUNCTIONS = new Set(['arrow_function', 'function_expression', 'generator_function'])
const BODIES = new Set([
  ...FUNCTIONS,
  'function_declaration',
  'method_definition',
  'generator_function_declaration',
])

const literal = (node: Node | null): string => node?.text.slice(1, -1) ?? ''

function extract(root: Node, source: string): CodeFacts {
  const found = new Found(root)
  const exported = new Set<string>()
  for (const node of childrenOf(root)) statement(node, node, false)
  if (/\b(?:require|import)\s*\(/.test(source)) callsThatLoad(root, found)
  for (const symbol of found.symbols) if (exported.has(symbol.name)) symbol.exported = true
  const shebang = childrenOf(root)[0]?.type === 'hash_bang_line'
  return found.facts(shebang ? { entry: 'starts with `#!`' } : {})

  function statement(node: Node, outer: Node, isExported: boolean): void {
    if (node.type === 'import_statement') return importStatement(node)
    if (node.type === 'export_statement') return exportStatement(node)
    if (node.type === 'lexical_declaration' || node.type === 'variable_declaration') {
      const isConstant = node.text.startsWith('const')
      for (const declarator of childrenOf(node)) variable(declarator, outer, isExported, isConstant)
      return
    }
    if (node.type === 'ambient_declaration') {
      for (const child of childrenOf(node)) statement(child, outer, isExported)
      return
    }
    if (node.type === 'expression_statement') {
      const expression = childrenOf(node)[0]
      if (expression?.type === 'internal_module') statement(expression, outer, isExported)
      if (expression?.type === 'assignment_expression') assignment(expression, node)
      return
    }
    const kind = KINDS[node.type]
    const name = fieldText(node, 'name')
    if (kind === undefined || name === '') return
    found.symbol(node, { name: name.replace(/^['"]|['"]$/g, ''), kind, exported: isExported }, outer)
    if (kind === 'class') members(node, name, isExported)
  }

  function variable(declarator: Node, outer: Node, isExported: boolean, isConstant: boolean): void {
    const name = declarator.childForFieldName('name')
    if (declarator.type !== 'variable_declarator' || name?.type !== 'identifier') return
    const value = declarator.childForFieldName('value')
    const kind =
      value === null
        ? 'variable'
        : FUNCTIONS.has(value.type)
          ? 'function'
          : value.type === 'class'
            ? 'class'
            : isConstant
              ? 'constant'
              : 'variable'
    // `const x = require('x')` names an import, not something this module makes.
    if (value !== null && /^require\s*\(/.test(value.text)) return
    found.symbol(declarator, { name: name.text, kind, exported: isExported }, outer)
    if (kind === 'class' && value !== null) members(value, name.text, isExported)
  }

  function members(node: Node, owner: string, isExported: boolean): void {
    for (const member of childrenOf(node.childForFieldName('body'))) {
      const value = member.childForFieldName('value')
      const isMethod = /^(method_definition|abstract_method_signature|method_signature)$/.test(member.type)
      if (!isMethod && !(value !== null && FUNCTIONS.has(value.type))) continue
      const name = fieldText(member, 'name')
      const hidden = name.startsWith('#') || /^\s*(?:private|protected)\b/.test(member.text)
      found.symbol(member, { name, kind: 'method', owner, exported: isExported && !hidden })
    }
  }

  function assignment(node: Node, outer: Node): void {
    const left = fieldText(node, 'left')
    const right = node.childForFieldName('right')
    if (right === null) return
    if (right.type === 'assignment_expression') assignment(right, outer)
    if (/^(module\.)?exports$/.test(left)) {
      if (right.type === 'identifier') exported.add(right.text)
      if (right.type === 'object') {
        for (const entry of childrenOf(right)) exported.add(fieldText(entry, 'value') || entry.text)
      }
      const name = fieldText(right, 'name')
      if (name !== '' && (FUNCTIONS.has(right.type) || right.type === 'class')) {
        const kind = right.type === 'class' ? 'class' : 'function'
        found.symbol(node, { name, kind, exported: true }, outer)
      }
      return
    }
    const member = /^(?:module\.)?exports\.([\w$]+)$/.exec(left)?.[1]
    if (member !== undefined) {
      if (right.type === 'identifier') exported.add(right.text)
      if (right.text.startsWith('require(') || (right.type === 'identifier' && right.text === member)) return
      const kind = FUNCTIONS.has(right.type) ? 'function' : 'constant'
      found.symbol(node, { name: member, kind, exported: true }, outer)
      return
    }
    const [, owner, name] = /^([\w$]+)(?:\.prototype)?\.([\w$]+)$/.exec(left) ?? []
    if (owner !== undefined && name !== undefined && FUNCTIONS.has(right.type)) {
      found.symbol(node, { name, kind: 'method', owner, exported: true }, outer)
    }
  }

  function importStatement(node: Node): void {
    const from =
      node.childForFieldName('source') ??
      descendants(node, 'import_require_clause')[0]?.childForFieldName('source') ??
      null
    if (from === null) return
    const clause = node.text.slice(0, from.startIndex - node.startIndex)
    const specifiers = descendants(node, 'import_specifier')
    const named = specifiers.map((specifier) => fieldText(specifier, 'name'))
    const allTypes =
      specifiers.length > 0 &&
      specifiers.every((specifier) => specifier.text.startsWith('type ')) &&
      /^import\s*\{/.test(clause)
    const mode: ImportMode = /^import\s+type\b/.test(clause) || allTypes ? 'type' : 'load'
    const names =
      /^import\s+(?:type\s+)?[\w$]+\s*[,\s]/.test(clause) && !/^import\s+type\s+from/.test(clause)
        ? ['default', ...named]
        : named
    found.import(node, literal(from), mode, names)
  }

  function exportStatement(node: Node): void {
    const from = node.childForFieldName('source')
    const names = descendants(node, 'export_specifier').map((specifier) => fieldText(specifier, 'name'))
    if (from !== null) {
      const mode: ImportMode = /^export\s+type\b/.test(node.text) ? 'type' : 'load'
      return found.import(node, literal(from), mode, names)
    }
    const declaration = node.childForFieldName('declaration')
    if (declaration !== null) return statement(declaration, node, true)
    const value = node.childForFieldName('value')
    if (value?.type === 'identifier') exported.add(value.text)
    else if (value !== null) {
      const name = fieldText(value, 'name') || 'default'
      const kind = FUNCTIONS.has(value.type) ? 'function' : value.type === 'class' ? 'class' : 'constant'
      found.symbol(value, { name, kind, exported: true }, node)
    }
    for (const name of names) exported.add(name)
    if (/^export\s*=/.test(node.text)) exported.add(childrenOf(node)[0]?.text ?? '')
  }
}

/** `require('x')` and `import('x')`; inside a function they load later, and so cannot close a cycle. */
function callsThatLoad(root: Node, found: Found): void {
  for (const call of descendants(root, 'call_expression')) {
    const callee = fieldText(call, 'function')
    const [argument] = childrenOf(call.childForFieldName('arguments'))
    if ((callee !== 'require' && callee !== 'import') || argument?.type !== 'string') continue
    found.import(call, literal(argument), callee === 'import' || isInside(call, BODIES) ? 'lazy' : 'load')
  }
}

const shared = { extract, createResolver: createEcmascriptResolver }

/** TypeScript with TSX. */
export const typescript: Language = {
  id: 'typescript',
  name: 'TypeScript',
  fence: 'ts',
  extensions: ['.ts', '.tsx', '.mts', '.cts'],
  interpreters: ['ts-node', 'tsx', 'deno'],
  grammar: (path) => (path.endsWith('.tsx') ? 'tsx' : 'typescript'),
  ...shared,
}

/** JavaScript with JSX. */
export const javascript: Language = {
  id: 'javascript',
  name: 'JavaScript',
  fence: 'js',
  extensions: ['.js', '.jsx', '.mjs', '.cjs'],
  interpreters: ['node', 'nodejs', 'bun'],
  grammar: () => 'javascript',
  ...shared,
}
