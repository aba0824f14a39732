import type { Survey } from '../survey.ts'
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
  const others = unmatched
    .filter(([, files]) => files.some(isSource))
    .toSorted((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1))
  const development = rows.filter((row) => row.development)
  const quiet = runtime.filter(({ usedBy }) => usedBy.length === 0)
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
      unmatched.length > others.length &&
        `${count(unmatched.length - others.length, 'more name')} ${unmatched.length - others.length === 1 ? 'is' : 'are'} imported only by tests, examples or documentation.`,
      development.length > 0 &&
        `For development and tests only: ${paths(
          development.map(({ name }) => name),
          16 * room,
        )}.`,
    ),
  }
}

const byUse = (a: Row, b: Row): number => b.usedBy.length - a.usedBy.length || (a.name < b.name ? -1 : 1)

/** Every declared package once, with who imports it. */
export function dependencyRows(survey: Survey): Row[] {
  const own = new Set(survey.manifests.map(({ name }) => name?.toLowerCase()))
  const rows = new Map<string, Row>()
  for (const { path, dependencies } of survey.manifests) {
    for (const { name, development } of dependencies) {
      if (own.has(name.toLowerCase())) continue
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

/** The names under which a declared package may stand in imports: each language has its own habit. */
function importNames(survey: Survey, name: string): string[] {
  const lower = name.toLowerCase()
  const group = name.split(':')[0] ?? name
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[-_.]/g, '')
      .replace(/^python|^py(?=\w{3})/, '')
  return [...survey.graph.external.keys()].filter((found) => {
    const other = found.toLowerCase()
    if (other === lower || plain(other) === plain(lower)) return true
    // Maven groups and .NET packages are the beginning of what they hold; Composer names match their namespaces.
    if (name.includes(':'))
      return (
        other.startsWith(group.toLowerCase()) ||
        group.toLowerCase().startsWith(`${other}.`) ||
        other === group.toLowerCase()
      )
    if (found.includes('\\'))
      return (
        plain(found.replace('\\', '')) === plain(name.replace('/', '')) ||
        plain(found.split('\\')[1] ?? '') === plain(name.split('/')[1] ?? '')
      )
    return /^[A-Z]/.test(name) && (other.startsWith(`${lower}.`) || lower.startsWith(`${other}.`))
  })
}
