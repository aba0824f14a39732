import { createHash } from 'node:crypto'
import path from 'node:path'
import type { CoordinatorContext } from '../../../machines/coordinator.ts'
import { ofTask } from '../../../machines/coordinator.ts'
import type { Evidence, TeamContext } from '../../../machines/team-event.ts'
import { printable } from '../../errors/printable.ts'
import { unless } from '../../errors/unless.ts'
import { FedError } from '../../errors/fed-error.ts'
import { ifPlain, readPlain } from '../../platform/storage/plain-file.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { inputFile, workspaceLayout } from '../../protocol/folder-layout.ts'
import { largestPlanBytes, memberOf, missionIdOf, planFiles } from '../../protocol/goal-names.ts'
import type { Plan, PlannedTask } from '../../protocol/plan-schema.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { teamIdSchema } from '../../protocol/team-id.ts'
import { now } from '../../protocol/time.ts'
import type { Lifecycle } from '../decide/lifecycle.ts'
import { leafOfValue, phaseOf } from '../decide/phase.ts'
import { nextMoves, type ScheduleFacts, type TeamFacts } from '../decide/schedule.ts'
import { checkDeliverableOf, deliverableFileOf } from './deliverable-evidence.ts'
import { lifecycleDocument } from './lifecycle-document.ts'
import { adoptedPlan } from './task-of-team.ts'
import { allEntries, type Actor } from './world.ts'

/** How many faults of a plan are kept at most, in the evidence and so in the history. */
const mostProblems = 50

/** The plan in a coordinator's workspace, or what is wrong with it. */
export async function planEvidence({
  team,
  workspace,
  world,
}: Actor): Promise<NonNullable<Evidence['plan']>> {
  const { readPlan } = await import('../../records/plan/read-plan.ts')
  const file = planFiles.find((name) => ifPlain(path.join(workspace, name), () => true))
  const nothing = (message: string) => ({ problems: [{ line: 1, message }], goal: null })
  if (file === undefined) return nothing(`there is no ${planFiles[0]} in ${workspace}`)
  const bytes = unless([FedError, isSystemError], () =>
    readPlain(path.join(workspace, file), { largestBytes: largestPlanBytes }),
  )
  if (bytes === undefined)
    return nothing(`${file} cannot be read, or has more than ${largestPlanBytes} bytes`)
  const { plan, problems } = readPlan(bytes.toString('utf8'), await world.knownToPlans())
  const unnamed = (plan?.tasks ?? []).filter(({ id }) => !teamIdSchema.safeParse(memberOf(team, id)).success)
  const told = [
    ...problems.map(({ line, path: at, message }) => ({
      line,
      message: at === '' ? message : `${at}: ${message}`,
    })),
    ...unnamed.map(({ id }) => ({
      line: 1,
      message: `task ${id}: its team's name, ${memberOf(team, id)}, would be too long`,
    })),
  ]
  return { problems: told.slice(0, mostProblems), goal: told.length === 0 ? (plan ?? null) : null }
}

/** What happens next to the tasks of a goal. */
export async function dueMoves(
  actor: Actor,
  context: CoordinatorContext,
): Promise<NonNullable<Evidence['moves']>> {
  const plan = adoptedPlan(context)
  if (plan === undefined) return []
  return nextMoves(plan, await scheduleFacts(actor, context, plan))
}

/** So many tasks of a goal are under way at once where its plan says nothing. */
const usualParallel = 16

async function scheduleFacts(actor: Actor, context: CoordinatorContext, plan: Plan): Promise<ScheduleFacts> {
  const entries = new Map(allEntries(actor.world).map((entry) => [entry.domainId, entry]))
  const teams = new Map<string, TeamFacts>()
  for (const task of plan.tasks) {
    const standing = ofTask(context.tasks, task.id)
    if (standing?.state !== 'running' && standing?.state !== 'proving') continue
    const { attempt } = standing.context
    const facts = await factsOf(actor, context, task, attempt, entries.get(memberOf(actor.team, task.id)))
    if (facts !== undefined) teams.set(task.id, facts)
  }
  return {
    slots: plan.parallel ?? usualParallel,
    tasks: new Map(Object.entries(context.tasks)),
    teams,
    answers: new Map(Object.entries(context.answers)),
    now: now(),
  }
}

