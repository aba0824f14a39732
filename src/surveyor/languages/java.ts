import type { Node } from '@vscode/tree-sitter-wasm'
import type { CodeFacts, Link } from '../facts.ts'
import { indexDeclaredNames } from './declared-names.ts'
import type { Language, ModuleIndex, Resolver } from './language.ts'
import { childrenOf, fieldText, Found, namesUsed } from './syntax.ts'

const KINDS: Record<string, string> = {
  class_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
  record_declaration: 'record',
  annotation_type_declaration: 'annotation',
}

const modifiersOf = (node: Node): string =>
  childrenOf(node).find((child) => child.type === 'modifiers')?.text ?? ''

function extract(root: Node, source: string): CodeFacts {
  const found = new Found(root)
  let namespace = ''
  let entry: string | undefined
  for (const node of childrenOf(root)) {
    if (node.type === 'package_declaration')
      namespace = childrenOf(node).find((child) => /identifier$/.test(child.type))?.text ?? ''
    else if (node.type === 'import_declaration') {
      const name = childrenOf(node).find((child) => /identifier$/.test(child.type))?.text ?? ''
      const star = childrenOf(node).some((child) => child.type === 'asterisk')
      found.import(node, star ? `${name}.*` : name)
    } else declaration(node)
  }
  return found.facts({
    doc: found.docOfFirst,
    entry,
    namespace,
    words: namesUsed(root, source, /(?<![\w.])[A-Z]\w*/g, [
      'line_comment',
      'block_comment',
      'string_literal',
    ]),
  })

  function declaration(node: Node, owner?: string): void {
    const kind = KINDS[node.type]
    if (kind === undefined) return
    const name = fieldText(node, 'name')
    const words = modifiersOf(node)
    const exported = !/\bprivate\b/.test(words) && (owner !== undefined || /\bpublic\b/.test(words))
    found.symbol(node, { name, kind, owner, exported })
    const body = childrenOf(node.childForFieldName('body')).flatMap((child) =>
      child.type === 'enum_body_declarations' ? childrenOf(child) : [child],
    )
    for (const member of body) {
      if (owner === undefined) declaration(member, name)
      if (member.type !== 'method_declaration' && member.type !== 'constructor_declaration') continue
      const modifiers = modifiersOf(member)
      const method = fieldText(member, 'name')
      const open =
        kind === 'interface' ? !modifiers.includes('private') : /\b(public|protected)\b/.test(modifiers)
      const role = member.type === 'constructor_declaration' ? 'constructor' : 'method'
      found.symbol(member, { name: method, kind: role, owner: name, exported: open })
      if (method === 'main' && /\bpublic\b/.test(modifiers) && /\bstatic\b/.test(modifiers))
        entry = '`public static void main`'
    }
  }
}

/** Imports by full name; the types of the same package are found by the names that the code uses. */
function createResolver(index: ModuleIndex): Resolver {
  const spaceOf = (path: string): string => index.code(path)?.namespace ?? ''
  const declared = indexDeclaredNames(index, java, spaceOf)

  return (path, code) => {
    const words = new Set(code.words)
    const links: Link[] = []
    for (const { specifier, line, mode } of code.imports) {
      if (specifier.endsWith('.*') && declared.hasNamespace(specifier.slice(0, -2))) {
        links.push(...declared.used(path, specifier.slice(0, -2), words, { line, mode }))
        continue
      }
      const parts = specifier.replace(/\.\*$/, '').split('.')
      let targets: readonly string[] = []
      // A static or nested import names more than the type: cut from the end until a type is known.
      for (let length = parts.length; length > 0 && targets.length === 0; length--) {
        const name = parts[length - 1] ?? ''
        targets = declared.files(parts.slice(0, length - 1).join('.'), name)
        for (const to of targets) links.push({ to, line, mode, names: [name] })
      }
      if (targets.length === 0 && !/^(javax?|jdk|sun|com\.sun)\./.test(specifier)) {
        const type = parts.findIndex((part) => /^[A-Z]/.test(part))
        const folders = type < 0 ? parts : parts.slice(0, type)
        links.push({ external: folders.slice(0, 3).join('.'), line, mode })
      }
    }
    return [...links, ...declared.used(path, code.namespace ?? '', words, { line: 1, mode: 'reference' })]
  }
}

/** Java. */
export const java: Language = {
  id: 'java',
  name: 'Java',
  fence: 'java',
  extensions: ['.java'],
  grammar: () => 'java',
  extract,
  createResolver,
}
