import { posix } from 'node:path'
import type { Node } from '@vscode/tree-sitter-wasm'
import type { CodeFacts, Link } from '../facts.ts'
import { indexDeclaredNames } from './declared-names.ts'
import { readProjects } from './csharp-projects.ts'
import type { Language, ModuleIndex, Resolver } from './language.ts'
import { childrenOf, descendants, fieldText, Found, namesUsed } from './syntax.ts'

const KINDS: Record<string, string> = {
  class_declaration: 'class',
  interface_declaration: 'interface',
  struct_declaration: 'struct',
  record_declaration: 'record',
  enum_declaration: 'enum',
  delegate_declaration: 'delegate',
}
const MEMBERS: Record<string, string> = {
  method_declaration: 'method',
  constructor_declaration: 'constructor',
  property_declaration: 'property',
}

/** What C# calls a method that is called on its first argument. */
const EXTENSION = 'extension method'

// Names of types, with `<` where they have type arguments, and with a dot the methods that are called on something.
// A name before `{ get`, `=` or `:` is a member's, whatever type bears it.
const NAMES =
  /(?<![\w.])[A-Z]\w*(?!\w)(?:<|(?!\s*(?:\{\s*(?:get|set|init)\b|=(?![=>])|:(?!:))))|\.[A-Z]\w*(?=\s*[(<])/g

const isExtension = (member: Node): boolean => {
  const first = childrenOf(member.childForFieldName('parameters'))[0]
  return first !== undefined && isModified(first, 'this')
}

const isModified = (node: Node, ...words: string[]): boolean =>
  childrenOf(node).some((child) => child.type === 'modifier' && words.includes(child.text))

function extract(root: Node, source: string): CodeFacts {
  const found = new Found(root)
  let namespace = ''
  let entry: string | undefined
  const items = (parent: Node | null): void => {
    for (const node of childrenOf(parent)) item(node)
  }
  const item = (node: Node): void => {
    if (node.type === 'using_directive') {
      const name = childrenOf(node).findLast((child) => /name$|identifier$/.test(child.type))?.text ?? ''
      found.import(node, name)
    } else if (node.type === 'namespace_declaration' || node.type === 'file_scoped_namespace_declaration') {
      namespace ||= fieldText(node, 'name')
      items(node.childForFieldName('body'))
    } else if (/^preproc_(if|else|elif|region)/.test(node.type) || node.type === 'declaration_list')
      items(node)
    else if (node.type === 'global_statement') entry ??= 'top-level statements'
    else declaration(node)
  }
  const declaration = (node: Node, owner?: string, outer = { isSeen: true, isOpen: false }): void => {
    const kind = KINDS[node.type]
    if (kind === undefined) return
    const name = fieldText(node, 'name')
    const generic = childrenOf(node).some(({ type }) => type === 'type_parameter_list')
    const isOpen = outer.isOpen || isModified(node, 'public', ...(owner === undefined ? [] : ['protected']))
    const isSeen = outer.isSeen && isOpen
    found.symbol(node, {
      name,
      kind,
      owner,
      exported: isSeen,
      ...(generic && { generic }),
    })
    for (const member of childrenOf(node.childForFieldName('body'))) {
      declaration(member, name, { isSeen, isOpen: kind === 'interface' })
      const role = MEMBERS[member.type]
      if (role === undefined) continue
      const called = fieldText(member, 'name')
      const open = isSeen && (kind === 'interface' || isModified(member, 'public', 'protected'))
      const what = isExtension(member) ? EXTENSION : role
      found.symbol(member, { name: called, kind: what, owner: name, exported: open })
      if (called === 'Main' && isModified(member, 'static')) entry = '`static Main`'
    }
  }
  items(root)
  return found.facts({
    doc: found.docOfFirst,
    entry,
    namespace,
    words: [
      ...namesUsed(root, source, NAMES, [
        'comment',
        'string_literal',
        'verbatim_string_literal',
        'raw_string_literal',
        'using_directive',
      ]),
      // `[Priced]` is `PricedAttribute`
      ...new Set(
        descendants(root, 'attribute').map((node) => `${fieldText(node, 'name').split('.').at(-1)}Attribute`),
      ),
    ],
  })
}

/** `Outcome.cs`, and by habit `Outcome.TResult.cs` and `OutcomeT.cs` for its generic form. */
const isNamedFor = (file: string, type: string): boolean => {
  const stem = posix.basename(file, '.cs')
  return stem.startsWith(type) && /^(?:$|[.{`]|(?:Of)?T$)/.test(stem.slice(type.length))
}

const hasCalled = (code: CodeFacts | undefined, type: string, words: ReadonlySet<string>): boolean =>
  code?.symbols.some(({ name, owner }) => owner === type && words.has(`.${name}`)) === true

const isWithin = (space: string, outer: string): boolean => space === outer || space.startsWith(`${outer}.`)

/** C# imports namespaces, not files: a link leads to the files that declare the type names in use. */
function createResolver(index: ModuleIndex): Resolver {
  const declared = indexDeclaredNames(index, csharp, (path) => index.code(path)?.namespace ?? '')
  const globals = index.of(csharp).filter((path) => /Usings?\.cs$/.test(path))
  const { projectOf, sees, usingsOf, packagesOf } = readProjects(index)
  const extensions = indexExtensions(index, projectOf)
  const isOurs = (space: string): boolean => declared.hasNamespace(space)

  return (path, code) => {
    const words = new Set(code.words)
    const names = new Set((code.words ?? []).map((word) => word.replace(/<$/, '')))
    const links: Link[] = []
    const spaces = new Map<string, number>()
    const own = (code.namespace ?? '').split('.')
    for (let length = own.length; length > 0; length--) spaces.set(own.slice(0, length).join('.'), 1)
    spaces.set('', 1)
    // A `global using` holds for every file of its project, but only the file that has it names the package.
    const project = projectOf(path)
    const packages = packagesOf(path)
    for (const file of globals)
      if (projectOf(file) === project)
        for (const { specifier } of index.code(file)?.imports ?? []) spaces.set(specifier, 1)
    for (const space of usingsOf(path)) spaces.set(space, 1)
    for (const { specifier, line, mode } of code.imports) {
      if (isOurs(specifier)) spaces.set(specifier, line)
      else if (
        (!/^(System|Windows)\b/.test(specifier) || packages.some((name) => isWithin(specifier, name))) &&
        !own.includes(specifier) &&
        !nestedInOurs(specifier)
      ) {
        links.push({ external: specifier, line, mode })
      }
    }
    for (const [space, line] of spaces)
      for (const link of declared.used(path, space, names, { line, mode: 'reference' }))
        links.push(...narrowed(link, space, words))
    return [...links, ...extensions(path, code.words ?? [], spaces)].filter(
      ({ to }) => to === undefined || sees(path, to),
    )
  }

  /** Of a type that several files declare in part: the file of its name, and those whose methods are called. */
  function narrowed(link: Link, space: string, words: ReadonlySet<string>): Link[] {
    const { to, names = [] } = link
    const kept = names.filter((name) => {
      const parts = declared.files(space, name).filter((file) => isMeant(file, name, words))
      if (!parts.includes(to ?? '')) return false
      const matching = parts.filter(
        (file) => isNamedFor(file, name) || hasCalled(index.code(file), name, words),
      )
      return matching.length === 0 || matching.includes(to ?? '')
    })
    return kept.length === 0 ? [] : [{ ...link, names: kept }]
  }

  /** Whether a type of that name is used as it is declared: with type arguments, or without. */
  function isMeant(file: string, name: string, words: ReadonlySet<string>): boolean {
    const types =
      index.code(file)?.symbols.filter((one) => one.owner === undefined && one.name === name) ?? []
    return types.some(({ generic }) => words.has(generic === true ? `${name}<` : name))
  }

  /** `using static Ours.Type`, and a namespace that only contains others. */
  function nestedInOurs(specifier: string): boolean {
    const parts = specifier.split('.')
    return (
      parts.some((_, length) => length > 0 && isOurs(parts.slice(0, length).join('.'))) ||
      index.of(csharp).some((path) => (index.code(path)?.namespace ?? '').startsWith(`${specifier}.`))
    )
  }
}

/**
 * Files whose extension methods a file calls. What stands before the dot is not resolved, so a name counts
 * only where one file that is in sight declares it, and no type of the repository has a method of that name.
 */
function indexExtensions(
  index: ModuleIndex,
  projectOf: (path: string) => string | undefined,
): (path: string, words: readonly string[], spaces: ReadonlyMap<string, number>) => Link[] {
  /** By name, each file with whether other projects see what it declares. */
  const declaring = new Map<string, Map<string, boolean>>()
  const ordinary = new Set<string>()
  for (const path of index.of(csharp)) {
    for (const { name, kind, exported } of index.code(path)?.symbols ?? []) {
      if (kind === EXTENSION) {
        const files = declaring.get(name) ?? new Map<string, boolean>()
        declaring.set(name, files.set(path, exported || files.get(path) === true))
      } else if (kind === 'method') ordinary.add(name)
    }
  }
  return (path, words, spaces) => {
    const found = new Map<string, Link>()
    for (const word of words) {
      const name = word.slice(1)
      if (!word.startsWith('.') || ordinary.has(name)) continue
      const inSight = [...(declaring.get(name) ?? [])].filter(
        ([file, isOpen]) =>
          spaces.has(index.code(file)?.namespace ?? '') && (isOpen || projectOf(file) === projectOf(path)),
      )
      const to = inSight[0]?.[0]
      if (to === undefined || inSight.length > 1 || to === path) continue
      const line = spaces.get(index.code(to)?.namespace ?? '') ?? 1
      const names = [...(found.get(to)?.names ?? []), name]
      found.set(to, { to, line, mode: 'reference', names })
    }
    return [...found.values()]
  }
}

/** C#. */
export const csharp: Language = {
  id: 'csharp',
  name: 'C#',
  fence: 'csharp',
  extensions: ['.cs', '.csx'],
  grammar: () => 'c-sharp',
  extract,
  createResolver,
}
