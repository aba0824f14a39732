import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import type { Link } from '../facts.ts'
import { fieldsOf, parseJson, textsOf } from '../data-files.ts'
import type { ModuleIndex, Resolver } from './language.ts'

const TYPED = ['.ts', '.tsx', '.mts', '.cts']
const PLAIN = ['.js', '.jsx', '.mjs', '.cjs', '.json']
const DECLARED = ['.d.ts', '.d.mts', '.d.cts']
const OTHER = ['.vue', '.svelte']
const isDeclaration = (path: string): boolean => /\.d\.[cm]?ts$/.test(path)
/** Extensions to try, by who imports: a program never loads declarations, and declarations see nothing else first. */
const suffixesFor = (from: string): string[] =>
  isDeclaration(from)
    ? [...DECLARED, ...TYPED, ...PLAIN, ...OTHER]
    : /\.[cm]?jsx?$/.test(from)
      ? [...PLAIN, ...TYPED, ...OTHER, ...DECLARED]
      : [...TYPED, ...PLAIN, ...OTHER, ...DECLARED]
// What TypeScript lets an import call a file that the compiler has yet to write.
const COMPILED: Record<string, string[]> = {
  '.js': ['.ts', '.tsx', '.jsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
  '.jsx': ['.tsx'],
}
const BUILTIN = new Set(builtinModules)

interface Aliases {
  /** Folder whose files the aliases hold for, with a trailing slash (empty for the root). */
  dir: string
  patterns: { prefix: string; suffix: string; targets: string[] }[]
  baseUrl?: string
}

interface Workspace {
  dir: string
  entries: string[]
}

/** Resolves as bundlers do: relative paths, `tsconfig` paths and baseUrl, workspace names, else a package. */
export function createEcmascriptResolver(index: ModuleIndex): Resolver {
  const aliases = readAliases(index)
  const workspaces = readWorkspaces(index)

  const entriesOf = new Map([...workspaces.values()].map(({ dir, entries }) => [dir, entries]))

  const asFile = (candidate: string, from: string, isEntry = false): string | undefined => {
    const path = posix.normalize(candidate).replace(/^\.\//, '').replace(/\/$/, '')
    if (path.startsWith('..')) return undefined
    const suffixes = suffixesFor(from)
    if (isDeclaration(from)) {
      const declared = path.replace(/\.([cm]?)js$/, '.d.$1ts')
      if (index.has(declared)) return declared
    }
    if (index.has(path)) return path
    const extension = posix.extname(path)
    for (const other of COMPILED[extension] ?? []) {
      const source = path.slice(0, -extension.length) + other
      if (index.has(source)) return source
    }
    for (const suffix of suffixes) if (index.has(path + suffix)) return path + suffix
    // A folder with a package.json is what that names: `require('..')` in a test is the package itself.
    for (const entry of isEntry ? [] : (entriesOf.get(path === '.' || path === '' ? '' : `${path}/`) ?? [])) {
      const found = asFile(entry, from, true)
      if (found !== undefined) return found
    }
    for (const suffix of suffixes) {
      const inner = path === '.' || path === '' ? `index${suffix}` : `${path}/index${suffix}`
      if (index.has(inner)) return inner
    }
    return undefined
  }

  const byAlias = (from: string, specifier: string): string | undefined => {
    for (const { dir, patterns, baseUrl } of aliases) {
      if (!from.startsWith(dir)) continue
      for (const { prefix, suffix, targets } of patterns) {
        if (!specifier.startsWith(prefix) || !specifier.endsWith(suffix)) continue
        const star = specifier.slice(prefix.length, specifier.length - suffix.length)
        for (const target of targets) {
          const found = asFile(target.replace('*', star), from)
          if (found !== undefined) return found
        }
      }
      const found = baseUrl === undefined ? undefined : asFile(posix.join(baseUrl, specifier), from)
      if (found !== undefined) return found
    }
    return undefined
  }

  const byWorkspace = (from: string, name: string, rest: string): string | undefined => {
    const workspace = workspaces.get(name)
    if (workspace === undefined) return undefined
    const { dir, entries } = workspace
    const candidates =
      rest === '' ? entries : [`${dir}${rest}`, `${dir}src/${rest}`, `${dir}lib/${rest}`, `${dir}${rest}/src`]
    for (const candidate of candidates) {
      const found = asFile(candidate, from)
      if (found !== undefined) return found
    }
    return undefined
  }

  return (path, { imports }) =>
    imports.flatMap(({ specifier: written, line, mode: how, names }): Link[] => {
      const specifier = written.replace(/[?#].*$/, '') || written
      // Declarations are gone when the code runs.
      const mode = isDeclaration(path) ? 'type' : how
      const link = { line, mode, names }
      if (specifier.startsWith('.') || specifier.startsWith('/')) {
        const to = asFile(posix.join(posix.dirname(path), specifier), path)
        return to === undefined ? [] : [{ to, ...link }]
      }
      const aliased = byAlias(path, specifier)
      if (aliased !== undefined) return [{ to: aliased, ...link }]
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
      const local = byWorkspace(path, name, specifier.slice(name.length + 1))
      if (local !== undefined) return [{ to: local, ...link }]
      if (
        /^(node|bun|deno|https?|data|virtual|file):/.test(specifier) ||
        BUILTIN.has(name) ||
        /^[#~$]/.test(specifier)
      )
        return []
      return workspaces.has(name) ? [] : [{ external: name, ...link }]
    })
}

function readAliases(index: ModuleIndex): Aliases[] {
  const found: Aliases[] = []
  for (const path of index.paths) {
    if (!/(^|\/)(tsconfig|jsconfig)[\w.-]*\.json$/.test(path)) continue
    const options = fieldsOf(fieldsOf(parseJson(index.read(path)))['compilerOptions'])
    const folder = posix.dirname(path) === '.' ? '' : `${posix.dirname(path)}/`
    const base = typeof options['baseUrl'] === 'string' ? posix.join(folder, options['baseUrl']) : undefined
    const patterns = Object.entries(fieldsOf(options['paths'])).map(([pattern, targets]) => {
      const [prefix = '', suffix = ''] = pattern.split('*')
      return {
        prefix,
        suffix: pattern.includes('*') ? suffix : '',
        targets: textsOf(targets).map((target) => posix.join(base ?? folder, target)),
      }
    })
    if (patterns.length > 0 || base !== undefined)
      found.push({ dir: folder, patterns, ...(base === undefined ? {} : { baseUrl: base }) })
  }
  // The nearest configuration speaks first.
  return found.toSorted((a, b) => b.dir.length - a.dir.length)
}

function readWorkspaces(index: ModuleIndex): Map<string, Workspace> {
  const found = new Map<string, Workspace>()
  for (const path of index.paths) {
    if (posix.basename(path) !== 'package.json') continue
    const manifest = fieldsOf(parseJson(index.read(path)))
    const name = manifest['name']
    if (typeof name !== 'string' || found.has(name)) continue
    const dir = posix.dirname(path) === '.' ? '' : `${posix.dirname(path)}/`
    const named = textsOf([manifest['source'], manifest['main'], manifest['module'], manifest['types']])
    const source = named.map((entry) => entry.replace(/^(\.\/)?(dist|lib|build|out)\//, 'src/'))
    found.set(name, {
      dir,
      entries: [...source, ...named, 'src/index', 'index', 'src/main', 'lib/index'].map((entry) =>
        posix.join(dir, entry),
      ),
    })
  }
  return found
}
