import os from 'node:os'
import path from 'node:path'

/** Stands for an empty folder. */
export const folder = 'folder'

/** A folder in which an agent's program keeps its credentials and its sessions: each team's agent has the person's. */
interface OwnFolder {
  /** Where it lies in a home. */
  readonly at: string
  /** The variable by which a person lets it lie elsewhere. */
  readonly variable?: string
  /** The variable of a folder that holds it, where the program goes by one. */
  readonly base?: string
  /**
   * What of it decides what the program runs and may do, by its path in the folder: read-only for agents. Where it is
   * not there it is made, so that no agent makes it: an empty folder, or a file with this text. `all`: whatever is
   * there; what the program makes beside it is gone with the session.
   */
  readonly settled: 'all' | Readonly<Record<string, typeof folder | { readonly text: string }>>
}

/** What an agent's program needs of its person, beside what every program finds. */
export interface OwnThings {
  readonly folders: readonly OwnFolder[]
  /** Files of the home that it replaces as it works: each session begins with a copy. */
  readonly copied?: readonly string[]
  /** Variables by which it is given its provider and its account: names, or with a * at the end all that begin so. */
  readonly env: readonly string[]
  /** Hosts that it cannot work without, as `confinement.hosts` has them: its provider's, where it signs in. */
  readonly hosts: readonly string[]
}

/** Where such a folder lies for the person who runs this, and whether a variable of its own says so. */
export function placeOf({ at, variable, base }: OwnFolder): {
  readonly place: string
  readonly isMoved: boolean
} {
  const named = variable === undefined ? undefined : process.env[variable]
  if (named !== undefined && path.isAbsolute(named)) return { place: named, isMoved: true }
  const holder = base === undefined ? undefined : process.env[base]
  const place =
    holder !== undefined && path.isAbsolute(holder)
      ? path.join(holder, path.basename(at))
      : path.join(os.homedir(), at)
  return { place, isMoved: false }
}
