import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { FedError, RefusedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { ownFolder, personsFolder } from '../storage/persons-folder.ts'
import { isSystemError } from '../storage/system-error.ts'

/** Where a private repository lies, and what fed keeps beside it. Paths are absolute. */
export interface PrivatePlace {
  /** A folder of fed's own: no agent reaches it. */
  readonly folder: string
  /** What agents write: nothing outside of walls opens anything in it. */
  readonly git: string
  /** For which mission it was made. */
  readonly mission: string
  /** The refs that were copied into it. */
  readonly copied: string
  /** An empty folder, in the place of a home. */
  readonly home: string
}

/**
 * Where somebody's private repository lies. It is state and no cache: it may hold commits that lie nowhere else.
 * @param whose words that tell them from everybody else.
 */
export function privatePlace(whose: readonly string[]): PrivatePlace {
  const name = createHash('sha256').update(whose.join('\0')).digest('hex').slice(0, 24)
  const folder = path.join(personsFolder('state'), 'repositories', name)
  const within = (part: string) => path.join(folder, part)
  return {
    folder,
    git: within('git'),
    mission: within('mission'),
    copied: within('copied'),
    home: within('home'),
  }
}

/** For which mission a private repository was made; undefined where there is none, or a half-made one. */
export function missionOf({ mission }: PrivatePlace): string | undefined {
  return unless(isSystemError, () => readFileSync(mission, 'utf8')) || undefined
}

export function removePrivatePlace({ folder, mission }: PrivatePlace): void {
  // what is half removed is nobody's any more
  rmSync(mission, { force: true })
  rmSync(folder, { recursive: true, force: true })
}

/** Most repositories of a team that lie aside. */
const mostAside = 5

/**
 * Puts a private repository aside in one step, for a person to look at.
 * @returns where it lies.
 * @throws {RefusedError} where too many do already.
 */
export function putAside({ folder }: PrivatePlace): string {
  const free = Array.from({ length: mostAside }, (_, number) => `${folder}.aside-${number + 1}`).find(
    (name) => !existsSync(name),
  )
  if (free === undefined)
    throw new RefusedError(
      `${mostAside} repositories lie at ${folder}.aside-* of which not everything could be kept; remove those that you give up`,
    )
  renameSync(folder, free)
  return free
}

/** Makes what has to be there before walls can be raised around it. @throws {FedError} when it cannot be had. */
export function makePrivatePlace({ folder, git, home }: PrivatePlace): void {
  // whoever worked in it may have let others write it, or nobody
  unless(isSystemError, () => chmodSync(git, 0o700))
  const made = [path.dirname(folder), folder, git, home].every((one) => ownFolder(one) !== undefined)
  if (!made) throw new FedError(`${folder}: a private repository cannot be made there`)
}
