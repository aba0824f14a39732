// Proves that a coordinator makes every transition that its machine declares, some in each run, in a real federation with teams that do
// what is told of them, and refuses every other event; and that a task moves by what stands in its team's files alone.
// Fails when a state takes an event that nobody meant for it, when a word stands for a proof, or when files and machine
// part ways.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { getAdjacencyMap } from '@xstate/graph'
import type { AnyMachineSnapshot, AnyStateNode } from 'xstate'
import { expect, test } from 'vitest'
import { coordinator, type CoordinatorContext } from '../../machines/coordinator.ts'
import type { TeamEvent } from '../../machines/team-event.ts'
import { nextMoves, type TeamFacts } from '../../src/engine/decide/schedule.ts'
import { Federation } from '../../src/federation/federation.ts'
import { layInputs } from '../../src/federation/goal/inputs.ts'
import { documentsOf } from '../../src/engine/step/goal-evidence.ts'
import type { PlannedTask } from '../../src/protocol/plan-schema.ts'
import type { SignalType } from '../../src/protocol/signal.ts'
import { declaredTransitions, takenBy } from '../support/graph.ts'
import { goalOf, work } from '../support/goal.ts'
import { goodDocument } from '../support/samples.ts'
import { TestTeam } from '../support/test-team.ts'
import { isThorough, oneOfEach, someOf } from '../support/thorough.ts'

const planText = `goal: Document the storage
tasks:
  - id: first
    mission: Document src/app.ts
    attempts: 1
    gate: { ask: Begin?, within: 4h, otherwise: stop }
  - id: second
    mission: Document src/app.ts again
    after: [first]
    attempts: 1
`
const tasks: PlannedTask[] = [
  {
    id: 'first',
    archetype: 'deliverable',
    mission: 'Document src/app.ts',
    after: [],
    attempts: 1,
    gate: { ask: 'Begin?', within: '4h', otherwise: 'stop' },
  },
  {
    id: 'second',
    archetype: 'deliverable',
    mission: 'Document src/app.ts again',
    after: ['first'],
    attempts: 1,
  },
]
const gather = 'One guide'
const figures = { sizeBytes: 1, words: 1, sections: 1, codeExamples: 1, diagrams: 0 }
const at = '2026-01-01T00:00:00.000Z'

/** One thing that happens to a coordinator: as its model is told it, and how it is made true on the disk. */
interface Act {
  readonly name: string
  readonly from: 'meta' | 'self'
  readonly type: SignalType
  readonly subject: string
  readonly body?: string
  readonly evidence?: (context: CoordinatorContext) => TeamEvent['evidence']
  readonly arrange?: (team: TestTeam) => Promise<void> | void
}

/** What follows for the tasks where the teams at work have come so far. */
function movesFor(context: CoordinatorContext, atWork: 'working' | 'complete' | 'failed') {
  const facts = Object.entries(context.tasks).flatMap(
    ([id, { state, context: of }]): [string, TeamFacts][] => {
      if (state !== 'running' && state !== 'proving') return []
      const phase = state === 'proving' ? 'complete' : atWork
      const proof = phase === 'complete' ? 'sha256:0' : null
      const reason = phase === 'failed' ? 'it broke' : null
      return [[id, { attempt: of.attempt, phase, waits: false, reason, proof }]]
    },
  )
  return nextMoves(
    { tasks },
    {
      slots: 16,
      tasks: new Map(Object.entries(context.tasks)),
      teams: new Map(facts),
      answers: new Map(Object.entries(context.answers)),
      now: at,
    },
  )
}

const writePlan = (team: TestTeam, text: string) =>
  writeFileSync(path.join(team.workspace, 'plan.yaml'), text)

