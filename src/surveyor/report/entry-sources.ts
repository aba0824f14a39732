import { posix } from 'node:path'
import { createSourceFinder, isBuilt } from '../languages/compiled-source.ts'
import { readNpmPackages } from '../languages/npm-packages.ts'
import { readTsconfigs } from '../languages/tsconfig.ts'
import type { ManifestEntry } from '../manifests/manifest.ts'
import type { Survey } from '../survey.ts'

type Finder = (path: string) => string | undefined

const finders = new WeakMap<Survey, Finder>()

/** Finds the source of a compiled file; the configurations of a survey are read once. */
function finderOf(survey: Survey): Finder {
  const known = finders.get(survey)
  if (known !== undefined) return known
  const tree = {
    paths: survey.files.map(({ path }) => path),
    has: (path: string) => survey.byPath.has(path),
    read: survey.source,
  }
  const finder = createSourceFinder(tree, readTsconfigs(tree, readNpmPackages(tree)))
  finders.set(survey, finder)
  return finder
}

/** The surveyed file behind an entry: the file itself, what it is compiled from, a module or a class. */
export function sourceOf(
  survey: Survey,
  manifest: string,
  { what, target }: ManifestEntry,
): string | undefined {
  const dir = posix.dirname(manifest)
  const path = posix.join(dir, target.split(':')[0]?.trim() ?? '')
  if (survey.byPath.has(path)) return path
  return (
    ofModule(survey, dir, target) ??
    (/\s/.test(target) ? undefined : finderOf(survey)(path)) ??
    (isBuilt(target) ? (byBaseName(survey, dir, path) ?? byPublicName(survey, dir, what)) : undefined)
  )
}

/** `shop.cli:main` of Python, `org.shop.App` of the JVM. */
function ofModule(survey: Survey, dir: string, target: string): string | undefined {
  if (!/^[\w.]+(:[\w.]+)?$/.test(target)) return undefined
  const module = (target.split(':')[0] ?? '').replaceAll('.', '/')
  const ofPython = ['', 'src/'].flatMap((root) =>
    [`${module}.py`, `${module}/__init__.py`, `${module}/__main__.py`].map((file) =>
      posix.join(dir, root + file),
    ),
  )
  return target.includes(':')
    ? ofPython.find((candidate) => survey.byPath.has(candidate))
    : survey.files.find(({ path }) => path.endsWith(`/${module}.java`))?.path
}

/** A bundle is named for its entry: dist/tool.js comes from the one tool.ts there is, in the package or at all. */
function byBaseName(survey: Survey, dir: string, path: string): string | undefined {
  const stem = posix.basename(path).replace(/(\.d)?\.[cm]?[jt]sx?$/, '')
  const named = survey.files.filter(
    ({ path: file, role, facts }) =>
      role === 'source' && facts.code !== undefined && posix.basename(file).replace(/\.[^.]+$/, '') === stem,
  )
  const inPackage = named.filter(({ path: file }) => dir === '.' || file.startsWith(`${dir}/`))
  const [only, ...others] = inPackage.length > 0 ? inPackage : named
  return others.length === 0 ? only?.path : undefined
}

/** What a package offers as `.` is made from its index by habit, and `./guards` from guards. */
function byPublicName(survey: Survey, dir: string, what: string): string | undefined {
  const name = what === 'library entry' ? 'index' : /^export `\.\/([^`*]+)`$/.exec(what)?.[1]
  if (name === undefined) return undefined
  const stem = name.replace(/\.[cm]?js$/, '')
  return [`src/${stem}`, stem, `src/${stem}/index`, `${stem}/src/index`, `${stem}/index`]
    .flatMap((candidate) =>
      ['.ts', '.tsx', '.mts', '.js', '.mjs'].map((end) => posix.join(dir, candidate + end)),
    )
    .find((candidate) => survey.byPath.has(candidate))
}
