import { dependencies, manifest } from './manifest.ts'
import type { Manifest, ManifestEntry } from './manifest.ts'
import { parseToml, tomlList, tomlString } from './toml.ts'

const requirement = (line: string): string => /^[A-Za-z0-9][\w.-]*/.exec(line.trim())?.[0] ?? ''

/** `pyproject.toml`, as PEP 621 or as Poetry writes it. */
export function readPyproject(path: string, source: string): Manifest | undefined {
  const tables = parseToml(source)
  const project = tables.get('project') ?? tables.get('tool.poetry')
  if (project === undefined) return undefined
  const poetry = tables.get('tool.poetry.dependencies')
  const names = [
    ...tomlList(project, 'dependencies').map(requirement),
    ...Object.keys(poetry ?? {}).filter((name) => name !== 'python'),
  ]
  const development = [...tables].flatMap(([name, table]) => {
    if (name === 'project.optional-dependencies' || name === 'dependency-groups')
      return Object.keys(table).flatMap((key) => tomlList(table, key).map(requirement))
    return /^tool\.poetry\.(group\.[\w-]+\.|dev-)dependencies$/.test(name) ? Object.keys(table) : []
  })
  const entries: ManifestEntry[] = []
  for (const table of [
    tables.get('project.scripts'),
    tables.get('project.gui-scripts'),
    tables.get('tool.poetry.scripts'),
  ]) {
    for (const name of Object.keys(table ?? {}))
      entries.push({ what: `command \`${name}\``, target: tomlString(table, name) ?? '' })
  }
  return manifest(path, 'Python project', {
    name: tomlString(project, 'name'),
    version: tomlString(project, 'version'),
    description: tomlString(project, 'description'),
    dependencies: [
      ...dependencies(names, false),
      ...dependencies(
        development.filter((name) => !names.includes(name)),
        true,
      ),
    ],
    entries,
  })
}

/** `Cargo.toml`: a crate, or a workspace that only names its members. */
export function readCargo(path: string, source: string): Manifest {
  const tables = parseToml(source)
  const crate = tables.get('package')
  const names = (pattern: RegExp): string[] =>
    [...tables].flatMap(([name, table]) => {
      const single = new RegExp(`${pattern.source}\\.([\\w-]+)$`).exec(name)?.[1]
      if (single !== undefined) return [single]
      return new RegExp(`${pattern.source}$`).test(name)
        ? Object.keys(table).map((key) => key.split('.')[0] ?? key)
        : []
    })
  const normal = names(/^(?:target\..+\.|workspace\.)?dependencies/)
  const other = names(/^(?:target\..+\.)?(?:dev|build)-dependencies/)
  const entries: ManifestEntry[] = []
  for (const [name, what] of [
    ['bin', 'command'],
    ['lib', 'library'],
  ] as const) {
    const table = tables.get(name)
    const target = tomlString(table, 'path')
    if (table !== undefined && target !== undefined)
      entries.push({ what: `${what} \`${tomlString(table, 'name') ?? ''}\``, target })
  }
  return manifest(path, crate === undefined ? 'Cargo workspace' : 'Rust crate', {
    name: tomlString(crate, 'name'),
    version: tomlString(crate, 'version'),
    description: tomlString(crate, 'description'),
    license: tomlString(crate, 'license'),
    dependencies: [
      ...dependencies(normal, false),
      ...dependencies(
        other.filter((name) => !normal.includes(name)),
        true,
      ),
    ],
    entries,
  })
}
