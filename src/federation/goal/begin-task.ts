import path from 'node:path'
import { documentsOf, troubleFile } from '../../engine/step/goal-evidence.ts'
import { isSystemTrouble } from '../../engine/step/unfinished.ts'
import { tell } from '../../engine/step/send-and-step.ts'
import { FedError } from '../../errors/fed-error.ts'
import { TeamExistsError } from '../../errors/team-errors.ts'
import { createOnce, makeDirectory } from '../../platform/storage/disk.ts'
import { memberOf, missionIdOf } from '../../protocol/goal-names.ts'
import type { Plan, PlannedTask } from '../../protocol/plan-schema.ts'
import type { CoordinatorContext } from '../../../machines/coordinator.ts'
import { ofTask } from '../../../machines/coordinator.ts'
import type { Federation } from '../federation.ts'
import { subjectOf } from '../mission.ts'
import type { Team } from '../team.ts'
import { layInputs } from './inputs.ts'
import type { TeamContext } from '../../../machines/team-event.ts'
import { lifecycleDocument } from '../../engine/step/lifecycle-document.ts'
import { unless } from '../../errors/unless.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { readSite } from '../../records/sites/site-record.ts'

/** A goal as its coordinator stands. */
export interface Goal {
  readonly coordinator: Team
  readonly context: CoordinatorContext
  readonly plan: Plan
}

/**
 * Sees to it that the team of a task that runs is there, has what it works from, and has the mission of this attempt.
 * Whoever does it again does nothing.
 */
export async function beginTask(federation: Federation, goal: Goal, task: PlannedTask): Promise<void> {
  const { coordinator, context } = goal
  const attempt = ofTask(context.tasks, task.id)?.context.attempt ?? 0
  const id = missionIdOf(context.mission?.signal ?? '', task.id, attempt)
  const elsewhere = federation
    .elsewhere()
    .find(({ domainId }) => domainId === memberOf(coordinator.id, task.id))
  if (elsewhere !== undefined) return giveElsewhere(federation, goal, task, { entry: elsewhere, id })
  const member = await memberFor(federation, goal, task, attempt)
  if (member === undefined) return
  let present = member.present()
  if (present.context.mission?.signal === id) return
  if (present.finished) {
    await member.reset(present.missionNumber)
    present = member.present()
  }
  // somebody gave it another mission meanwhile, or paused it: what comes of that is looked at again
  if (present.context.mission !== null || present.paused) return
  const entry = federation.registry.entry(member.id)
  const wanted = documentsOf(coordinator.actor, context).filter((one) => task.after.includes(one.task))
  layInputs(entry, wanted, federation.registry.entry(coordinator.id))
  const { entry: told } = await tell(member.actor, coordinator.mailbox, {
    type: 'directive',
    subject: subjectOf(task.mission),
    body: missionText(goal, task),
    id,
    // whoever gives it gives the same file
    timestamp: ofTask(context.tasks, task.id)?.context.since,
  })
  if (told?.outcome === 'refused') noteTrouble(coordinator, task.id, attempt, told.refusal?.message ?? '')
}

/** Gives the mission to a team of another site: its mail goes there, and that site lays before it what it works from. */
async function giveElsewhere(
  federation: Federation,
  goal: Goal,
  task: PlannedTask,
  { entry, id }: { readonly entry: RegistryEntry; readonly id: string },
): Promise<void> {
  const { coordinator, context } = goal
  if (entry.coordinator !== coordinator.id) return
  const head = unless(FedError, () => lifecycleDocument(entry.location).read())
  const mission = (head?.content.snapshot.context as Partial<TeamContext> | undefined)?.mission
  if (mission?.signal === id) return
  const since = ofTask(context.tasks, task.id)?.context.since
  await federation.send({
    from: coordinator.id,
    to: entry.domainId,
    type: 'directive',
    subject: subjectOf(task.mission),
    body: missionText(goal, task),
    id,
    ...(since !== undefined && { timestamp: since }),
  })
}

/** The team of a task, onboarded where it is not there; undefined where it cannot be. */
async function memberFor(
  federation: Federation,
  { coordinator }: Goal,
  task: PlannedTask,
  attempt: number,
): Promise<Team | undefined> {
  const name = memberOf(coordinator.id, task.id)
  const entry = federation.registry.read().teams.find(({ domainId }) => domainId === name)
  // another's team is told as a failure
  if (entry !== undefined)
    return entry.coordinator === coordinator.id ? await federation.openEntry(entry) : undefined
  // the first site that has what it needs, and a free slot, takes it
  if (readSite(federation.root) !== undefined) return undefined
  if (task.needs !== undefined && task.needs.length > 0) {
    const needs = `it needs a site with ${task.needs.join(', ')}, and this federation is linked to none: 'fed link up'`
    noteTrouble(coordinator, task.id, attempt, needs)
    return undefined
  }
  try {
    return await federation.onboard({
      domain: name,
      archetype: task.archetype,
      agent: task.agent ?? federation.registry.entry(coordinator.id).agent,
      coordinator: coordinator.id,
    })
  } catch (error) {
    if (!(error instanceof FedError) || isSystemTrouble(error)) throw error
    // another process moves the goal on at this very moment
    if (error instanceof TeamExistsError) return undefined
    noteTrouble(coordinator, task.id, attempt, `its team cannot be made: ${error.message}`)
    return undefined
  }
}

/** What a team is told: its mission, and from the second attempt on what went wrong before. */
function missionText({ context }: Goal, task: PlannedTask): string {
  const standing = ofTask(context.tasks, task.id)?.context
  const hints = context.instructions.filter(
    ({ subject, body }) => subject === 'retry-task' && body.trim().split(/\s+/)[0] === task.id,
  )
  const hint = hints.at(-1)?.body.trim().slice(task.id.length).trim() ?? ''
  if (standing === undefined || standing.attempt < 2) return task.mission
  return [
    task.mission,
    `This is attempt ${standing.attempt}. The one before failed: ${standing.reason ?? 'nothing said why'}`,
    ...(hint === '' ? [] : [`What to do differently: ${hint}`]),
  ].join('\n\n')
}

/** Notes why an attempt at a task could not begin: it has failed then. */
export function noteTrouble({ actor }: Team, task: string, attempt: number, why: string): void {
  const file = troubleFile(actor, task, attempt)
  makeDirectory(path.dirname(file))
  createOnce(file, why)
}
