import { adoptedPlan } from '../../engine/step/task-of-team.ts'
import { documentsOf, dueMoves } from '../../engine/step/goal-evidence.ts'
import { toldMove } from '../../engine/step/outgoing-signals.ts'
import { tell } from '../../engine/step/send-and-step.ts'
import { goalSignalId } from '../../protocol/goal-names.ts'
import {
  endedTasks,
  isUnsettled,
  mostSettlements,
  type CoordinatorContext,
  ofTask,
} from '../../../machines/coordinator.ts'
import type { PlannedTask } from '../../protocol/plan-schema.ts'
import { META } from '../../protocol/team-id.ts'
import { isSystemTrouble } from '../../engine/step/unfinished.ts'
import { FedError, NotFoundError } from '../../errors/fed-error.ts'
import type { Federation } from '../federation.ts'
import type { Team } from '../team.ts'
import { beginTask, noteTrouble, type Goal } from './begin-task.ts'
import { layInputs } from './inputs.ts'
import { unless } from '../../errors/unless.ts'
import { membersOf } from './members.ts'
import { siteOf } from '../site-of-team.ts'
import { lifecycleDocument } from '../../engine/step/lifecycle-document.ts'
import { phaseOf } from '../../engine/decide/phase.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'

/** So often others may have been faster, or something else be wrong, before somebody looks again later. */
const mostRefusals = 20

/**
 * Moves a goal on as far as it goes by itself: what follows from where its teams stand is committed, and what the
 * commits ask for is done (teams, missions, inputs, pauses). Whoever calls it, and however often, the same follows;
 * what a killed process left is finished by the next.
 */
export async function coordinate(federation: Federation, coordinator: Team): Promise<void> {
  for (let refused = 0; refused < mostRefusals;) {
    await coordinator.step()
    await levelPauses(federation, coordinator)
    settleMail(federation, coordinator)
    const { state, paused, finished } = coordinator.present()
    const context = coordinator.present().context as CoordinatorContext
    if (paused || finished) return
    // a copy of each as it was proven: its team may go on with it
    layInputs(federation.registry.entry(coordinator.id), documentsOf(coordinator.actor, context))
    const plan = adoptedPlan(context)
    if (plan === undefined) return
    if (state === 'gathering' && plan.gather === undefined) await report(coordinator, 'tasks-ended')
    if (state !== 'coordinating') return
    for (const task of plan.tasks)
      if (ofTask(context.tasks, task.id)?.state === 'running')
        await beginOrNote(federation, { coordinator, context, plan }, task)
    const due = await dueMoves(coordinator.actor, context)
    const subject = due.length > 0 ? 'tasks-moved' : 'tasks-ended'
    const isOver = Object.values(context.tasks).every(({ state: task }) => endedTasks.has(task))
    if (subject === 'tasks-ended') {
      if (!isOver) return
      const failed = plan.tasks.filter(({ id }) => isUnsettled(context, id))
      if (failed.length > 0) return askWhatFollows(federation, coordinator, context, failed)
    }
    if (!(await report(coordinator, subject))) refused += 1
  }
}

/** Begins a task; what keeps its team from beginning, such as damage, fails this attempt at it. */
async function beginOrNote(federation: Federation, goal: Goal, task: PlannedTask): Promise<void> {
  try {
    await beginTask(federation, goal, task)
  } catch (error) {
    if (!(error instanceof FedError) || isSystemTrouble(error)) throw error
    const attempt = ofTask(goal.context.tasks, task.id)?.context.attempt ?? 0
    noteTrouble(goal.coordinator, task.id, attempt, error.message)
  }
}

/**
 * What a goal tells itself: once for each version of its lifecycle, whoever says it.
 * @returns whether it moved the goal.
 */
async function report(coordinator: Team, subject: string): Promise<boolean> {
  const { version, at: timestamp } = headOf(coordinator)
  const { entry } = await tell(coordinator.actor, coordinator.mailbox, {
    type: 'report',
    subject,
    body: '',
    id: goalSignalId(coordinator.id, version, subject),
    timestamp,
  })
  return entry?.outcome === 'accepted'
}

/** The newest commit: what follows from it has its number and its time, whoever says it. */
function headOf({ actor, id }: Team): { readonly version: number; readonly at: string } {
  const head = actor.lifecycle.read()
  if (head === undefined) throw new NotFoundError(`${id} has no lifecycle any more; 'fed doctor' says more`)
  return { version: head.version, at: head.content.at }
}

