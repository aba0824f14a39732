import { parseJson } from '../json-text.ts'
import { dependencies, manifest } from './manifest.ts'
import type { Manifest, ManifestEntry } from './manifest.ts'

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Scripts that tell how the project is run, built and tested; the rest is housekeeping. */
const SCRIPTS = /^(start|dev|serve|build|test|lint|types|typecheck|launch|monitor)$/

/** `package.json`. */
export function readPackageJson(path: string, source: string): Manifest {
  const json = record(parseJson(source))
  const entries: ManifestEntry[] = []
  const bin = json['bin']
  if (typeof bin === 'string') entries.push({ what: `command \`${text(json['name']) ?? ''}\``, target: bin })
  for (const [name, target] of Object.entries(record(bin)))
    entries.push({ what: `command \`${name}\``, target: text(target) ?? '' })
  for (const [name, target] of exportTargets(json['exports']))
    entries.push({ what: name === '.' ? 'library entry' : `export \`${name}\``, target })
  if (json['exports'] === undefined) {
    const main = text(json['module']) ?? text(json['main'])
    if (main !== undefined) entries.push({ what: 'library entry', target: main })
  }
  for (const [name, command] of Object.entries(record(json['scripts']))) {
    if (SCRIPTS.test(name)) entries.push({ what: `script \`${name}\``, target: text(command) ?? '' })
  }
  const groups = [
    ...dependencies(
      [
        ...Object.keys(record(json['dependencies'])),
        ...Object.keys(record(json['peerDependencies'])),
        ...Object.keys(record(json['optionalDependencies'])),
      ],
      false,
    ),
    ...dependencies(Object.keys(record(json['devDependencies'])), true),
  ]
  const seen = new Set<string>()
  return manifest(path, 'npm package', {
    name: text(json['name']),
    version: text(json['version']),
    description: text(json['description']),
    license: text(json['license']),
    dependencies: groups.filter(({ name }) => !seen.has(name) && seen.add(name) !== undefined),
    entries,
  })
}

/** Each public path of `exports` with the file it leads to. */
function exportTargets(exported: unknown): [string, string][] {
  if (typeof exported === 'string') return [['.', exported]]
  const subpaths = Object.entries(record(exported))
  const listed = subpaths.some(([key]) => key.startsWith('.')) ? subpaths : [['.', exported] as const]
  return listed.flatMap(([name, value]) => {
    const target = firstTarget(value)
    return target === undefined || name === './package.json' ? [] : [[name, target] as [string, string]]
  })
}

function firstTarget(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const conditions = record(value)
  for (const key of ['default', 'import', 'node', 'require', 'module', 'types']) {
    const found = key in conditions ? firstTarget(conditions[key]) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** `composer.json`; PHP itself and its extensions are no packages. */
export function readComposerJson(path: string, source: string): Manifest {
  const json = record(parseJson(source))
  const names = (key: string): string[] => Object.keys(record(json[key])).filter((name) => name.includes('/'))
  const bin = Array.isArray(json['bin']) ? json['bin'].filter((item) => typeof item === 'string') : []
  return manifest(path, 'Composer package', {
    name: text(json['name']),
    description: text(json['description']),
    license: text(json['license']),
    dependencies: [...dependencies(names('require'), false), ...dependencies(names('require-dev'), true)],
    entries: bin.map((target) => ({ what: `command \`${target.split('/').at(-1) ?? ''}\``, target })),
  })
}
