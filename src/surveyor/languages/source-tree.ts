import { posix } from 'node:path'

/** The files of a repository, as far as configurations and manifests are looked up in them. */
export interface SourceTree {
  paths: readonly string[]
  has(path: string): boolean
  read(path: string): string
}

/** Folder of a path with a slash at its end; empty for the root. */
export const prefixOf = (path: string): string =>
  posix.dirname(path) === '.' ? '' : `${posix.dirname(path)}/`

/** A path without `./` and doubled steps, relative to the root of the repository. */
export const normal = (path: string): string =>
  posix.normalize(path).replace(/^\.\//, '').replace(/\/$/, '').replace(/^\.$/, '')
