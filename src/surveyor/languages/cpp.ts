import { posix } from 'node:path'
import type { Node } from '@vscode/tree-sitter-wasm'
import type { CodeFacts, Link } from '../facts.ts'
import type { Language, ModuleIndex, Resolver } from './language.ts'
import { childrenOf, fieldText, Found } from './syntax.ts'

const RECORDS: Record<string, string> = {
  class_specifier: 'class',
  struct_specifier: 'struct',
  union_specifier: 'union',
  enum_specifier: 'enum',
}
/** Headers of C and POSIX: in angle brackets they mean the system's, whatever else bears the name. */
const SYSTEM = new Set(
  (
    'aio alloca assert complex cpio ctype dirent dlfcn errno execinfo fcntl fenv float fnmatch ftw getopt glob grp iconv inttypes iso646 langinfo ' +
    'libgen limits locale malloc math memory monetary mqueue ndbm netdb nl_types poll pthread pwd regex sched search semaphore setjmp signal spawn ' +
    'stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings stropts syslog tar termios tgmath threads time uchar ' +
    'ucontext ulimit unistd utime utmpx wchar wctype windows wordexp'
  )
    .split(' ')
    .map((name) => `${name}.h`),
)
/** Part of the source that is compiled only where somebody asks for it, with nothing in its place elsewhere. */
const isOnDemand = (node: Node): boolean =>
  /^preproc_if(?:def)?$/.test(node.type) &&
  !node.text.startsWith('#ifndef') &&
  node.childForFieldName('alternative') === null

const CONTAINERS =
  /^(preproc_(if|ifdef|else|elif)|namespace_definition|linkage_specification|declaration_list|export_declaration)$/

