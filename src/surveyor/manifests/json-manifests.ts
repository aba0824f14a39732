import { fieldsOf, parseJson, textOf, textsOf } from '../data-files.ts'
import { dependencies, manifest } from './manifest.ts'
import type { Manifest, ManifestEntry } from './manifest.ts'

/** Scripts that tell how the project is run, built and tested; the rest is housekeeping. */
const SCRIPTS = /^(start|dev|serve|build|test|lint|types|typecheck|launch|monitor)$/

/** `package.json`. */
export function readPackageJson(path: string, source: string): Manifest {
  const json = fieldsOf(parseJson(source))
  const entries: ManifestEntry[] = []
  const bin = json['bin']
  if (typeof bin === 'string')
    entries.push({ what: `command \`${textOf(json['name']) ?? ''}\``, target: bin })
  for (const [name, target] of Object.entries(fieldsOf(bin)))
    entries.push({ what: `command \`${name}\``, target: textOf(target) ?? '' })
  for (const [name, target] of exportTargets(json['exports']))
    entries.push({ what: name === '.' ? 'library entry' : `export \`${name}\``, target })
  if (json['exports'] === undefined) {
    const main = textOf(json['module']) ?? textOf(json['main'])
    if (main !== undefined) entries.push({ what: 'library entry', target: main })
  }
  for (const [name, command] of Object.entries(fieldsOf(json['scripts']))) {
    if (SCRIPTS.test(name)) entries.push({ what: `script \`${name}\``, target: textOf(command) ?? '' })
  }
  const groups = [
    ...dependencies(
      [
        ...Object.keys(fieldsOf(json['dependencies'])),
        ...Object.keys(fieldsOf(json['peerDependencies'])),
        ...Object.keys(fieldsOf(json['optionalDependencies'])),
      ],
      false,
    ),
    ...dependencies(Object.keys(fieldsOf(json['devDependencies'])), true),
  ]
  const seen = new Set<string>()
  return manifest(path, 'npm package', {
    name: textOf(json['name']),
    version: textOf(json['version']),
    description: textOf(json['description']),
    license: textOf(json['license']),
    dependencies: groups.filter(({ name }) => !seen.has(name) && seen.add(name) !== undefined),
    entries,
  })
}

/** Each public path of `exports` with the file it leads to. */
function exportTargets(exported: unknown): [string, string][] {
  if (typeof exported === 'string') return [['.', exported]]
  const subpaths = Object.entries(fieldsOf(exported))
  const listed = subpaths.some(([key]) => key.startsWith('.')) ? subpaths : [['.', exported] as const]
  return listed.flatMap(([name, value]) => {
    const target = firstTarget(value)
    // A pattern that leads to itself only opens every file.
    return target === undefined || name === './package.json' || (name.includes('*') && target === name)
      ? []
      : [[name, target] as [string, string]]
  })
}

function firstTarget(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const conditions = fieldsOf(value)
  for (const key of ['default', 'import', 'node', 'require', 'module', 'types']) {
    const found = key in conditions ? firstTarget(conditions[key]) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** `composer.json`; PHP itself and its extensions are no packages. */
export function readComposerJson(path: string, source: string): Manifest {
  const json = fieldsOf(parseJson(source))
  const names = (key: string): string[] =>
    Object.keys(fieldsOf(json[key])).filter((name) => name.includes('/'))
  return manifest(path, 'Composer package', {
    name: textOf(json['name']),
    description: textOf(json['description']),
    license: textOf(json['license']),
    dependencies: [...dependencies(names('require'), false), ...dependencies(names('require-dev'), true)],
    entries: textsOf(json['bin']).map((target) => ({
      what: `command \`${target.split('/').at(-1) ?? ''}\``,
      target,
    })),
  })
}
