import { ofTask } from '../../machines/coordinator.ts'
import { FedError } from '../errors/fed-error.ts'
import { unless } from '../errors/unless.ts'
import { phaseOf } from '../engine/decide/phase.ts'
import { digestOf, documentsOf } from '../engine/step/goal-evidence.ts'
import { lifecycleDocument } from '../engine/step/lifecycle-document.ts'
import { adoptedPlan, contextOf, COORDINATOR, taskOfTeam } from '../engine/step/task-of-team.ts'
import { allEntries } from '../engine/step/world.ts'
import type { Federation } from '../federation/federation.ts'
import { layInputs } from '../federation/goal/inputs.ts'
import { memberOf, missionIdOf } from '../protocol/goal-names.ts'
import type { PlannedTask } from '../protocol/plan-schema.ts'
import type { SignalMessage } from '../protocol/signal.ts'
import { now } from '../protocol/time.ts'
import { initialStatus } from '../records/registry/move-status.ts'
import { siteOf } from '../federation/site-of-team.ts'
import type { Link } from './connection.ts'
import { keepShared } from './copies.ts'
import { append } from './line.ts'
import { beginning } from './line-entry.ts'
import type { View } from './line-view.ts'

/** A task that runs and that no site has taken. */
interface Offer {
  readonly goal: string
  readonly team: string
  readonly task: PlannedTask
}

/** Tasks of all goals that run and that no site has taken, as far as this site can do them. */
function offers(federation: Federation, view: View, labels: readonly string[]): Offer[] {
  const here = new Set(federation.registry.read().teams.map(({ domainId }) => domainId))
  return allEntries(federation)
    .filter(({ archetypeId, status }) => archetypeId === COORDINATOR && (status ?? 'active') === 'active')
    .flatMap(({ domainId: goal }) => {
      const context = contextOf(federation, goal)
      const plan = context && adoptedPlan(context)
      return (plan?.tasks ?? []).flatMap((task): Offer[] => {
        const team = memberOf(goal, task.id)
        const known = view.team(team)
        const isFree = (known === undefined || known.isGone === true) && !here.has(team)
        const isRunning = context !== undefined && ofTask(context.tasks, task.id)?.state === 'running'
        const fits = (task.needs ?? []).every((label) => labels.includes(label))
        return isFree && isRunning && fits ? [{ goal, team, task }] : []
      })
    })
}

/**
 * How many teams of goals work at this site.
 * @param isMeant of which coordinators; all when left out.
 */
export function membersAtWork(
  federation: Federation,
  isMeant: (coordinator: string | undefined) => boolean = () => true,
): number {
  return federation.registry.read().teams.filter(({ coordinator, status, location }) => {
    if (coordinator === undefined || status === 'archived' || !isMeant(coordinator)) return false
    const head = unless(FedError, () => lifecycleDocument(location).read())
    return head !== undefined && phaseOf(head.content.snapshot) !== 'finished'
  }).length
}

/**
 * Takes tasks of goals for this site, as many as it has free slots: whoever begins a team's line first has its task. The
 * team is made by the next look.
 * @param slots how many teams of goals may work here at once.
 * @throws {LinkDownError}
 */
export async function takeTasks(
  federation: Federation,
  link: Link,
  view: View,
  slots: number,
): Promise<string[]> {
  if (slots === 0) return []
  const open = offers(federation, view, link.record.labels)
  const taken: string[] = []
  let free = open.length === 0 ? 0 : slots - membersAtWork(federation)
  for (const { goal, team, task } of open) {
    if (free <= 0) break
    const archetype = await federation.archetype(task.archetype).catch((error: unknown) => {
      // an archetype that is not known here is another site's to do
      if (error instanceof FedError) return undefined
      throw error
    })
    if (archetype === undefined) continue
    const own = allEntries(federation).find(({ domainId }) => domainId === goal)
    const agent = task.agent ?? own?.agent
    const at = now()
    const said = beginning(view.team(team), {
      site: link.record.site,
      entry: {
        domain: team,
        domainId: team,
        archetypeId: archetype.id,
        placementType: archetype.placement,
        onboardedAt: at,
        status: initialStatus(),
        coordinator: goal,
        ...(agent !== undefined && { agent }),
      },
    })
    const done = await append(link, view, team, said, `${said.site}.${team}.${said.epoch}.take.${at}`)
    if (done !== 'done') continue
    taken.push(team)
    free -= 1
  }
  return taken
}

/**
 * Makes a team ready for the mission that its coordinator at another site gives it: what it works from is laid before
 * it, and what it did before is put away.
 * @throws {LinkDownError} where a document cannot be fetched now.
 */
export async function makeReady(
  federation: Federation,
  link: Pick<Link, 'files'>,
  { to, from, type, id }: SignalMessage,
): Promise<void> {
  if (type !== 'directive') return
  const entry = federation.registry.read().teams.find(({ domainId }) => domainId === to)
  if (entry?.coordinator !== from) return
  const goal = taskOfTeam(federation, entry)
  if (goal === undefined) return
  const { task, context } = goal
  const attempt = ofTask(context.tasks, task.id)?.context.attempt ?? 0
  if (id !== missionIdOf(context.mission?.signal ?? '', task.id, attempt)) return
  const team = await federation.openEntry(entry)
  const present = team.present()
  if (present.context.mission?.signal === id) return
  const wanted = documentsOf({ team: from, world: federation }, context).filter((one) =>
    task.after.includes(one.task),
  )
  for (const document of wanted)
    if (digestOf(document.file) !== document.proof && siteOf(federation.root, document.team) !== undefined)
      await keepShared(federation.root, link, document.team, {
        name: federation.config.deliverable,
        digest: document.proof,
      })
  layInputs(entry, wanted)
  if (present.finished) await team.reset(present.missionNumber)
}