/** Blanks export macros (`class API_EXPORT Name`), which the grammar takes for the name of the class. */
const prepare = (source: string): string =>
  source.replace(
    /\b(class|struct)(\s+)([A-Z][A-Z0-9_]+(?:\([^()\n]*\))?)(?=\s+[A-Za-z_][\w:]*\s*(?:final\s*)?[:{])/g,
    (_, word: string, space: string, macro: string) => word + space + ' '.repeat(macro.length),
  )

function extract(root: Node): CodeFacts {
  const found = new Found(root)
  let entry: string | undefined
  let onDemand = 0
  const items = (parent: Node | null): void => {
    for (const node of childrenOf(parent)) item(node, node)
  }
  const item = (node: Node, outer: Node): void => {
    if (node.type === 'preproc_include') {
      const specifier = fieldText(node, 'path')
      // The bracket stays: it says where the search begins.
      found.import(node, specifier.startsWith('"') ? specifier.slice(1, -1) : specifier)
    } else if (CONTAINERS.test(node.type)) {
      const body = node.childForFieldName('body')
      if (node.type === 'namespace_definition' && fieldText(node, 'name') === '') return
      const part = Number(isOnDemand(node))
      onDemand += part
      items(body ?? node)
      onDemand -= part
    } else if (node.type === 'template_declaration') {
      for (const child of childrenOf(node)) item(child, node)
    } else if (node.type === 'preproc_function_def') push(node, outer, fieldText(node, 'name'), 'macro')
    else if (node.type === 'alias_declaration' || node.type === 'concept_definition')
      push(node, outer, fieldText(node, 'name'), 'type')
    else if (node.type === 'type_definition') push(node, outer, fieldText(node, 'declarator'), 'type')
    else if (RECORDS[node.type] !== undefined) record(node, outer)
    else if (node.type === 'function_definition' || node.type === 'declaration') {
      const type = node.childForFieldName('type')
      if (type !== null && RECORDS[type.type] !== undefined && type.childForFieldName('body') !== null)
        record(type, outer)
      functionAt(node, outer)
    }
  }
  const push = (node: Node, outer: Node, name: string, kind: string): void => {
    if (/^~?[A-Za-z_]\w*$/.test(name)) found.symbol(node, { name, kind, exported: true }, outer)
  }
  const record = (node: Node, outer: Node): void => {
    const body = node.childForFieldName('body')
    const owner = fieldText(node, 'name')
    if (body === null || owner === '') return
    push(node, outer, owner.replace(/<.*/s, ''), RECORDS[node.type] ?? 'class')
    let open = node.type !== 'class_specifier'
    for (const member of childrenOf(body)) {
      if (member.type === 'access_specifier') open = !member.text.startsWith('private')
      const name = functionDeclarator(member)?.text
      if (name !== undefined) found.symbol(member, { name, kind: 'method', owner, exported: open })
    }
  }
  const functionAt = (node: Node, outer: Node): void => {
    const declarator = functionDeclarator(node)
    if (declarator === undefined) return
    const isStatic = childrenOf(node).some(
      (child) => child.type === 'storage_class_specifier' && child.text === 'static',
    )
    const parts = declarator.text.replace(/<[^<>]*>/g, '').split('::')
    const name = (parts.at(-1) ?? '').trim()
    const owner = parts.at(-2)?.trim()
    if (!/^~?[A-Za-z_]\w*$/.test(name)) return
    const kind = owner === undefined ? 'function' : 'method'
    found.symbol(node, { name, kind, owner, exported: !isStatic }, outer)
    if (name === 'main' && owner === undefined && node.type === 'function_definition' && onDemand === 0)
      entry = '`int main`'
  }
  items(root)
  return found.facts({ entry })
}

/** The name of a function declarator, through pointers and references; undefined for variables. */
function functionDeclarator(node: Node): Node | undefined {
  let declarator = node.childForFieldName('declarator')
  while (declarator !== null && declarator.type !== 'function_declarator') {
    if (!/^(pointer|reference|parenthesized)_declarator$/.test(declarator.type)) return undefined
    declarator = declarator.childForFieldName('declarator') ?? childrenOf(declarator)[0] ?? null
  }
  return declarator?.childForFieldName('declarator') ?? undefined
}

/** Includes beside the file, then from common include roots, then the one file whose path ends that way. */
function createResolver(index: ModuleIndex): Resolver {
  const byName = new Map<string, string[]>()
  for (const path of index.of(cpp))
    byName.set(posix.basename(path), [...(byName.get(posix.basename(path)) ?? []), path])
  const find = (from: string, name: string, quoted: boolean): string | undefined => {
    const beside = posix.join(posix.dirname(from), name)
    if (quoted && index.has(beside)) return beside
    for (const root of ['', 'include', 'src', 'lib', 'inc'])
      if (index.has(posix.join(root, name))) return posix.join(root, name)
    if (!quoted && SYSTEM.has(name)) return undefined
    const ending = (byName.get(posix.basename(name)) ?? []).filter(
      (path) => path === name || path.endsWith(`/${name}`),
    )
    if (ending.length < 2 || !quoted) return ending.length === 1 ? ending[0] : undefined
    // Of several, the one that shares the most folders with whoever includes it, if it is one.
    const shared = (path: string): number => {
      const folders = posix.dirname(path).split('/')
      const own = posix.dirname(from).split('/')
      const differs = folders.findIndex((folder, at) => folder !== own[at])
      return differs < 0 ? folders.length : differs
    }
    const most = Math.max(...ending.map(shared))
    const nearest = ending.filter((path) => shared(path) === most)
    return most > 0 && nearest.length === 1 ? nearest[0] : undefined
  }
  return (path, { imports }) =>
    imports.flatMap(({ specifier, line, mode }): Link[] => {
      const name = specifier.replace(/^<|>$/g, '')
      const to = find(path, name, !specifier.startsWith('<'))
      if (to !== undefined) return [{ to, line, mode }]
      // A folder in angle brackets is a library; a bare name is the standard library or the system.
      const library = /^([\w.-]+)\//.exec(name)?.[1]
      // A quoted one that is not found is made by the build, or lies where only the build looks.
      return library === undefined ||
        !specifier.startsWith('<') ||
        /^(sys|arpa|net|netinet|linux|bits|asm|mach|experimental)$/.test(library)
        ? []
        : [{ external: library, line, mode }]
    })
}

/** C++ and C, whose headers cannot be told apart by name. */
export const cpp: Language = {
  id: 'cpp',
  name: 'C++',
  fence: 'cpp',
  extensions: ['.cc', '.cpp', '.cxx', '.c++', '.hpp', '.hh', '.hxx', '.h', '.inl', '.ipp', '.c'],
  grammar: () => 'cpp',
  prepare,
  extract,
  createResolver,
}
