import { RefusedError, UsageError } from '../../errors/fed-error.ts'
import type { Federation } from '../federation.ts'
import type { Team } from '../team.ts'
import { COORDINATOR } from '../../engine/step/task-of-team.ts'

/**
 * The coordinators of a federation, or the one that is named.
 * @throws {UsageError} when the team that is named coordinates nothing; {TeamNotFoundError}
 */
export async function coordinatorsOf(federation: Federation, named?: string): Promise<Team[]> {
  if (named !== undefined) {
    const entry = federation.registry.entry(federation.addressOf(named))
    if (entry.archetypeId !== COORDINATOR)
      throw new UsageError(`${entry.domainId} is a ${entry.archetypeId} team, and coordinates no goal`)
    return [await federation.openEntry(entry)]
  }
  const entries = federation.registry
    .read()
    .teams.filter(({ archetypeId, status }) => archetypeId === COORDINATOR && status !== 'archived')
  return Promise.all(entries.map((entry) => federation.openEntry(entry)))
}

/**
 * The goal that is meant: the one that is named, else the only one that is under way.
 * @param isEnded whether one that has ended is meant.
 * @throws {UsageError} when none is, or several are.
 */
export async function theGoal(federation: Federation, named?: string, isEnded = false): Promise<Team> {
  const all = await coordinatorsOf(federation, named)
  const [first, ...others] =
    named === undefined ? all.filter((one) => one.present().finished === isEnded) : all
  if (first === undefined) throw new UsageError(isEnded ? 'no goal has ended' : 'no goal is under way')
  if (others.length > 0)
    throw new UsageError(`which goal? there are ${[first, ...others].map(({ id }) => id).join(', ')}`)
  return first
}

/**
 * Tells a coordinator something in the name of `meta`.
 * @throws {RefusedError} with its machine's reason.
 */
export async function directGoal(coordinator: Team, subject: string, body: string): Promise<void> {
  const { finished, state } = await coordinator.stepped()
  if (finished) throw new RefusedError(`${coordinator.id} is ${state}; the goal is over`)
  const { entry } = await coordinator.direct(subject, body)
  if (entry?.outcome === 'refused')
    throw new RefusedError(entry.refusal?.message ?? `${coordinator.id} refused ${subject}`)
}
