import { posix } from 'node:path'
import { readGoMod } from './go-mod.ts'
import { readComposerJson, readPackageJson } from './json-manifests.ts'
import type { Manifest } from './manifest.ts'
import {
  readCmake,
  readCsproj,
  readGems,
  readGradle,
  readPom,
  readRequirements,
  readSetup,
} from './text-manifests.ts'
import { readCargo, readPyproject } from './toml-manifests.ts'

type Reader = (path: string, source: string) => Manifest | undefined

const READERS: [RegExp, Reader][] = [
  [/^package\.json$/, readPackageJson],
  [/^pyproject\.toml$/, readPyproject],
  [/^Cargo\.toml$/, readCargo],
  [/^go\.mod$/, readGoMod],
  [/^pom\.xml$/, readPom],
  [/^build\.gradle(\.kts)?$/, readGradle],
  [/\.(cs|fs|vb)proj$/, readCsproj],
  [/\.gemspec$/, readGems],
  [/^composer\.json$/, readComposerJson],
  [/^setup\.(py|cfg)$/, readSetup],
  [/^Gemfile$/, readGems],
  [/^requirements[\w.-]*\.txt$/, readRequirements],
  [/^CMakeLists\.txt$/, readCmake],
]

/** Whether a file's name is that of a manifest. */
export const isManifest = (path: string): boolean => READERS.some(([name]) => name.test(posix.basename(path)))

/** Every manifest among the paths, the nearest to the root first, and by kind in the order above. */
export function readManifests(paths: readonly string[], read: (path: string) => string): Manifest[] {
  const found = paths.flatMap((path) => {
    const rank = READERS.findIndex(([name]) => name.test(posix.basename(path)))
    const manifest = READERS[rank]?.[1](path, read(path))
    return manifest === undefined ? [] : [{ manifest, rank, depth: path.split('/').length }]
  })
  return found
    .toSorted((a, b) => a.depth - b.depth || a.rank - b.rank || (a.manifest.path < b.manifest.path ? -1 : 1))
    .map(({ manifest }) => manifest)
}
