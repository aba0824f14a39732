import { posix } from 'node:path'
import type { Node } from '@vscode/tree-sitter-wasm'
import type { CodeFacts, Link } from '../facts.ts'
import { indexDeclaredNames } from './declared-names.ts'
import { externalModuleOf, isWithinPath, placesOf, readGoModules } from './go-modules.ts'
import type { Language, ModuleIndex, Resolver } from './language.ts'
import { namesInGo, withoutBodies } from './go-text.ts'
import { childrenOf, descendants, fieldText, Found } from './syntax.ts'

function extract(root: Node, _prepared: string, source: string): CodeFacts {
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
    words: namesInGo(source),
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
  const packageNames = new Map(
    index.of(go).map((path) => [path, `${posix.dirname(path)} ${index.code(path)?.namespace ?? ''}`]),
  )
  const packageOf = (path: string): string => packageNames.get(path) ?? ''
  const declared = indexDeclaredNames(index, go, packageOf)
  const methods = indexMethods(index, packageOf)
  const packages = new Map<string, string[]>()
  for (const path of index.of(go)) {
    if (!path.endsWith('_test.go'))
      packages.set(posix.dirname(path), [...(packages.get(posix.dirname(path)) ?? []), path])
  }

  return (path, code) => {
    const words = code.words ?? []
    const qualified = byQualifier(words)
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
      const used = new Set(qualified.get(names?.[0] ?? namespace))
      const found = declared.used(path, `${dir} ${namespace}`, used, { line, mode })
      if (found.length > 0) links.push(...found)
      else if (files[0] !== undefined) links.push({ to: files[0], line, mode })
    }
    const link = { line: 1, mode: 'reference' } as const
    return [
      ...links,
      ...declared.used(path, packageOf(path), new Set(words), link),
      ...methods(path, [...qualified.values()].flat()).map((used): Link => ({ ...used, ...link })),
    ]
  }
}

/** Of `storage.Open` and `storage.Close`: `Open` and `Close` by `storage`, in their order. */
function byQualifier(words: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const word of words) {
    const dot = word.indexOf('.')
    if (dot < 0) continue
    const names = found.get(word.slice(0, dot))
    if (names === undefined) found.set(word.slice(0, dot), [word.slice(dot + 1)])
    else names.push(word.slice(dot + 1))
  }
  return found
}

/** Methods that types of the standard library have as well: a call of one says nothing of whose it is. */
const ANY_TYPE_HAS = new Set(
  (
    'Error String Unwrap Read Write Close Seek ReadAt WriteAt WriteString ReadFrom WriteTo Flush Sync Less Swap Push Next Scan Value Format ' +
    'MarshalJSON UnmarshalJSON MarshalText UnmarshalText ServeHTTP RoundTrip Handle Lock Unlock RLock RUnlock Done Wait Start Stop Reset Name Type Kind ' +
    'Size Mode IsDir ModTime Context Deadline Load Store Delete Range Print Printf Println Fatal Fatalf Errorf Logf Helper Setenv Cleanup TempDir Skip'
  ).split(' '),
)

/**
 * Methods of one package that another of its files calls: a type's methods may stand in any file. Receivers
 * are not resolved, so only a name that a single file of the package declares is taken for a use.
 */
function indexMethods(
  index: ModuleIndex,
  packageOf: (path: string) => string,
): (path: string, called: readonly string[]) => { to: string; names: string[] }[] {
  const declaring = new Map<string, Map<string, Set<string>>>()
  for (const path of index.of(go)) {
    const inPackage = declaring.get(packageOf(path)) ?? new Map<string, Set<string>>()
    declaring.set(packageOf(path), inPackage)
    for (const { name, owner } of index.code(path)?.symbols ?? [])
      if (owner !== undefined && name.length >= 4 && !ANY_TYPE_HAS.has(name))
        inPackage.set(name, (inPackage.get(name) ?? new Set()).add(path))
  }
  return (path, called) => {
    const inPackage = declaring.get(packageOf(path))
    const found = new Map<string, Set<string>>()
    for (const name of called) {
      const files = inPackage?.get(name)
      const [to] = files ?? []
      if (files?.size !== 1 || to === undefined || to === path) continue
      found.set(to, (found.get(to) ?? new Set()).add(name))
    }
    return [...found].map(([to, names]) => ({ to, names: [...names] }))
  }
}

/** Go. */
export const go: Language = {
  id: 'go',
  name: 'Go',
  fence: 'go',
  extensions: ['.go'],
  grammar: () => 'go',
  prepare: withoutBodies,
  extract,
  createResolver,
}