const moved = (
  name: string,
  atWork: Parameters<typeof movesFor>[1],
  how: Parameters<typeof work>[2],
): Act => ({
  name,
  from: 'self',
  type: 'report',
  subject: 'tasks-moved',
  evidence: (context) => ({ moves: movesFor(context, atWork) }),
  arrange: (team) => work(team.root, team.id, how),
})
const word = (from: Act['from'], type: SignalType, subject: string, body = ''): Act => ({
  name: `${type}.${subject} ${body}`.trim(),
  from,
  type,
  subject,
  body,
})
const ended = (how: Act): Act => ({
  ...how,
  evidence: (context) => ({ moves: movesFor(context, 'working') }),
})

const acts: readonly Act[] = [
  word('meta', 'directive', 'Document the storage', 'In one guide'),
  {
    ...word('self', 'report', 'plan-ready'),
    evidence: () => ({ plan: { problems: [], goal: { tasks, gather } } }),
    arrange: (team) => writePlan(team, `${planText}gather: ${gather}\n`),
  },
  {
    ...word('self', 'report', 'plan-ready'),
    name: 'report.plan-ready without a result',
    evidence: () => ({ plan: { problems: [], goal: { tasks } } }),
    arrange: (team) => writePlan(team, planText),
  },
  word('meta', 'directive', 'approve-plan'),
  word('meta', 'directive', 'changes-requested', 'Smaller'),
  moved('tasks move by themselves', 'working', 'begun'),
  moved('tasks move by what teams proved', 'complete', 'complete'),
  moved('tasks move by what failed', 'failed', 'failed'),
  ended(word('self', 'report', 'tasks-ended')),
  word('meta', 'directive', 'answer-gate', 'first yes'),
  word('meta', 'directive', 'answer-gate', 'first no'),
  word('meta', 'directive', 'retry-task', 'first'),
  word('self', 'report', 'retry-task', 'first differently'),
  ended(word('self', 'report', 'failures-settled', 'Without it')),
  ended(word('meta', 'directive', 'settle-failures')),
  {
    ...word('self', 'report', 'result-gathered'),
    evidence: () => ({
      lostInputs: [],
      deliverable: { problems: [], figures },
      codebase: { verdict: 'unchanged', changes: [] },
    }),
    arrange: async (team) => {
      const { federation, coordinator: opened, context } = await goalOf(team.root, team.id)
      layInputs(federation.registry.entry(team.id), documentsOf(opened.actor, context))
      writeFileSync(path.join(team.workspace, 'deliverable.md'), goodDocument)
    },
  },
  word('meta', 'directive', 'pause'),
  word('meta', 'directive', 'resume'),
  ...['information-missing', 'source-inaccessible', 'structure-undetermined', 'session-exhausted'].map(
    (one) => word('self', 'alert', one, 'it is not'),
  ),
  word('self', 'alert', 'codebase-modified', 'it is not'),
]

function eventOf(act: Act, { context }: AnyMachineSnapshot): TeamEvent {
  return {
    type: `${act.type}.${act.subject.toLowerCase().replaceAll(' ', '-')}`,
    signal: {
      id: act.name,
      at,
      from: act.from === 'self' ? 'team' : 'meta',
      subject: act.subject,
      body: act.body ?? '',
    },
    evidence: act.evidence?.(context as CoordinatorContext) ?? {},
  }
}

interface Situation {
  readonly name: string
  readonly snapshot: AnyMachineSnapshot
  readonly path: readonly Act[]
}

function nameOf({ value, context, historyValue }: AnyMachineSnapshot): string {
  const { mission, plan, tasks: standings, settlements, answers } = context as CoordinatorContext
  const left = Object.values(historyValue).flatMap((nodes) => (nodes as AnyStateNode[]).map(({ key }) => key))
  const stands = Object.entries(standings).map(
    ([id, { state, context: of }]) => `${id} ${state} ${of.attempt}`,
  )
  return [
    typeof value === 'string' ? value : Object.values(value).join(),
    value === 'paused' ? `in ${left.join()}` : '',
    mission === null ? 'without a mission' : '',
    plan === null ? '' : plan.gather === undefined ? 'without a result' : 'with a plan',
    ...stands,
    settlements > 0 ? `settled ${settlements}` : '',
    ...Object.entries(answers).map(([id, { isYes }]) => `${id} ${isYes ? 'allowed' : 'refused'}`),
  ]
    .filter((part) => part !== '')
    .join(', ')
}

