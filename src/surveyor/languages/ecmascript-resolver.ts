import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import type { Link } from '../facts.ts'
import { createSourceFinder, isBuilt } from './compiled-source.ts'
import type { ModuleIndex, Resolver } from './language.ts'
import { importedAs, namedPackage, offeredBy, packageOf, readNpmPackages } from './npm-packages.ts'
import type { NpmPackage } from './npm-packages.ts'
import { readTsconfigs } from './tsconfig.ts'

const TYPED = ['.ts', '.tsx', '.mts', '.cts']
const PLAIN = ['.js', '.jsx', '.mjs', '.cjs', '.json']
const DECLARED = ['.d.ts', '.d.mts', '.d.cts']
const OTHER = ['.vue', '.svelte', '.astro']
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

const resolvers = new WeakMap<ModuleIndex, Resolver>()

/** One resolver for all that imports as JavaScript does, whatever language the file is written in. */
export function createEcmascriptResolver(index: ModuleIndex): Resolver {
  const resolver = resolvers.get(index) ?? createResolver(index)
  resolvers.set(index, resolver)
  return resolver
}

/** Resolves as bundlers do: relative paths, `#` imports, `tsconfig` paths, workspace names, else a package. */
function createResolver(index: ModuleIndex): Resolver {
  const packages = readNpmPackages(index)
  const configs = readTsconfigs(index, packages)
  const sourceFor = createSourceFinder(index, configs)
  const inFolder = new Map(packages.map((one) => [one.dir, one]))

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
    const folder = isEntry ? undefined : inFolder.get(path === '.' || path === '' ? '' : `${path}/`)
    const entry = folder === undefined ? undefined : byPackage(folder, from, '')
    if (entry !== undefined) return entry
    for (const suffix of suffixes) {
      const inner = path === '.' || path === '' ? `index${suffix}` : `${path}/index${suffix}`
      if (index.has(inner)) return inner
    }
    return undefined
  }

  /** The first of some targets of a manifest that is there, or whose source is. */
  const firstOf = (dir: string, targets: readonly string[], from: string): string | undefined => {
    for (const target of targets) {
      const path = posix.join(dir, target)
      const found = asFile(path, from, true) ?? sourceFor(path)
      if (found !== undefined) return found
    }
    return undefined
  }

  const byPackage = (one: NpmPackage, from: string, rest: string): string | undefined => {
    const { dir } = one
    const offered = firstOf(dir, offeredBy(one, rest === '' ? '.' : `./${rest}`), from)
    if (offered !== undefined) return offered
    const habit =
      rest === ''
        ? ['src/index', 'index', 'src/main', 'lib/index']
        : [rest, `src/${rest}`, `lib/${rest}`, `${rest}/src`]
    for (const candidate of habit) {
      const found = asFile(dir + candidate, from, true)
      if (found !== undefined) return found
    }
    // What only a build makes is made from the package as a whole.
    return isBuilt(rest) ? byPackage(one, from, '') : undefined
  }

  const byAlias = (from: string, specifier: string): string | undefined => {
    for (const { dir, patterns, baseUrl } of configs) {
      if (!from.startsWith(dir)) continue
      for (const { prefix, suffix, isExact, targets } of patterns) {
        if (isExact && specifier !== prefix) continue
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

  const byImports = (from: string, specifier: string): string | undefined => {
    const own = packageOf(packages, from)
    return own === undefined ? undefined : firstOf(own.dir, importedAs(own, specifier), from)
  }

  return (path, { imports }) =>
    imports.flatMap(({ specifier: written, line, mode: how, names }): Link[] => {
      const specifier = written.replace(/(?<=.)[?#].*$/, '')
      // Declarations are gone when the code runs.
      const mode = isDeclaration(path) ? 'type' : how
      const link = { line, mode, names }
      if (specifier.startsWith('.') || specifier.startsWith('/')) {
        const to = asFile(posix.join(posix.dirname(path), specifier), path)
        return to === undefined ? [] : [{ to, ...link }]
      }
      const aliased =
        (specifier.startsWith('#') ? byImports(path, specifier) : undefined) ?? byAlias(path, specifier)
      if (aliased !== undefined) return [{ to: aliased, ...link }]
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
      const sibling = namedPackage(packages, path, name)
      const local =
        sibling === undefined ? undefined : byPackage(sibling, path, specifier.slice(name.length + 1))
      if (local !== undefined) return [{ to: local, ...link }]
      if (
        /^(node|bun|deno|https?|data|virtual|file):/.test(specifier) ||
        BUILTIN.has(name) ||
        /^[#~$]/.test(specifier)
      )
        return []
      return sibling !== undefined ? [] : [{ external: name, ...link }]
    })
}
