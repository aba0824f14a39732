import { RefusedError } from '../../errors/fed-error.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { assertNoLinkTo } from '../../platform/storage/without-links.ts'
import type { Team } from '../../federation/team.ts'
import { assertNoSession } from './only-session.ts'
import { resumeAfterLimit } from './limit.ts'
import { sessionFolders } from './run-session.ts'

/**
 * Steps the team, resumes it if its agent's limit has passed, and then checks that a session can work on its
 * mission.
 * @throws {RefusedError} when it is archived, paused, finished or without a mission.
 */
export async function assertWorkable(team: Team): Promise<void> {
  assertNotArchived(team)
  await team.step()
  const until = await resumeAfterLimit(team)
  const { id } = team
  const { state, paused, finished, context } = team.present()
  if (paused) {
    const why =
      until === undefined ? '' : ` until ${new Date(until).toISOString()}, when its agent's limit has passed`
    throw new RefusedError(`${id} is paused${why}; 'fed resume ${id}' continues it`)
  }
  if (finished)
    throw new RefusedError(`${id} is ${state}; 'fed launch --team ${id} --reset' begins a new mission`)
  if (context.mission === null) {
    throw new RefusedError(
      `${id} has no mission; 'fed send ${id} --type directive --subject "<mission>"' gives it one`,
    )
  }
}

/**
 * Checks what a launch, also one that resets, needs in any state of the team.
 * @throws {RefusedError} when the team is archived or a session of it runs; {NotPlainFileError} when a link leads to
 * a folder of its sessions.
 */
export async function assertStartable(team: Team): Promise<void> {
  assertNotArchived(team)
  const { sessions, missions } = workspaceLayout(team.actor.workspace)
  for (const folder of [sessions, missions]) assertNoLinkTo(folder)
  await assertIdle(team)
}

/** @throws {RefusedError} when the team is archived. */
export function assertNotArchived({ id, actor }: Team): void {
  if (actor.world.registry.entry(id).status === 'archived')
    throw new RefusedError(`${id} is archived; 'fed restore ${id}' takes it back`)
}

/** Whether a session of the team runs, or a launch is between two sessions. */
export async function isDriven(team: Team): Promise<boolean> {
  try {
    await assertIdle(team)
    return false
  } catch (error) {
    if (error instanceof RefusedError) return true
    throw error
  }
}

/** @throws {RefusedError} when a session of the team runs, or another process is between two sessions. */
export async function assertIdle(team: Team): Promise<void> {
  await assertNoSession(sessionFolders(team))
}
