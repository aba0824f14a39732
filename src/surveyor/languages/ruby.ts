import { posix } from 'node:path'
import type { Node } from '@vscode/tree-sitter-wasm'
import type { CodeFacts, Link } from '../facts.ts'
import type { Language, ModuleIndex, Resolver } from './language.ts'
import { childrenOf, descendants, fieldText, Found, isInside, namesUsed } from './syntax.ts'

const STANDARD = new Set(
  (
    'English abbrev base64 benchmark bigdecimal bundler cgi coverage csv date delegate digest drb erb etc expect fcntl fiddle fileutils find ' +
    'forwardable getoptlong io ipaddr irb json logger matrix minitest monitor mutex_m net objspace observer open3 open-uri openssl optparse ' +
    'ostruct pathname pp prettyprint prime pstore psych pty rbconfig readline resolv ripper ruby2_keywords rubygems securerandom set shellwords singleton ' +
    'socket stringio strscan syslog tempfile thread time timeout tmpdir tsort un uri weakref yaml zlib'
  ).split(' '),
)
const DECLARED_GEM = /(?:\bgem|\.add_\w*dependency)[\s(]+["']([\w-]+)["']/g
const LOADERS = new Set(['require', 'require_relative', 'load', 'autoload'])

function extract(root: Node, source: string): CodeFacts {
  const found = new Found(root)
  const items = (parent: Node | null, owner: string): void => {
    let open = true
    for (const node of childrenOf(parent)) {
      if (node.type === 'identifier' && /^(private|protected|public)$/.test(node.text))
        open = node.text === 'public'
      const name = fieldText(node, 'name')
      const exported = open
      if (node.type === 'module' || node.type === 'class') {
        const full = owner === '' ? name : `${owner}::${name}`
        // A module that only holds others is their address, not a thing of its own.
        const inner = childrenOf(node.childForFieldName('body')).filter((child) => child.type !== 'comment')
        const isAddress =
          node.type === 'module' &&
          inner.length > 0 &&
          inner.every((child) => child.type === 'module' || child.type === 'class')
        if (!isAddress) found.symbol(node, { name: full, kind: node.type, exported: true })
        items(node.childForFieldName('body'), full)
      } else if (node.type === 'singleton_class') items(node.childForFieldName('body'), owner)
      else if (node.type === 'method' || node.type === 'singleton_method') method(node, name, owner, exported)
      else if (node.type === 'assignment' && node.childForFieldName('left')?.type === 'constant') {
        const left = fieldText(node, 'left')
        const full = owner === '' ? left : `${owner}::${left}`
        found.symbol(node, { name: full, kind: 'constant', exported: true })
      } else if (
        node.type === 'call' &&
        /^(private|protected|module_function|private_class_method|memoize)$/.test(fieldText(node, 'method'))
      ) {
        for (const inner of descendants(node, ['method', 'singleton_method']))
          method(inner, fieldText(inner, 'name'), owner, /^m/.test(node.text))
      }
    }
  }
  const method = (node: Node, name: string, owner: string, exported: boolean): void => {
    if (name === '') return
    found.symbol(
      node,
      owner === '' ? { name, kind: 'function', exported } : { name, kind: 'method', owner, exported },
    )
  }
  items(root, '')
  loads(root, found)
  const {
    doc = found.symbols.find((one) => /^(?:class|module)$/.test(one.kind) && one.doc !== undefined)?.doc,
    ...facts
  } = found.facts()
  return {
    ...facts,
    doc,
    words: namesUsed(root, source, /(?<![\w:])[A-Z]\w*(?:::[A-Z]\w*)*/g, [
      'comment',
      'string_content',
      'simple_symbol',
    ]),
    ...(/__FILE__\s*==\s*\$(0|PROGRAM_NAME)|\$(0|PROGRAM_NAME)\s*==\s*__FILE__/.test(source) && {
      entry: 'runs under `if __FILE__ == $0`',
    }),
  }
}

function loads(root: Node, found: Found): void {
  for (const call of descendants(root, 'call')) {
    const method = fieldText(call, 'method')
    if (!LOADERS.has(method) || call.childForFieldName('receiver') !== null) continue
    const argument = descendants(call, 'string').at(-1)
    if (argument === undefined || descendants(argument, 'interpolation').length > 0) continue
    const written = argument.text.slice(1, -1)
    const lazy = method === 'autoload' || isInside(call, new Set(['method', 'singleton_method']))
    const specifier = method === 'require_relative' && !written.startsWith('.') ? `./${written}` : written
    found.import(call, specifier, lazy ? 'lazy' : 'load')
  }
}

/** `require_relative` beside the file, `require` against every `lib` folder; constants that are autoloaded by name. */
function createResolver(index: ModuleIndex): Resolver {
  const byLoadPath = new Map<string, string>()
  const byConstant = new Map<string, Set<string>>()
  for (const path of index.of(ruby)) {
    const loadPath = /(?:^|\/)(?:lib|app\/[^/]+|test|spec)\/(.+)\.rb$/.exec(path)?.[1]
    if (loadPath !== undefined && !byLoadPath.has(loadPath)) byLoadPath.set(loadPath, path)
    for (const { name, kind } of index.code(path)?.symbols ?? []) {
      if (kind === 'class' || kind === 'module')
        byConstant.set(name, (byConstant.get(name) ?? new Set()).add(path))
    }
  }
  // Rails and Zeitwerk load by constant name; only a constant that one file declares says where it leads.
  const declaring = new Map(
    [...byConstant].flatMap(([name, files]) =>
      files.size === 1 ? [[name, [...files][0] ?? ''] as const] : [],
    ),
  )
  // What left the standard library is declared by those who still use it.
  const declared = new Set(
    index.paths
      .filter((path) => /(?:\.gemspec|(?:^|\/)Gemfile)$/.test(path))
      .flatMap((path) => Array.from(index.read(path).matchAll(DECLARED_GEM), ([, name = '']) => name)),
  )
  const isGem = (name: string): boolean => !STANDARD.has(name) || declared.has(name)

  return (path, code) => {
    const links: Link[] = []
    for (const { specifier, line, mode } of code.imports) {
      const bare = specifier.replace(/\.rb$/, '')
      const to = bare.startsWith('.') ? `${posix.join(posix.dirname(path), bare)}.rb` : byLoadPath.get(bare)
      if (to !== undefined && index.has(to)) links.push({ to, line, mode })
      else if (!bare.startsWith('.') && isGem(bare.split('/')[0] ?? ''))
        links.push({ external: bare.split('/')[0] ?? bare, line, mode })
    }
    const known = new Set(links.map(({ to }) => to))
    // Within `A::B` a bare name is looked up in `A::B`, then in `A`.
    const spaces = [
      ...new Set(
        code.symbols.flatMap(({ name, kind }) => {
          const parts = kind === 'class' || kind === 'module' ? name.split('::') : []
          return parts.map((_, length) => parts.slice(0, parts.length - length).join('::'))
        }),
      ),
    ]
    // In a file that opens modules of several roots, a bare name may be of any of them, and of a gem's.
    const isMixed = new Set(spaces.map((space) => space.split('::')[0])).size > 1
    for (const word of code.words ?? []) {
      const within = isMixed && !word.includes('::') ? [] : spaces
      const to = [...within.map((space) => `${space}::${word}`), word]
        .map((name) => declaring.get(name))
        .find((file) => file !== undefined)
      if (to === undefined || to === path || known.has(to)) continue
      known.add(to)
      links.push({ to, line: 1, mode: 'reference', names: [word] })
    }
    return links
  }
}

/** Ruby. */
export const ruby: Language = {
  id: 'ruby',
  name: 'Ruby',
  fence: 'ruby',
  extensions: ['.rb', '.rake', '.gemspec', '.ru'],
  interpreters: ['ruby'],
  grammar: () => 'ruby',
  extract,
  createResolver,
}
