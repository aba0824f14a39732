import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { CoordinatorContext } from '../../machines/coordinator.ts'
import { adoptedPlan } from '../../src/engine/step/task-of-team.ts'
import { Federation } from '../../src/federation/federation.ts'
import { beginTask } from '../../src/federation/goal/begin-task.ts'
import { coordinate } from '../../src/federation/goal/coordinate.ts'
import { goalStatus } from '../../src/federation/goal/goal-status.ts'
import { beginMission } from '../../src/federation/mission.ts'
import type { Team } from '../../src/federation/team.ts'
import { newFederation } from './federation.ts'
import { findSomething, goodDocument } from './samples.ts'

/** A coordinator with a goal, as a process that has just started finds it. */
export async function goalOf(root: string, id = 'goal') {
  const federation = new Federation(root)
  const coordinator = await federation.team(id)
  const context = coordinator.present().context as CoordinatorContext
  return { federation, coordinator, context, plan: adoptedPlan(context) }
}

/** A federation with a coordinator `goal` whose plan was approved. */
export async function goalWith(plan: string, root = newFederation()): Promise<string> {
  const federation = new Federation(root)
  const coordinator = await federation.onboard({ domain: 'goal', archetype: 'coordinator' })
  await beginMission(coordinator, 'Document the storage')
  writeFileSync(path.join(coordinator.actor.workspace, 'plan.yaml'), plan)
  for (const told of [
    await coordinator.tell({ type: 'report', subject: 'plan-ready', body: '' }),
    await coordinator.direct('approve-plan', ''),
  ])
    if (told.entry?.outcome !== 'accepted') throw new Error(told.entry?.refusal?.message)
  return root
}

/** Moves the goal on as far as it goes; returns its tasks' states. */
export async function movedOn(root: string): Promise<Record<string, string>> {
  const { federation, coordinator } = await goalOf(root)
  await coordinate(federation, coordinator)
  return stateOfTasks(root)
}

export async function stateOfTasks(root: string): Promise<Record<string, string>> {
  const { context } = await goalOf(root)
  return Object.fromEntries(Object.entries(context.tasks).map(([id, { state }]) => [id, state]))
}

/** What a person is asked. */
export async function needsOf(root: string): Promise<readonly string[]> {
  const { federation, coordinator } = await goalOf(root)
  return (await goalStatus(federation, coordinator)).needs
}

/** Has the team of a task do its work, or say why it cannot. */
export async function finish(member: Team, how: 'complete' | 'failed' = 'complete'): Promise<void> {
  const say = (type: 'report' | 'alert', subject: string) =>
    member.tell({ type, subject, body: subject === 'mission-planned' ? 'Read src/app.ts' : 'it broke' })
  if (how === 'failed') {
    await say('alert', 'information-missing')
    return
  }
  findSomething(member.actor.workspace, member.id)
  writeFileSync(path.join(member.actor.workspace, 'deliverable.md'), goodDocument)
  for (const subject of ['mission-planned', 'files-read', 'patterns-identified', 'document-written'])
    await say('report', subject)
  if (member.present().state !== 'complete') throw new Error(`${member.id} is ${member.present().state}`)
}

/** Begins the teams of tasks that run, and has each come to an end. */
export async function work(root: string, id: string, how: 'begun' | 'complete' | 'failed'): Promise<void> {
  const { federation, coordinator, context, plan } = await goalOf(root, id)
  for (const task of plan?.tasks ?? []) {
    if (context.tasks[task.id]?.state !== 'running' || plan === undefined) continue
    await beginTask(federation, { coordinator, context, plan }, task)
    if (how !== 'begun') await finish(await federation.team(`${id}-${task.id}`), how)
  }
}