/**
 * Asks the coordinator's agent, once, what becomes of tasks that failed; after it was asked often enough that is a
 * person's to say.
 */
async function askWhatFollows(
  federation: Federation,
  coordinator: Team,
  context: CoordinatorContext,
  failed: readonly PlannedTask[],
): Promise<void> {
  if (context.settlements >= mostSettlements) return
  const told = failed.map(({ id }) => `- ${id}: ${ofTask(context.tasks, id)?.context.reason ?? ''}`)
  const attempts = failed.map(({ id }) => `${id}/${ofTask(context.tasks, id)?.context.attempt}`)
  const id = goalSignalId(coordinator.id, 0, `${context.mission?.signal} failed ${attempts.join(' ')}`)
  if (coordinator.mailbox.all().some((signal) => signal.id === id)) return
  await federation.send({
    id,
    from: META,
    to: coordinator.id,
    type: 'report',
    subject: 'Tasks failed, and nothing else can go on',
    body: `${told.join('\n')}\n\n'fed report retry-task --body "<task> <what to do differently>"' has one tried again; 'fed report failures-settled --body "<what is missing>"' makes the result without.`,
  })
}

/**
 * Has the members of a goal that is paused pause with it, and go on when it does; those that somebody else paused stay
 * as they are.
 */
async function levelPauses(federation: Federation, coordinator: Team): Promise<void> {
  const { paused, finished } = coordinator.present()
  if (finished) return
  const pause = paused
    ? coordinator
        .history()
        .findLast(({ event, outcome }) => event === 'directive.pause' && outcome === 'accepted')
    : undefined
  for (const entry of membersOf(federation, coordinator.id)) {
    if (entry.status === 'archived') continue
    if (siteOf(federation.root, entry.domainId) !== undefined) {
      if (paused) await pauseElsewhere(federation, coordinator, entry, pause)
      else await resumeElsewhere(federation, coordinator, entry)
      continue
    }
    const member = await federation.openEntry(entry)
    const present = unless(FedError, () => member.present())
    // one that is damaged obeys nobody
    if (present === undefined) continue
    const isToPause = paused && !present.paused && !present.finished
    const isToResume = !paused && present.paused && present.context.pausedBy === coordinator.id
    if (!isToPause && !isToResume) continue
    const head = headOf(member)
    await tell(member.actor, coordinator.mailbox, {
      type: 'directive',
      subject: isToPause ? 'pause' : 'resume',
      body: isToPause ? `The goal of ${coordinator.id} is paused` : '',
      // somebody who has it go on while its goal is paused is not overruled
      id: goalSignalId(member.id, isToPause ? 0 : head.version, pause?.signal ?? 'resume'),
      timestamp: pause?.at ?? head.at,
    })
  }
}

/** Members at other sites are told by the mail that goes there; told again, they take it for the same. */
async function pauseElsewhere(
  federation: Federation,
  coordinator: Team,
  { domainId: to }: RegistryEntry,
  pause: { readonly signal: string; readonly at: string } | undefined,
): Promise<void> {
  const { version, at } = headOf(coordinator)
  await federation.send({
    from: coordinator.id,
    to,
    type: 'directive',
    subject: 'pause',
    body: `The goal of ${coordinator.id} is paused`,
    id: goalSignalId(to, 0, pause?.signal ?? String(version)),
    timestamp: pause?.at ?? at,
  })
}

async function resumeElsewhere(
  federation: Federation,
  coordinator: Team,
  entry: RegistryEntry,
): Promise<void> {
  const head = unless(FedError, () => lifecycleDocument(entry.location).read())
  const pausedBy = (head?.content.snapshot.context as { pausedBy?: string } | undefined)?.pausedBy
  if (head === undefined || phaseOf(head.content.snapshot) !== 'paused' || pausedBy !== coordinator.id) return
  await federation.send({
    from: coordinator.id,
    to: entry.domainId,
    type: 'directive',
    subject: 'resume',
    id: goalSignalId(entry.domainId, head.version, 'resume'),
    timestamp: head.content.at,
  })
}

/** Puts away what members told of their moves: it has been looked at. */
function settleMail(federation: Federation, coordinator: Team): void {
  const ids = new Set(membersOf(federation, coordinator.id).map(({ domainId }) => domainId))
  const told = coordinator.mailbox
    .unacknowledged()
    .filter((signal) => ids.has(signal.from) && toldMove(signal) !== undefined)
  if (told.length > 0) coordinator.mailbox.acknowledgeFiles(told.map(({ file }) => file))
}
