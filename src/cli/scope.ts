import path from 'node:path'
import { UsageError } from '../errors.ts'
import type { Federation } from '../federation.ts'
import type { Found } from '../teams/root.ts'
import type { Team } from '../teams/team.ts'
import type { CommonOptions } from './command.ts'

/** The federation that a command works on, and who acts. */
export interface Scope {
  readonly federation: Federation
  /** The acting team, or `meta`. */
  readonly actor: string
}

/**
 * Opens the federation: `--dir`, else `FED_ROOT`, else the present folder, and from there upward. Who acts is
 * what the option says, else `FED_TEAM`, else the workspace's team, else `meta`.
 * @throws {FederationNotFoundError | ConfigValidationError}
 */
export async function openScope(options: CommonOptions, acting?: string): Promise<Scope> {
  // loaded here and not above: a help needs none of it
  const [{ Federation: FederationClass }, { findRoot }, { META }] = await Promise.all([
    import('../federation.ts'),
    import('../teams/root.ts'),
    import('../protocol/team-id.ts'),
  ])

  const from = options.dir ?? process.env.FED_ROOT ?? process.cwd()
  const found = findRoot(path.resolve(from))
  // an agent may work in a folder of its own: its environment says which federation, the folder says which team
  const here = found.team ?? teamOfPresentFolder(found.root, findRoot)
  return {
    federation: new FederationClass(found.root),
    actor: acting ?? process.env.FED_TEAM ?? here ?? META,
  }
}

function teamOfPresentFolder(root: string, findRoot: (from: string) => Found): string | undefined {
  const cwd = process.cwd()
  if (!cwd.startsWith(root)) return undefined
  const found = findRoot(cwd)
  return found.root === root ? found.team : undefined
}

/**
 * The team that a command is about: the one named, else the acting one.
 * @throws {UsageError} when neither is a team.
 */
export async function openTeam(
  options: CommonOptions,
  named?: string,
): Promise<{ federation: Federation; team: Team }> {
  const { federation, actor } = await openScope(options, named)
  if (actor === 'meta') throw new UsageError('which team? name it, or set FED_TEAM')
  return { federation, team: await federation.team(actor) }
}