/** More attempts lead nowhere else. */
const isNew = ({ context }: AnyMachineSnapshot, { subject }: Act) =>
  subject !== 'retry-task' || ((context as CoordinatorContext).tasks['first']?.context.attempt ?? 0) < 2

interface Vertex {
  readonly state: unknown
  readonly transitions: Readonly<Record<string, { readonly event: unknown; readonly state: unknown }>>
}

const adjacency = getAdjacencyMap(coordinator, {
  input: { team: 'team' },
  events: (snapshot) =>
    acts
      .filter((act) => isNew(snapshot as AnyMachineSnapshot, act))
      .map((act) => eventOf(act, snapshot as AnyMachineSnapshot))
      .filter((event) => snapshot.can(event)) as never[],
  serializeState: (snapshot) => nameOf(snapshot as AnyMachineSnapshot),
  serializeEvent: (event) => (event as TeamEvent).signal.id,
  limit: 20_000,
}) as unknown as Readonly<Record<string, Vertex>>

/** Every situation with the shortest way there. */
function situationsOf(): Situation[] {
  const first = Object.entries(adjacency)[0]
  if (first === undefined) return []
  const found = new Map<string, Situation>([
    [first[0], { name: first[0], snapshot: first[1].state as AnyMachineSnapshot, path: [] }],
  ])
  // what is added meanwhile is looked at as well
  for (const { name, path: way } of found.values())
    for (const { event, state } of Object.values(adjacency[name]?.transitions ?? {})) {
      const target = nameOf(state as AnyMachineSnapshot)
      const act = acts.find((one) => one.name === (event as TeamEvent).signal.id) as Act
      if (!found.has(target))
        found.set(target, { name: target, snapshot: state as AnyMachineSnapshot, path: [...way, act] })
    }
  return [...found.values()]
}
const situations = situationsOf()

const edges = situations.flatMap((source) =>
  Object.values(adjacency[source.name]?.transitions ?? {}).map(({ event, state }) => {
    const act = acts.find((one) => one.name === (event as TeamEvent).signal.id) as Act
    return {
      source,
      act,
      target: state as AnyMachineSnapshot,
      declared: takenBy(source.snapshot, event as TeamEvent),
    }
  }),
)

async function take(team: TestTeam, act: Act) {
  await act.arrange?.(team)
  const opened = await team.open()
  if (act.from === 'meta') return opened.direct(act.subject, act.body ?? '')
  return opened.tell({ type: act.type, subject: act.subject, body: act.body ?? '' })
}

function standingOf(snapshot: Pick<AnyMachineSnapshot, 'value' | 'context'>) {
  const {
    tasks: standings,
    plan,
    answers,
    settlements,
    failure,
    figures: measured,
  } = snapshot.context as CoordinatorContext
  return {
    value: snapshot.value,
    tasks: Object.fromEntries(
      Object.entries(standings).map(([id, { state, context }]) => [
        id,
        `${state} ${context.attempt} ${context.moves}`,
      ]),
    ),
    plan: plan?.tasks.map(({ id }) => id),
    gather: plan?.gather,
    answers: Object.entries(answers).map(([id, { isYes, by }]) => `${id} ${isYes} ${by}`),
    settlements,
    failure: failure?.reason,
    measured: measured !== null,
  }
}

test('the model has the situations that a goal can be in', () => {
  expect(situations.length).toBeGreaterThan(100)
  expect(new Set(situations.map(({ snapshot }) => nameOf(snapshot).split(',')[0]))).toEqual(
    new Set(['planning', 'awaiting-approval', 'coordinating', 'gathering', 'paused', 'complete', 'failed']),
  )
})

