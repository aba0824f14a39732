import type { Node } from '@vscode/tree-sitter-wasm'
import type { CodeFacts, Link } from '../facts.ts'
import { indexDeclaredNames } from './declared-names.ts'
import type { Language, ModuleIndex, Resolver } from './language.ts'
import { childrenOf, descendants, fieldText, Found, namesUsed } from './syntax.ts'

const KINDS: Record<string, string> = {
  class_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
  record_declaration: 'record',
  annotation_type_declaration: 'annotation',
}

const modifiersOf = (node: Node): string =>
  childrenOf(node).find((child) => child.type === 'modifiers')?.text ?? ''

/** Whether others may use what is declared, as far as its own modifiers say. */
function isOpenMember(node: Node, inInterface: boolean): boolean {
  const modifiers = modifiersOf(node)
  return inInterface ? !/\bprivate\b/.test(modifiers) : /\b(public|protected)\b/.test(modifiers)
}

function extract(root: Node, source: string): CodeFacts {
  const found = new Found(root)
  let namespace = ''
  let entry: string | undefined
  const words = namesUsed(root, source, /(?<![\w.])[A-Z]\w*/g, [
    'line_comment',
    'block_comment',
    'string_literal',
  ])
  const inCode = new Set(words)
  let inComments: Set<string> | undefined
  for (const node of childrenOf(root)) {
    if (node.type === 'package_declaration')
      namespace = childrenOf(node).find((child) => /identifier$/.test(child.type))?.text ?? ''
    else if (node.type === 'import_declaration') {
      const name = childrenOf(node).find((child) => /identifier$/.test(child.type))?.text ?? ''
      const star = childrenOf(node).some((child) => child.type === 'asterisk')
      if (star || !isOnlyInComments(name)) found.import(node, star ? `${name}.*` : name)
    } else declaration(node)
  }
  return found.facts({
    doc: found.docOfFirst,
    entry,
    namespace,
    words,
  })

  /** What is imported for the documentation alone: no code depends on it. */
  function isOnlyInComments(specifier: string): boolean {
    const name = specifier.split('.').at(-1) ?? ''
    if (!/^[A-Z]/.test(name) || inCode.has(name)) return false
    inComments ??= new Set(
      descendants(root, ['line_comment', 'block_comment']).flatMap(({ text }) => text.match(/\w+/g) ?? []),
    )
    return inComments.has(name)
  }

  function declaration(node: Node, outer?: { name: string; isOpen: boolean; isInterface: boolean }): void {
    const kind = KINDS[node.type]
    if (kind === undefined) return
    const name = fieldText(node, 'name')
    const isOpen = (outer?.isOpen ?? true) && isOpenMember(node, outer?.isInterface === true)
    const isInterface = kind === 'interface' || kind === 'annotation'
    found.symbol(node, { name, kind, owner: outer?.name, exported: isOpen })
    const body = childrenOf(node.childForFieldName('body')).flatMap((child) =>
      child.type === 'enum_body_declarations' ? childrenOf(child) : [child],
    )
    for (const member of body) {
      if (outer === undefined) declaration(member, { name, isOpen, isInterface })
      if (member.type !== 'method_declaration' && member.type !== 'constructor_declaration') continue
      const modifiers = modifiersOf(member)
      const method = fieldText(member, 'name')
      const open = isOpen && isOpenMember(member, isInterface)
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
  /** A package within one of the repository is its own as well, though a build may make its files. */
  const isOurs = (folders: readonly string[]): boolean =>
    folders.some((_, at) => at > 0 && declared.hasNamespace(folders.slice(0, at + 1).join('.')))

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
        if (!isOurs(folders)) links.push({ external: folders.join('.'), line, mode })
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
