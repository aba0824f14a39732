export interface Dependency {
  name: string
  /** Needed only to build or test. */
  development: boolean
}

export interface ManifestEntry {
  /** What it is, in words: `command fed`, `library entry`, `script build`. */
  what: string
  /** As the manifest has it: a path, a module or a command line. */
  target: string
}

/** What a project says about itself in one of its manifests. */
export interface Manifest {
  path: string
  /** The kind of project, in words: `npm package`, `Rust crate`. */
  kind: string
  name?: string
  version?: string
  description?: string
  license?: string
  dependencies: Dependency[]
  entries: ManifestEntry[]
}

/** Dependencies of one group, in the order written, each once. */
export const dependencies = (names: Iterable<string>, development: boolean): Dependency[] =>
  [...new Set(names)].filter((name) => name !== '').map((name) => ({ name, development }))

/** Drops the fields that a manifest does not have, or has only by an expression. */
export function manifest(
  path: string,
  kind: string,
  fields: Omit<Partial<Manifest>, 'path' | 'kind'>,
): Manifest {
  const given = Object.entries(fields).filter(
    ([, value]) =>
      value !== undefined && value !== '' && !(typeof value === 'string' && /#\{|\$\{/.test(value)),
  )
  return { path, kind, dependencies: [], entries: [], ...(Object.fromEntries(given) as Partial<Manifest>) }
}
