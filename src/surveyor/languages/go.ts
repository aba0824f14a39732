import { posix } from 'node:path'
import type { Node } from '@vscode/tree-sitter-wasm'
import type { CodeFacts, Link } from '../facts.ts'
import { indexDeclaredNames } from './declared-names.ts'
import { externalModuleOf, isWithinPath, placesOf, readGoModules } from './go-modules.ts'
import type { Language, ModuleIndex, Resolver } from './language.ts'
import { childrenOf, descendants, fieldText, Found, namesUsed } from './syntax.ts'

// Bare names that may be package-level, and qualified ones (`storage.Open`): Go imports packages, not files.
const NAMES =
  /(?<![\w.])([A-Z]\w*|[a-z]+[a-z0-9]*[A-Z]\w*|[a-z]\w*(?=\())(?!\w)|(?<![\w.])[a-z]\w*\.[A-Za-z]\w*/g

function extract(root: Node, source: string): CodeFacts {
  const found = new Found(root)
  const symbol = (node: Node, name: string, kind: string, outer = node, owner?: string): void =>
    found.symbol(node, { name, kind, owner, exported: /^\p{Lu}/u.test(name) }, outer)
  let namespace = ''
  for (const node of childrenOf(root)) {
    const name = fieldText(node, 'name')
    if (node.type === 'package_clause') namespace = childrenOf(node)[0]?.text ?? ''
    else if (node.type === 'import_declaration') {
      for (const spec of descendants(node, 'import_spec'))
        found.import(
          spec,
          fieldText(spec, 'path').slice(1, -1),
          'load',
          [fieldText(spec, 'name')].filter((alias) => alias !== ''),
        )
    } else if (node.type === 'function_declaration') symbol(node, name, 'function')
    else if (node.type === 'method_declaration') {
      const owner = descendants(node.childForFieldName('receiver') ?? node, 'type_identifier')[0]?.text
      symbol(node, name, 'method', node, owner)
    } else if (node.type === 'type_declaration') {
      for (const spec of childrenOf(node).filter((child) => child.type !== 'comment')) {
        const kind =
          { struct_type: 'struct', interface_type: 'interface' }[
            spec.childForFieldName('type')?.type ?? ''
          ] ?? 'type'
        symbol(spec, fieldText(spec, 'name'), kind, alone(spec, node))
      }
    } else if (node.type === 'const_declaration' || node.type === 'var_declaration') {
      for (const spec of descendants(node, ['const_spec', 'var_spec'])) {
        for (const id of spec.childrenForFieldName('name').filter((child) => child?.type === 'identifier')) {
          const kind = node.type === 'const_declaration' ? 'constant' : 'variable'
          if (id !== null) symbol(spec, id.text, kind, alone(spec, node))
        }
      }
    }
  }
  const isMain =
    namespace === 'main' && found.symbols.some((one) => one.name === 'main' && one.kind === 'function')
  return found.facts({
    namespace,
    words: namesUsed(root, source, NAMES, ['comment', 'interpreted_string_literal', 'raw_string_literal']),
    ...(isMain && { entry: '`func main` of `package main`' }),
  })
}

/** A declaration of one name carries its comment outside: `type A struct` rather than `type ( A struct )`. */
const alone = (spec: Node, declaration: Node): Node =>
  declaration.namedChildCount === 1 && spec.startPosition.row === declaration.startPosition.row
    ? declaration
    : spec

/** Import paths by `go.mod`, then to the files of the package that declare what is used of it. */
function createResolver(index: ModuleIndex): Resolver {
  const modules = readGoModules(index)
  const places = placesOf(index, modules)
  const packageOf = (path: string): string => `${posix.dirname(path)} ${index.code(path)?.namespace ?? ''}`
  const declared = indexDeclaredNames(index, go, packageOf)
  const methods = indexMethods(index, packageOf)
  const packages = new Map<string, string[]>()
  for (const path of index.of(go)) {
    if (!path.endsWith('_test.go'))
      packages.set(posix.dirname(path), [...(packages.get(posix.dirname(path)) ?? []), path])
  }

  return (path, code) => {
    const words = code.words ?? []
    const links: Link[] = []
    for (const { specifier, line, mode, names } of code.imports) {
      const module = places.find(({ name }) => isWithinPath(specifier, name))
      if (module === undefined) {
        // Only paths with a domain come from outside; the rest is the standard library.
        if ((specifier.split('/')[0] ?? '').includes('.'))
          links.push({ external: externalModuleOf(specifier, path, modules), line, mode })
        continue
      }
      const dir = posix.join(module.dir, specifier.slice(module.name.length + 1)).replace(/\/$/, '') || '.'
      const files = packages.get(dir) ?? []
      const namespace = index.code(files[0] ?? '')?.namespace ?? ''
      const prefix = `${names?.[0] ?? namespace}.`
      const used = new Set(
        words.filter((word) => word.startsWith(prefix)).map((word) => word.slice(prefix.length)),
      )
      const found = declared.used(path, `${dir} ${namespace}`, used, { line, mode })
      if (found.length > 0) links.push(...found)
      else if (files[0] !== undefined) links.push({ to: files[0], line, mode })
    }
    const link = { line: 1, mode: 'reference' } as const
    return [
      ...links,
      ...declared.used(path, packageOf(path), new Set(words), link),
      ...methods(path, words).map((used): Link => ({ ...used, ...link })),
    ]
  }
}

/**
 * Methods of one package that another of its files calls: a type's methods may stand in any file. Receivers
 * are not resolved, so only a name that a single file of the package declares is taken for a use.
 */
function indexMethods(
  index: ModuleIndex,
  packageOf: (path: string) => string,
): (path: string, words: readonly string[]) => { to: string; names: string[] }[] {
  const declaring = new Map<string, Set<string>>()
  for (const path of index.of(go)) {
    for (const { name, owner } of index.code(path)?.symbols ?? []) {
      if (owner === undefined || name.length < 4) continue
      const key = `${packageOf(path)}\0${name}`
      declaring.set(key, (declaring.get(key) ?? new Set()).add(path))
    }
  }
  return (path, words) => {
    const found = new Map<string, string[]>()
    for (const word of words) {
      const name = word.split('.')[1]
      const files = name === undefined ? undefined : declaring.get(`${packageOf(path)}\0${name}`)
      const [to] = files ?? []
      if (name === undefined || files?.size !== 1 || to === undefined || to === path) continue
      found.set(to, [...new Set([...(found.get(to) ?? []), name])])
    }
    return [...found].map(([to, names]) => ({ to, names }))
  }
}

/** Go. */
export const go: Language = {
  id: 'go',
  name: 'Go',
  fence: 'go',
  extensions: ['.go'],
  grammar: () => 'go',
  extract,
  createResolver,
}
