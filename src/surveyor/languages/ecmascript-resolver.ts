import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import type { Link } from '../facts.ts'
import { parseJson } from '../json-text.ts'
import type { ModuleIndex, Resolver } from './language.ts'

const SOURCE = [
  '.ts',
  '.tsx',
  '.d.ts',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.json',
  '.vue',
  '.svelte',
]
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

  const asFile = (candidate: string): string | undefined => {
    const path = posix.normalize(candidate).replace(/^\.\//, '').replace(/\/$/, '')
    if (path.startsWith('..')) return undefined
    if (index.has(path)) return path
    const extension = posix.extname(path)
    for (const other of COMPILED[extension] ?? []) {
      const source = path.slice(0, -extension.length) + other
      if (index.has(source)) return source
    }
    for (const suffix of SOURCE) if (index.has(path + suffix)) return path + suffix
    for (const suffix of SOURCE) {
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
          const found = asFile(target.replace('*', star))
          if (found !== undefined) return found
        }
      }
      const found = baseUrl === undefined ? undefined : asFile(posix.join(baseUrl, specifier))
      if (found !== undefined) return found
    }
    return undefined
  }

  const byWorkspace = (name: string, rest: string): string | undefined => {
    const workspace = workspaces.get(name)
    if (workspace === undefined) return undefined
    const { dir, entries } = workspace
    const candidates =
      rest === '' ? entries : [`${dir}${rest}`, `${dir}src/${rest}`, `${dir}lib/${rest}`, `${dir}${rest}/src`]
    for (const candidate of candidates) {
      const found = asFile(candidate)
      if (found !== undefined) return found
    }
    return undefined
  }

  return (path) =>
    (index.code(path)?.imports ?? []).flatMap(({ specifier: written, line, mode, names }): Link[] => {
      const specifier = written.replace(/[?#].*$/, '') || written
      const link = { line, mode, ...(names === undefined ? {} : { names }) }
      if (specifier.startsWith('.') || specifier.startsWith('/')) {
        const to = asFile(posix.join(posix.dirname(path), specifier))
        return to === undefined || to === path ? [] : [{ to, ...link }]
      }
      const aliased = byAlias(path, specifier)
      if (aliased !== undefined) return aliased === path ? [] : [{ to: aliased, ...link }]
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
      const local = byWorkspace(name, specifier.slice(name.length + 1))
      if (local !== undefined) return local === path ? [] : [{ to: local, ...link }]
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
    const options = record(record(parseJson(index.read(path)))['compilerOptions'])
    const folder = posix.dirname(path) === '.' ? '' : `${posix.dirname(path)}/`
    const base = typeof options['baseUrl'] === 'string' ? posix.join(folder, options['baseUrl']) : undefined
    const patterns = Object.entries(record(options['paths'])).map(([pattern, targets]) => {
      const [prefix = '', suffix = ''] = pattern.split('*')
      const list = Array.isArray(targets) ? targets.filter((target) => typeof target === 'string') : []
      return {
        prefix,
        suffix: pattern.includes('*') ? suffix : '',
        targets: list.map((target) => posix.join(base ?? folder, target)),
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
    const manifest = record(parseJson(index.read(path)))
    const name = manifest['name']
    if (typeof name !== 'string' || found.has(name)) continue
    const dir = posix.dirname(path) === '.' ? '' : `${posix.dirname(path)}/`
    const named = [manifest['source'], manifest['types'], manifest['module'], manifest['main']].filter(
      (value) => typeof value === 'string',
    )
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

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