/** What is known of the team of a task; undefined while it has not its mission. */
async function factsOf(
  actor: Actor,
  context: CoordinatorContext,
  task: PlannedTask,
  attempt: number,
  entry: RegistryEntry | undefined,
): Promise<TeamFacts | undefined> {
  const failed = (reason: string): TeamFacts => ({
    attempt,
    phase: 'failed',
    waits: false,
    reason,
    proof: null,
  })
  const trouble = readTrouble(actor, task.id, attempt)
  if (trouble !== undefined) return failed(trouble)
  if (entry === undefined) return undefined
  if (entry.coordinator !== actor.team)
    return failed(`there is a team ${entry.domainId} already, which is not of this goal`)
  const head = unless([FedError, isSystemError], () => lifecycleDocument(entry.location).read())?.content
  if (head === undefined) return undefined
  const member = head.snapshot.context as Partial<TeamContext>
  if (member.mission?.signal !== missionIdOf(context.mission?.signal ?? '', task.id, attempt))
    return undefined
  const proof = await provenBy(actor, entry, head)
  if (phaseOf(head.snapshot) !== 'finished') {
    // one that answers questions goes on doing so
    const isReady = entry.archetypeId === 'consultant' && proof !== null
    return {
      attempt,
      phase: isReady ? 'complete' : 'working',
      waits: waitsForOthers(head),
      reason: null,
      proof: isReady ? proof : null,
    }
  }
  if (member.failure != null) return failed(member.failure.reason)
  return proof === null
    ? failed(
        `its document ${actor.world.config.deliverable} is gone, or below the standards; 'fed check' says more`,
      )
    : { attempt, phase: 'complete', waits: false, reason: null, proof }
}

const waitingStates: ReadonlySet<string> = new Set(['pr-open', 'ready', 'coordinating', 'awaiting-approval'])

/** Whether no agent of a team has anything to do. */
function waitsForOthers({ snapshot }: Lifecycle): boolean {
  return snapshot.value === 'paused' || waitingStates.has(leafOfValue(snapshot.value))
}

/** What proves the work of a team that is complete; null where nothing does. */
async function provenBy(
  { world }: Actor,
  { archetypeId, location }: RegistryEntry,
  head: Lifecycle,
): Promise<string | null> {
  if (archetypeId === 'consultant')
    return leafOfValue(head.snapshot.value) === 'ready' ? 'its index is built' : null
  if (archetypeId === 'coding') {
    const merged = head.handled.findLast(({ event }) => event === 'directive.merged')
    const merge = merged?.evidence?.['merge'] as Evidence['merge'] | undefined
    const how = merge?.proof === 'squash' ? 'one commit' : (merge?.proof ?? 'commits')
    return merge === undefined ? 'it is merged' : `in ${merge.target} by ${how}`
  }
  const digest = digestOf(path.join(location, world.config.deliverable))
  if (archetypeId !== 'deliverable') return digest ?? `version ${head.version} of its lifecycle`
  return digest !== undefined && (await isSound({ workspace: location, world }, digest)) ? digest : null
}

/** Digests of documents that were found without a fault, by this process. */
const sound = new Set<string>()

/** Whether a document meets the standards now, whatever its lifecycle says. */
async function isSound(team: Pick<Actor, 'workspace' | 'world'>, digest: string): Promise<boolean> {
  if (sound.has(digest)) return true
  const { problems } = await checkDeliverableOf(team)
  if (problems.length === 0 && digestOf(deliverableFileOf(team)) === digest) sound.add(digest)
  return sound.has(digest)
}

/** A file's digest; undefined where no plain file is. */
export function digestOf(file: string): string | undefined {
  const bytes = unless([FedError, isSystemError], () => readPlain(file, { largestBytes: Infinity }))
  return bytes === undefined ? undefined : `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/**
 * Documents of a goal's tasks that are gone, and those that were changed of which the coordinator has no copy as they
 * were proven, a line each.
 */
export function lostInputs(actor: Actor, { tasks }: Pick<CoordinatorContext, 'tasks'>): string[] {
  const place = { location: actor.workspace, placementType: 'directory' } as const
  return documentsOf(actor, { tasks }).flatMap((document) => {
    const { task, file, proof } = document
    const digest = digestOf(file)
    if (digest === undefined) return [`${task}: ${file} is gone`]
    const isThere = digest === proof || digestOf(inputFile(place, document)) === proof
    return isThere ? [] : [`${task}: ${file} was changed since it was proven`]
  })
}

/** A document that a task of a goal proved. */
export interface ProvenDocument {
  readonly task: string
  readonly team: string
  /** Absolute path, in the workspace of the task's team. */
  readonly file: string
  readonly proof: string
}

/** The documents that the tasks of a goal proved, in the order of their names. */
export function documentsOf(
  { team, world }: Pick<Actor, 'team' | 'world'>,
  { tasks }: Pick<CoordinatorContext, 'tasks'>,
): ProvenDocument[] {
  const entries = new Map(allEntries(world).map((entry) => [entry.domainId, entry]))
  return Object.entries(tasks)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([task, { state, context }]) => {
      const member = memberOf(team, task)
      const location = entries.get(member)?.location
      if (state !== 'done' || location === undefined || !context.proof?.startsWith('sha256:')) return []
      return [
        { task, team: member, file: path.join(location, world.config.deliverable), proof: context.proof },
      ]
    })
}

/** Where it is noted why an attempt at a task could not begin. */
export function troubleFile({ workspace }: Pick<Actor, 'workspace'>, task: string, attempt: number): string {
  return path.join(workspaceLayout(workspace).troubles, `${task}-${attempt}.txt`)
}

function readTrouble(actor: Actor, task: string, attempt: number): string | undefined {
  const bytes = unless('ENOENT', () => readPlain(troubleFile(actor, task, attempt)))
  return bytes === undefined ? undefined : printable(bytes.toString('utf8'), 2000)
}
