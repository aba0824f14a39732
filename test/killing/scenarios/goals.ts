import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Federation } from '../../../src/federation/federation.ts'
import { coordinate } from '../../../src/federation/goal/coordinate.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import type { Team } from '../../../src/federation/team.ts'
import { goodDocument } from '../../support/samples.ts'
import { finish } from '../../support/goal.ts'
import { fed } from '../counted-process.ts'
import type { FederationFacts } from '../federation-facts.ts'
import type { Scenario } from '../scenario.ts'
import { federationOf } from './prepared.ts'
import { isIn, team } from './steps.ts'

const plan = `goal: Document the storage
tasks:
  - { id: first, mission: Document src/app.ts }
  - { id: second, mission: Document src/app.ts again, after: [first] }
gather: One guide
`

/** A goal whose plan waits to be approved. */
async function planned(root: string): Promise<Team> {
  await federationOf(root)
  const coordinator = await new Federation(root).onboard({ domain: 'goal', archetype: 'coordinator' })
  await beginMission(coordinator, 'Document the storage')
  writeFileSync(path.join(coordinator.actor.workspace, 'plan.yaml'), plan)
  await coordinator.tell({ type: 'report', subject: 'plan-ready', body: '' })
  return coordinator
}

/** The same, with its first tasks so far as they come. */
async function under(root: string, done: readonly string[]): Promise<void> {
  const coordinator = await planned(root)
  await coordinator.direct('approve-plan', '')
  const federation = new Federation(root)
  await coordinate(federation, await federation.team('goal'))
  for (const id of done) {
    await finish(await federation.team(`goal-${id}`))
    if (id !== done.at(-1)) await coordinate(federation, await federation.team('goal'))
  }
}

/** Each task has a team and one mission, as far as its goal has come. */
function* tasksAre(now: FederationFacts, states: Readonly<Record<string, string>>): Iterable<string> {
  const { context } = (team(now, 'goal').commits.at(-1) as { snapshot: unknown }).snapshot as {
    context: { tasks: Record<string, { state: string; context: { attempt: number } }> }
  }
  for (const [id, state] of Object.entries(states)) {
    const standing = context.tasks[id]
    if (standing?.state !== state) yield `${id} is ${standing?.state}, not ${state}`
    if (state === 'waiting') continue
    if (standing?.context.attempt !== 1) yield `${id} is at attempt ${standing?.context.attempt}`
    const given = team(now, `goal-${id}`).commits.flatMap(({ handled }) =>
      (handled as readonly { event?: string; outcome: string }[]).filter(
        ({ event, outcome }) => event?.startsWith('directive.document') === true && outcome === 'accepted',
      ),
    )
    if (given.length !== 1) yield `${id} was given its mission ${given.length} times`
  }
}

export const goalBegins: Scenario = {
  name: 'goal: the first task begins',
  async prepare(root) {
    await (await planned(root)).direct('approve-plan', '')
  },
  act: (root) => fed(root, 'monitor'),
  again: [1],
  end: (now) => tasksAre(now, { first: 'running', second: 'waiting' }),
}

export const goalGoesOn: Scenario = {
  name: 'goal: a task is proven, and the next begins with its document',
  prepare: (root) => under(root, ['first']),
  act: (root) => fed(root, 'monitor'),
  again: [1],
  *end(now) {
    yield* tasksAre(now, { first: 'done', second: 'running' })
    const { workspace } = team(now, 'goal-second')
    yield* sameDocument(path.join(workspace, 'inputs', 'first.md'))
  },
}

export const goalGathers: Scenario = {
  name: 'goal: what is gathered lies before the coordinator',
  prepare: (root) => under(root, ['first', 'second']),
  act: (root) => fed(root, 'monitor'),
  again: [1],
  *end(now) {
    yield* tasksAre(now, { first: 'done', second: 'done' })
    yield* isIn(now, 'goal', 'gathering')
    const { workspace } = team(now, 'goal')
    for (const id of ['first', 'second']) yield* sameDocument(path.join(workspace, 'inputs', `${id}.md`))
  },
}

function* sameDocument(file: string): Iterable<string> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (text !== goodDocument) yield `${file} is ${text === undefined ? 'not there' : 'another'}`
}

export const goalPauses: Scenario = {
  name: 'goal: paused with its teams',
  prepare: (root) => under(root, []),
  act: (root) => fed(root, 'goal', 'stop', 'goal'),
  again: [5],
  *end(now) {
    yield* isIn(now, 'goal', 'paused')
  },
}
