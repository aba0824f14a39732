import { v5 as uuidOf } from 'uuid'
import type { CodingContext } from '../../machines/coding.ts'
import { controlSubjects } from '../../machines/guards.ts'
import { isSystemTrouble } from '../engine/step/unfinished.ts'
import { assertTarget } from './target.ts'
import { RefusedError, UnfinishedError, UsageError } from '../errors/fed-error.ts'
import { kebab } from '../protocol/event-name.ts'
import { faultOfBody } from '../protocol/signal.ts'
import { assertNoMistypedControl, commandFor } from './control-word.ts'
import type { Team } from './team.ts'

/** Namespace of the ids of missions. */
const NAMESPACE = 'c1f1f0c4-5b0c-4f0e-9d39-0a2d6f6a7a10'

/** A mission's subject is its beginning, cut between words after at most this many characters. */
const subjectLength = 72

/** A short subject for a mission (spec §8: subject lines are to be kept short). */
export function subjectOf(mission: string): string {
  const line = mission.trim().split('\n')[0]?.trim() ?? ''
  if ([...line].length <= subjectLength) return line
  const cut = [...line].slice(0, subjectLength).join('')
  return `${cut.replace(/\s+\S*$/, '')}…`
}

/**
 * Checks that a text can be a mission.
 * @param isMeant lets a text pass that is almost a control word.
 * @returns the text, trimmed.
 * @throws {UsageError} when it cannot be one.
 */
export function assertMission(mission: string, isMeant = false): string {
  const text = mission.trim()
  if (text === '')
    throw new UsageError(`the mission is empty; say what to do: fed run "Document the architecture"`)
  // before a team is reset for it
  const fault = faultOfBody(text)
  if (fault !== undefined) throw new UsageError(`the mission: ${fault}`)
  const word = kebab(subjectOf(text))
  if (controlSubjects.includes(word))
    throw new UsageError(
      `'${text}' is a control word, not a mission; did you mean '${commandFor(word, '<team>')}'?`,
    )
  if (!isMeant) assertNoMistypedControl(subjectOf(text))
  return text
}

/**
 * Gives a team its mission, a text that `assertMission` took. A finished team is reset first; where the same
 * mission is under way, the team goes on with it.
 * @param giveUp another mission under way is put away for this one.
 * @param into names the branch into which the team's work is to be merged, from this mission on.
 * @throws {RefusedError} when the team is paused, archived, has another mission under way, or does not take
 * this one; {UsageError} when there is no such branch.
 */
export async function beginMission(
  team: Team,
  mission: string,
  { giveUp = false, into }: { readonly giveUp?: boolean; readonly into?: string | undefined } = {},
): Promise<'begun' | 'continued'> {
  const text = assertMission(mission, true)
  if (into !== undefined) assertTarget(team.actor.world.root, team.id, into)
  await team.step()
  const { id } = team
  const { status, onboardedAt } = team.actor.world.registry.entry(id)
  if (status === 'archived') throw new RefusedError(`${id} is archived; 'fed restore ${id}' takes it back`)
  let present = team.present()
  if (present.paused) throw new RefusedError(`${id} is paused; 'fed resume ${id}' and run again`)
  const another = present.context.mission !== null && textOf(present.context.mission) !== text
  const isReset = present.finished || (giveUp && another)
  if (isReset) {
    await team.reset(present.missionNumber)
    await afterReset(team, () => team.step())
    present = team.present()
  }
  if (present.context.mission !== null) {
    if (textOf(present.context.mission) !== text) throw anotherMission(team)
    const { base } = present.context as Partial<CodingContext>
    if (into !== undefined && base != null && base.target !== into)
      throw anotherTarget(team, base.target, into)
    return 'continued'
  }
  if (into !== undefined) team.aimAt(into)
  // one id for one mission: two processes that begin it at the same moment begin it once
  const direct = () =>
    team.direct(
      subjectOf(text),
      text,
      uuidOf(`${id}/${onboardedAt}/${present.missionNumber}/${text}`, NAMESPACE),
    )
  const { entry } = await (isReset ? afterReset(team, direct) : direct())
  if (entry?.outcome === 'refused')
    throw new RefusedError(entry.refusal?.message ?? `${id} refused the mission`)
  const adopted = team.present().context.mission
  if (adopted !== null && textOf(adopted) !== text) throw anotherMission(team)
  return 'begun'
}

/**
 * Runs `act`, which goes on after a reset.
 * @throws {UnfinishedError} when the disk fails: the team stays reset.
 */
async function afterReset<Result>(team: Team, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!isSystemTrouble(error) || error instanceof UnfinishedError) throw error
    const next = 'the same command gives it its mission'
    throw new UnfinishedError(`${team.id} was reset and is ${team.present().state}`, next, error)
  }
}

/**
 * Gives a team that was just created its mission.
 * @throws {UnfinishedError} when the disk fails: the team stays, without a mission; {RefusedError} when it
 * does not take the mission.
 */
export async function beginFirstMission(team: Team, mission: string): Promise<void> {
  try {
    await beginMission(team, mission)
  } catch (error) {
    if (error instanceof RefusedError)
      throw new RefusedError(`${team.id} is onboarded, and refuses its mission: ${error.message}`)
    if (!isSystemTrouble(error) || error instanceof UnfinishedError) throw error
    const next = `'fed run "<mission>" --team ${team.id}' gives it one`
    throw new UnfinishedError(`${team.id} is onboarded and has no mission`, next, error)
  }
}

/** The text of a mission, as it was given. */
export function textOf({ body, subject }: { readonly body: string; readonly subject: string }): string {
  return body.trim() || subject
}

function anotherTarget({ id }: Team, target: string, into: string): RefusedError {
  return new RefusedError(
    `${id} has this mission under way, and its work goes into ${target}, not ${into}; ` +
      `'fed launch --team ${id} --reset' begins it anew`,
  )
}

function anotherMission(team: Team): RefusedError {
  const { id } = team
  const { context, state } = team.present()
  return new RefusedError(
    `${id} has another mission under way ('${context.mission?.subject}', ${state}); ` +
      `'fed launch --team ${id}' finishes it, 'fed run --team <other> …' uses another team, ` +
      `'fed run --reset …' gives it up for this one`,
  )
}
