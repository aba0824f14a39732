import { statSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../../errors/fed-error.ts'
import { asWord } from '../../errors/printable.ts'
import { FederationNotFoundError } from '../../errors/team-errors.ts'
import type { Federation } from '../../federation/federation.ts'
import type { Found } from '../../federation/root.ts'
import type { Team } from '../../federation/team.ts'
import type { CommonOptions } from './declare-command.ts'
import { note } from './output.ts'

/** The federation that a command works on, and who acts. */
export interface Scope {
  readonly federation: Federation
  /** The acting team, or `meta`. */
  readonly actor: string
}

/**
 * The folder from which a federation is looked for: `--dir`, else `FED_ROOT`, else the present one.
 * @throws {UsageError} when it is none.
 */
export function startingFolder({ dir }: CommonOptions): string {
  const [folder, source] =
    dir !== undefined ? [dir, '--dir'] : [process.env.FED_ROOT || process.cwd(), 'FED_ROOT']
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${source}: there is no folder ${folder}`)
  return path.resolve(folder)
}

/**
 * Opens the federation of the starting folder or of one above it. Who acts is what the option says, else
 * `FED_TEAM`, else the workspace's team, else `meta`.
 * @throws {FederationNotFoundError | ConfigValidationError | UsageError}; {DisplacedError} when it was moved or copied.
 */
export function openScope(options: CommonOptions, acting?: string): Promise<Scope> {
  return open('act', options, acting)
}

/**
 * The same for a command that changes nothing: it works, and says so, where the federation was moved or copied.
 * @throws {FederationNotFoundError | ConfigValidationError | UsageError}
 */
export async function openToRead(options: CommonOptions, acting?: string): Promise<Scope> {
  const scope = await open('read', options, acting)
  const { home } = scope.federation
  if (home.kind !== 'here') {
    const { inWords } = await import('../../federation/federation-home.ts')
    const { what, advice } = inWords(home)
    // also to somebody who wants no progress
    note({}, `fed: ${what}; ${advice}`)
  }
  return scope
}

async function open(use: 'act' | 'read', options: CommonOptions, acting?: string): Promise<Scope> {
  // loaded here and not above: a help needs none of it
  const [{ Federation: FederationClass }, { findRoot }, { META }] = await Promise.all([
    import('../../federation/federation.ts'),
    import('../../federation/root.ts'),
    import('../../protocol/team-id.ts'),
  ])
  const found = findRoot(startingFolder(options))
  const federation = new FederationClass(found.root, { use })
  const { FED_TEAM: own, FED_TEAM_SINCE: since } = process.env
  const named = acting && federation.addressOf(acting)
  const actor = named ?? (own || found.team) ?? teamOfPresentFolder(found.root, findRoot) ?? META
  if (since && actor === own) {
    const { assertSameTeam } = await import('../../federation/same-team.ts')
    assertSameTeam(federation.registry, actor, since)
  }
  return { federation, actor }
}

/** An agent may work in a folder of its own: its environment says which federation, the folder says which team. */
function teamOfPresentFolder(root: string, findRoot: (from: string) => Found): string | undefined {
  for (let dir = process.cwd(); dir.startsWith(root + path.sep);) {
    try {
      const found = findRoot(dir)
      return found.root === root ? found.team : undefined
    } catch (error) {
      if (!(error instanceof FederationNotFoundError) || error.repository === undefined) throw error
      // a repository that lies in the team's workspace
      dir = path.dirname(error.repository)
    }
  }
  return undefined
}

/** What whoever sets up a federation inside of another should know. */
export function anotherAround(outer: string): string {
  return `the federation in ${outer} is another one, of the repository around this: '--dir ${asWord(outer)}' works with it`
}

/** @throws {UsageError} when the coordinator was named where only a team can be meant. */
export function refuseMeta(id: string): void {
  if (id === 'meta') throw new UsageError("meta is the coordinator, no team; 'fed inbox meta' shows its mail")
}

/**
 * The team that a command is about: the one named, else the acting one.
 * @throws {UsageError} when neither is a team.
 */
export async function openTeam(
  options: CommonOptions,
  named?: string,
): Promise<{ federation: Federation; team: Team }> {
  return teamIn(openScope, options, named)
}

/** The same for a command that changes nothing; see `openToRead`. */
export async function openTeamToRead(
  options: CommonOptions,
  named?: string,
): Promise<{ federation: Federation; team: Team }> {
  return teamIn(openToRead, options, named)
}

async function teamIn(
  opened: typeof openScope,
  options: CommonOptions,
  named?: string,
): Promise<{ federation: Federation; team: Team }> {
  if (named !== undefined) refuseMeta(named)
  const { federation, actor } = await opened(options, named)
  if (actor === 'meta') throw new UsageError('which team? name one, or set FED_TEAM')
  return { federation, team: await federation.team(actor) }
}
