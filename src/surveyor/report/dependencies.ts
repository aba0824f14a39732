import type { Survey } from '../survey.ts'
import { matchArtifacts } from './match-artifacts.ts'
import type { ArtifactMatch } from './match-artifacts.ts'
import { code, list, paragraphs, table } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { count, figure, paths } from './wording.ts'

interface Row {
  name: string
  declaredIn: string[]
  development: boolean
  usedBy: readonly string[]
}

/** What comes from outside: declared packages with the files that import them, and imports that nobody declares. */
export function dependenciesSection(survey: Survey, room = 1): Section {
  const rows = dependencyRows(survey)
  const title = 'External dependencies'
  const used = [...survey.graph.external]
  if (rows.length === 0 && used.length === 0)
    return {
      title,
      body: survey.files.some(({ language }) => language !== undefined)
        ? 'None: no manifest declares a package, and no import leads outside the repository and the standard library.'
        : '',
    }
  const matched = new Set(rows.flatMap(({ name }) => importNames(survey, name)))
  const limit = 20 * room
  const runtime = rows.filter(({ development }) => !development).toSorted(byUse)
  const unmatched = used.filter(([name]) => !matched.has(name))
  const isSource = (path: string): boolean => survey.byPath.get(path)?.role === 'source'
  const inSources = unmatched.filter(([, files]) => files.some(isSource))
  const isDoubted = ([, files]: Used): boolean =>
    (isJava(files) && rows.some(({ name }) => isCoordinate(name))) ||
    (isPhp(files) && rows.some((row) => isOfComposer(row)))
  const others = byPackage(inSources.filter((used_) => !isDoubted(used_)))
  const development = rows.filter((row) => row.development)
  const quiet = runtime.filter((row) => row.usedBy.length === 0 && !isInDoubt(row))
  const spoken = runtime.filter(({ usedBy }) => usedBy.length > 0)
  return {
    title,
    body: paragraphs(
      spoken.length > 0 &&
        table(
          ['Package', 'Files that import it', 'Such as'],
          spoken
            .slice(0, limit)
            .map(({ name, usedBy }) => [code(name), figure(usedBy.length), paths(usedBy, 2)]),
        ),
      spoken.length > limit && `And ${count(spoken.length - limit, 'more declared package')}.`,
      quiet.length > 0 &&
        `Declared, but no import was found under that name (a package may be imported by another name, loaded by configuration, or no longer needed): ${paths(
          quiet.map(({ name }) => name),
          12 * room,
        )}.`,
      artifactsInDoubt(
        runtime.filter((row) => row.usedBy.length === 0 && isInDoubt(row)),
        byPackage(inSources.filter(isDoubted)),
        12 * room,
      ),
      others.length > 0 &&
        (rows.length > 0
          ? 'Imported, but declared nowhere under that name:'
          : 'Imported from outside the repository:'),
      others.length > 0 &&
        list(
          others
            .slice(0, 12 * room)
            .map(([name, files]) => `${code(name)}, in ${count(files.length, 'file')}: ${paths(files, 2)}`),
        ),
      others.length > 12 * room && `And ${count(others.length - 12 * room, 'more name')}.`,
      unmatched.length > inSources.length &&
        `${count(unmatched.length - inSources.length, 'more name')} ${unmatched.length - inSources.length === 1 ? 'is' : 'are'} imported only by tests, examples or documentation.`,
      development.length > 0 &&
        `Declared for development: ${paths(
          development.map(({ name }) => name),
          16 * room,
        )}.`,
    ),
  }
}

type Used = readonly [name: string, files: readonly string[]]

/** Coordinates of Maven and Gradle: `group:artifact`. */
const isCoordinate = (name: string): boolean => name.includes(':')

const isOfComposer = ({ declaredIn }: Row): boolean => declaredIn.some((path) => /composer\.json$/.test(path))

/** Whether a package's name may say nothing of the names by which it is imported. */
const isInDoubt = (row: Row): boolean => isCoordinate(row.name) || isOfComposer(row)

const isPhp = (files: readonly string[]): boolean => files.every((path) => /\.(?:php|phtml|inc)$/.test(path))

const isJava = (files: readonly string[]): boolean => files.every((path) => path.endsWith('.java'))

