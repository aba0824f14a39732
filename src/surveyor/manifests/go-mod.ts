import { dependencies, manifest } from './manifest.ts'
import type { Manifest } from './manifest.ts'

interface Requirement {
  name: string
  /** Needed by what the project needs, and no choice of its own. */
  indirect: boolean
}

/** `go.mod`; indirect requirements and modules that stand in the repository are left out. */
export function readGoMod(path: string, source: string): Manifest {
  const replaced = replacedBy(source)
  const chosen = requiredModules(source).filter(
    ({ name, indirect }) => !indirect && !(replaced.get(name)?.startsWith('.') ?? false),
  )
  return manifest(path, 'Go module', {
    name: /^module\s+(\S+)/m.exec(source)?.[1],
    dependencies: dependencies(
      chosen.map(({ name }) => name),
      false,
    ),
  })
}

/** Every module that a `go.mod` requires. */
export function requiredModules(source: string): Requirement[] {
  return source.split('\n').flatMap((line) => {
    const [, name, note] =
      /^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/\S+)\s+v\d\S*\s*(\/\/\s*indirect)?/.exec(line) ?? []
    return name === undefined || line.includes('=>') ? [] : [{ name, indirect: note !== undefined }]
  })
}

/** What `replace` puts in the place of a module: a folder (`./x`) or another module. */
export function replacedBy(source: string): Map<string, string> {
  const lines = source.matchAll(/^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\S+)/gm)
  return new Map(Array.from(lines, ([, name = '', to = '']) => [name, to]))
}