const walked = new Set<string>()
const shortest = edges.toSorted((one, other) => one.source.path.length - other.source.path.length)
test.each(
  someOf(
    oneOfEach(shortest, ({ declared, act }) => `${declared} ${act.name}`),
    30,
  ).map((edge) => ({
    ...edge,
    title: `${edge.source.name}: ${edge.act.name}`,
  })),
)('$title', { timeout: 60_000 }, async ({ source, act, target, declared }) => {
  const team = await TestTeam.begin('coordinator')
  for (const one of source.path) expect((await take(team, one)).entry?.outcome, one.name).toBe('accepted')
  expect(standingOf(team.head().snapshot)).toEqual(standingOf(source.snapshot))
  expect((await take(team, act)).entry?.outcome).toBe('accepted')
  expect(standingOf(team.head().snapshot)).toEqual(standingOf(target))
  walked.add(declared)
})

test.runIf(isThorough)('every declared transition was walked', () => {
  const missing = declaredTransitions(coordinator).filter((one) => !walked.has(one))
  expect(missing).toEqual([])
})

// one situation for each leaf, the one with the most tasks behind it
const leaves = new Map<string, Situation>()
for (const situation of situations) leaves.set(situation.name.split(',')[0] as string, situation)

test.each(someOf([...leaves.values()], 3))(
  'refused in $name',
  { timeout: 60_000 },
  async ({ path: way, snapshot }) => {
    const team = await TestTeam.begin('coordinator')
    for (const one of way) await take(team, one)
    // nothing is gathered, and no plan is there, until somebody writes it
    for (const file of ['deliverable.md', 'plan.yaml'])
      rmSync(path.join(team.workspace, file), { force: true })
    const deferred =
      (snapshot.getMeta()['coordinator.paused'] as { defers?: string[] } | undefined)?.defers ?? []
    for (const act of acts) {
      const { type } = eventOf(act, snapshot)
      const isWaiting = deferred.some((one) => one === type || (one === 'directive.*' && act === acts[0]))
      const isGone = act.subject === 'plan-ready' || act.subject === 'result-gathered'
      const event = { ...eventOf(act, snapshot), ...(isGone && { evidence: {} }) }
      if (
        snapshot.can(event as never) ||
        isWaiting ||
        act.subject === 'tasks-moved' ||
        act.subject === 'tasks-ended'
      )
        continue
      const before = team.head()
      const { entry } = await (act.from === 'meta'
        ? (await team.open()).direct(act.subject, act.body ?? '')
        : (await team.open()).tell({ type: act.type, subject: act.subject, body: act.body ?? '' }))
      expect([act.name, entry?.outcome]).toEqual([act.name, 'refused'])
      expect(team.head().snapshot).toEqual(before.snapshot)
    }
  },
)

test('a word moves no task: what a team says counts nothing until its lifecycle says it', async () => {
  const team = await TestTeam.begin('coordinator')
  for (const name of [
    'directive.Document the storage In one guide',
    'report.plan-ready',
    'directive.approve-plan',
    'tasks move by themselves',
    'directive.answer-gate first yes',
    'tasks move by themselves',
    'tasks move by themselves',
  ])
    expect((await take(team, acts.find((act) => act.name === name) as Act)).entry?.outcome, name).toBe(
      'accepted',
    )
  await work(team.root, team.id, 'begun')
  const federation = new Federation(team.root)
  await federation.send({
    from: 'team-first',
    to: 'team',
    type: 'report',
    subject: 'tasks-moved',
    body: 'first is done',
  })
  await federation.send({
    from: 'team-first',
    to: 'team',
    type: 'directive',
    subject: 'settle-failures',
    body: '',
  })
  const { entry } = await (
    await team.open()
  ).tell({ type: 'report', subject: 'tasks-moved', body: 'first done sha256:1' })
  expect(entry).toMatchObject({ outcome: 'refused', refusal: { kind: 'guard-refused' } })
  const { tasks: standings } = team.head().snapshot.context as unknown as CoordinatorContext
  expect(standings['first']?.state).toBe('running')
})