/** Names with the files that import them, the most imported first; packages of Java by their first three parts. */
function byPackage(used: readonly Used[]): Used[] {
  const found = new Map<string, Set<string>>()
  for (const [name, files] of used) {
    const key = isJava(files) ? name.split('.').slice(0, 3).join('.') : name
    const known = found.get(key) ?? new Set()
    for (const file of files) known.add(file)
    found.set(key, known)
  }
  return [...found]
    .map(([name, files]): Used => [name, [...files].toSorted()])
    .toSorted((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1))
}

/** Artifacts and packages that may belong together under other names: neither is said to be missing. */
function artifactsInDoubt(artifacts: readonly Row[], packages: readonly Used[], limit: number): string {
  const spoken = [
    artifacts.length > 0 &&
      `Declared, with contents that its name does not tell: ${paths(
        artifacts.map(({ name }) => name),
        limit,
      )}.`,
    packages.length > 0 &&
      `Imported, from packages that these names do not tell: ${packages
        .slice(0, limit)
        .map(([name, files]) => `${code(name)} (${count(files.length, 'file')})`)
        .join(', ')}${packages.length > limit ? ` and ${figure(packages.length - limit)} more` : ''}.`,
  ].filter((sentence) => sentence !== false)
  return spoken.join(' ')
}

const artifacts = new WeakMap<Survey, ArtifactMatch>()

/** Which packages come from which artifact; each survey is asked once. */
function artifactsOf(survey: Survey): ArtifactMatch {
  const known = artifacts.get(survey)
  if (known !== undefined) return known
  const coordinates = survey.manifests.flatMap((manifest) => manifest.dependencies.map(({ name }) => name))
  const packages = [...survey.graph.external].flatMap(([name, files]) => (isJava(files) ? [name] : []))
  const match = matchArtifacts([...new Set(coordinates.filter(isCoordinate))], packages)
  artifacts.set(survey, match)
  return match
}

const byUse = (a: Row, b: Row): number => b.usedBy.length - a.usedBy.length || (a.name < b.name ? -1 : 1)

/** Every declared package once, with who imports it. */
export function dependencyRows(survey: Survey): Row[] {
  const own = new Set(survey.manifests.map(({ name }) => name?.toLowerCase()))
  const rows = new Map<string, Row>()
  for (const { path, dependencies } of survey.manifests) {
    for (const { name, development } of dependencies) {
      if (own.has((isCoordinate(name) ? (name.split(':')[1] ?? name) : name).toLowerCase())) continue
      const usedBy = [
        ...new Set(importNames(survey, name).flatMap((found) => survey.graph.external.get(found) ?? [])),
      ].toSorted()
      const row = rows.get(name) ?? { name, declaredIn: [], development: true, usedBy }
      row.declaredIn.push(path)
      row.development &&= development
      rows.set(name, row)
    }
  }
  return [...rows.values()]
}

/** Whether a namespace of .NET is of another declared package, whose name says more of it. */
const isOfLonger = (survey: Survey, name: string, space: string): boolean =>
  survey.manifests.some(({ dependencies }) =>
    dependencies.some(
      (other) => other.name.length > name.length && `${space}.`.startsWith(`${other.name.toLowerCase()}.`),
    ),
  )

/** The names under which a declared package may stand in imports: each language has its own habit. */
function importNames(survey: Survey, name: string): string[] {
  if (isCoordinate(name)) return [...(artifactsOf(survey).packagesOf.get(name) ?? [])]
  // `@types/x` says what `x` is to a compiler.
  const lower = name.toLowerCase().replace(/^@types\//, '')
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[-_.]/g, '')
      .replace(/^python|^py(?=\w{3})/, '')
  return [...survey.graph.external.keys()].filter((found) => {
    const other = found.toLowerCase()
    if (other === lower || plain(other) === plain(lower)) return true
    // .NET packages are the beginning of what they hold; Composer names may match their namespaces.
    if (found.includes('\\'))
      return (
        plain(found.replace('\\', '')) === plain(name.replace('/', '')) ||
        plain(found.split('\\')[0] ?? '') === plain(name.split('/')[1] ?? '')
      )
    return /^[A-Z]/.test(name) && other.startsWith(`${lower}.`) && !isOfLonger(survey, lower, other)
  })
}
