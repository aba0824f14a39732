import { fieldsOf, parseToml, textOf, textsOf } from '../data-files.ts'
import { dependencies, manifest } from './manifest.ts'
import type { Manifest, ManifestEntry } from './manifest.ts'

const requirement = (line: string): string => /^[A-Za-z0-9][\w.-]*/.exec(line.trim())?.[0] ?? ''

/** `pyproject.toml`, as PEP 621 or as Poetry writes it. */
export function readPyproject(path: string, source: string): Manifest | undefined {
  const toml = parseToml(source)
  const poetry = fieldsOf(fieldsOf(toml['tool'])['poetry'])
  if (toml['project'] === undefined && Object.keys(poetry).length === 0) return undefined
  const project = toml['project'] === undefined ? poetry : fieldsOf(toml['project'])
  const names = [
    ...textsOf(project['dependencies']).map(requirement),
    ...Object.keys(fieldsOf(poetry['dependencies'])).filter((name) => name !== 'python'),
  ]
  const groups = [fieldsOf(project['optional-dependencies']), fieldsOf(toml['dependency-groups'])]
  const ofPoetry = [
    ...Object.values(fieldsOf(poetry['group'])).map((group) => fieldsOf(group)['dependencies']),
    poetry['dev-dependencies'],
  ]
  const development = [
    ...groups.flatMap((group) => Object.values(group).flatMap((lines) => textsOf(lines).map(requirement))),
    ...ofPoetry.flatMap((table) => Object.keys(fieldsOf(table))),
  ]
  const scripts = [project['scripts'], project['gui-scripts'], poetry['scripts']]
  return manifest(path, 'Python project', {
    ...aboutOf(project),
    dependencies: bothKinds(names, development),
    entries: [...new Set(scripts)].flatMap((table) =>
      Object.entries(fieldsOf(table)).map(([name, target]) => ({
        what: `command \`${name}\``,
        target: textOf(target) ?? '',
      })),
    ),
  })
}

/** `Cargo.toml`: a crate, or a workspace that only names its members; undefined where it is neither. */
export function readCargo(path: string, source: string): Manifest | undefined {
  const toml = parseToml(source)
  if (toml['package'] === undefined && toml['workspace'] === undefined) return undefined
  const { normal, development } = cratesUsed(toml)
  const entry = (what: string, table: unknown): ManifestEntry[] => {
    const { name, path: target } = fieldsOf(table)
    return typeof target === 'string' ? [{ what: `${what} \`${textOf(name) ?? ''}\``, target }] : []
  }
  const programs = Array.isArray(toml['bin']) ? toml['bin'] : []
  return manifest(path, toml['package'] === undefined ? 'Cargo workspace' : 'Rust crate', {
    ...aboutOf(fieldsOf(toml['package'])),
    dependencies: bothKinds(normal, development),
    entries: [...programs.flatMap((table) => entry('command', table)), ...entry('library', toml['lib'])],
  })
}

/** The crates that a `Cargo.toml` names, by what they are needed for. */
export function cratesUsed(toml: Readonly<Record<string, unknown>>): {
  readonly normal: readonly string[]
  readonly development: readonly string[]
} {
  const named = (...tables: readonly string[]) =>
    dependencyTables(toml, tables).flatMap((table) => Object.keys(table))
  return { normal: named('dependencies'), development: named('dev-dependencies', 'build-dependencies') }
}

/** The tables of a `Cargo.toml` that name dependencies, those of its workspace and of single targets included. */
export const dependencyTables = (
  toml: Readonly<Record<string, unknown>>,
  tables: readonly string[] = ['dependencies', 'dev-dependencies', 'build-dependencies'],
): Readonly<Record<string, unknown>>[] =>
  [toml, toml['workspace'], ...Object.values(fieldsOf(toml['target']))]
    .map(fieldsOf)
    .flatMap((place) => tables.map((table) => fieldsOf(place[table])))

function aboutOf({ name, version, description, license }: Readonly<Record<string, unknown>>) {
  return {
    name: textOf(name),
    version: textOf(version),
    description: textOf(description),
    license: textOf(license),
  }
}

/** What is needed to run, and what only to build and test. */
function bothKinds(normal: readonly string[], development: readonly string[]): Manifest['dependencies'] {
  const only = development.filter((name) => !normal.includes(name))
  return [...dependencies(normal, false), ...dependencies(only, true)]
}
