import { posix } from 'node:path'
import type { Node } from '@vscode/tree-sitter-wasm'
import type { CodeFacts, ImportMode, Link } from '../facts.ts'
import { firstParagraph } from './doc-comment.ts'
import type { Language, ModuleIndex, Resolver } from './language.ts'
import { isPythonStandardModule } from './python-standard-modules.ts'
import { childrenOf, descendants, fieldText, Found } from './syntax.ts'

function extract(root: Node): CodeFacts {
  const found = new Found(root)
  let entry: string | undefined
  let listed: Set<string> | undefined
  for (const node of childrenOf(root)) statement(node)
  for (const node of descendants(root, ['import_statement', 'import_from_statement'])) imports(node, found)
  const names = listed ?? new Set()
  if (names.size > 0)
    for (const symbol of found.symbols)
      if (symbol.owner === undefined) symbol.exported = names.has(symbol.name)
  const said = docstring(root)
  return found.facts({ entry, ...(said !== undefined && { doc: said }) })

  function statement(node: Node): void {
    if (node.type === 'decorated_definition') return definition(node.childForFieldName('definition'), node)
    if (node.type === 'function_definition' || node.type === 'class_definition') return definition(node, node)
    if (node.type === 'if_statement') {
      if (/__name__\s*==|==\s*__name__/.test(fieldText(node, 'condition')))
        entry = "runs under `if __name__ == '__main__'`"
      else for (const child of childrenOf(node.childForFieldName('consequence'))) statement(child)
    } else if (node.type === 'try_statement') {
      for (const child of childrenOf(node.childForFieldName('body'))) statement(child)
    } else if (node.type === 'expression_statement') {
      const assignment = childrenOf(node)[0]
      const left = assignment?.type === 'assignment' ? assignment.childForFieldName('left') : null
      if (left?.type !== 'identifier') return
      if (left.text === '__all__')
        listed = new Set(Array.from(node.text.matchAll(/['"](\w+)['"]/g), (match) => match[1] ?? ''))
      else if (!found.symbols.some(({ name, owner }) => name === left.text && owner === undefined)) {
        const kind = /^[A-Z][A-Z0-9_]+$/.test(left.text) ? 'constant' : 'variable'
        found.symbol(node, { name: left.text, kind, exported: !left.text.startsWith('_') })
      }
    }
  }

  function definition(node: Node | null, outer: Node, owner?: string): void {
    if (node === null) return
    const name = fieldText(node, 'name')
    const isClass = node.type === 'class_definition'
    const body = node.childForFieldName('body')
    const kind = isClass ? 'class' : owner === undefined ? 'function' : 'method'
    const exported = !name.startsWith('_') || /^__\w+__$/.test(name)
    const doc = docstring(body)
    found.symbol(node, { name, kind, owner, exported, ...(doc !== undefined && { doc }) }, outer)
    if (!isClass || owner !== undefined) return
    for (const member of childrenOf(body)) {
      const inner = member.type === 'decorated_definition' ? member.childForFieldName('definition') : member
      if (inner?.type === 'function_definition') definition(inner, member, name)
    }
  }
}

function docstring(body: Node | null): string | undefined {
  const first = childrenOf(body).find((node) => node.type !== 'comment')
  const string = first?.type === 'expression_statement' ? childrenOf(first)[0] : first
  return string?.type === 'string'
    ? firstParagraph(string.text.replace(/^[rRuU]?("""|'''|"|')/, '').replace(/("""|'''|"|')$/, ''))
    : undefined
}

function imports(node: Node, found: Found): void {
  const mode = modeOf(node)
  const named = (child: Node): string =>
    child.type === 'aliased_import' ? fieldText(child, 'name') : child.text
  if (node.type === 'import_statement') {
    for (const child of childrenOf(node)) found.import(node, named(child), mode)
    return
  }
  const module = node.childForFieldName('module_name')
  const names = childrenOf(node)
    .filter((child) => child.id !== module?.id && child.type !== 'comment')
    .map(named)
  found.import(node, module?.text.replace(/\s/g, '') ?? '', mode, names)
}

function modeOf(node: Node): ImportMode {
  for (let up = node.parent; up !== null; up = up.parent) {
    if (up.type === 'function_definition') return 'lazy'
    if (up.type === 'if_statement' && /TYPE_CHECKING/.test(fieldText(up, 'condition'))) return 'type'
  }
  return 'load'
}

/** Absolute imports against every package root of the repository, relative ones against the file's package. */
function createResolver(index: ModuleIndex): Resolver {
  const modules = new Map<string, string[]>()
  const add = (name: string, path: string): void => {
    const known = modules.get(name)
    if (known === undefined) modules.set(name, [path])
    else if (!known.includes(path)) known.push(path)
  }
  for (const path of index.of(python)) {
    const parts = path.replace(/(\/__init__)?\.pyi?$/, '').split('/')
    let root = posix.dirname(path)
    while (root !== '.' && index.has(`${root}/__init__.py`)) root = posix.dirname(root)
    const depth = root === '.' ? 0 : root.split('/').length
    add(parts.slice(depth).join('.'), path)
    // Namespace packages have no __init__.py: the path from the root or from src/ is their name as well.
    add(parts.join('.'), path)
    const src = parts.lastIndexOf('src')
    if (src >= 0) add(parts.slice(src + 1).join('.'), path)
  }

  const nearest = (candidates: string[], from: string): string | undefined =>
    candidates.toSorted((a, b) => sharedDepth(b, from) - sharedDepth(a, from) || (a < b ? -1 : 1))[0]
  const moduleAt = (folder: string): string | undefined =>
    [`${folder}.py`, `${folder}/__init__.py`, `${folder}.pyi`]
      .map((candidate) => candidate.replace(/^\.\//, ''))
      .find((candidate) => index.has(candidate))

  return (path, code) => {
    const links: Link[] = []
    const to = (target: string | undefined, link: Omit<Link, 'to'>): boolean => {
      if (target === undefined) return false
      links.push({ to: target, ...link })
      return true
    }
    for (const { specifier, line, mode, names } of code.imports) {
      const link = { line, mode }
      const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(specifier) ?? []
      if (dots !== '') {
        let base = posix.dirname(path)
        for (let up = 1; up < dots.length; up++) base = posix.dirname(base)
        const target = rest === '' ? base : posix.join(base, rest.replaceAll('.', '/'))
        const symbols = (names ?? []).filter((name) => !to(moduleAt(`${target}/${name}`), link))
        if (symbols.length > 0)
          to(moduleAt(target) ?? (index.has(`${target}/__init__.py`) ? `${target}/__init__.py` : undefined), {
            ...link,
            names: symbols,
          })
        continue
      }
      const find = (name: string): string | undefined => nearest(modules.get(name) ?? [], path)
      const symbols = (names ?? []).filter((name) => !to(find(`${specifier}.${name}`), link))
      if (names !== undefined && names.length > 0 && symbols.length === 0) continue
      const parts = specifier.split('.')
      let found = false
      for (let length = parts.length; length > 0 && !found; length--) {
        found = to(find(parts.slice(0, length).join('.')), {
          ...link,
          ...(symbols.length > 0 ? { names: symbols } : {}),
        })
      }
      const top = parts[0] ?? ''
      if (!found && top !== '' && !isPythonStandardModule(top)) links.push({ external: top, ...link })
    }
    return links
  }
}

function sharedDepth(a: string, b: string): number {
  const left = a.split('/')
  const right = b.split('/')
  let depth = 0
  while (depth < left.length && left[depth] === right[depth]) depth++
  return depth
}

/** Python with stub files. */
export const python: Language = {
  id: 'python',
  name: 'Python',
  fence: 'python',
  extensions: ['.py', '.pyi'],
  interpreters: ['python', 'python3', 'python2'],
  grammar: () => 'python',
  extract,
  createResolver,
}
