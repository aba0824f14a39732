import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { getAdjacencyMap } from '@xstate/graph'
import type { AnyMachineSnapshot, AnyStateNode } from 'xstate'
import { coordinator, type CoordinatorContext } from '../../machines/coordinator.ts'
import type { TeamEvent } from '../../machines/team-event.ts'
import { documentsOf } from '../../src/engine/step/goal-evidence.ts'
import { nextMoves, type TeamFacts } from '../../src/engine/decide/schedule.ts'
import { layInputs } from '../../src/federation/goal/inputs.ts'
import type { PlannedTask } from '../../src/protocol/plan-schema.ts'
import type { SignalType } from '../../src/protocol/signal.ts'
import { goalOf, work } from './goal.ts'
import { takenBy } from './graph.ts'
import { goodDocument } from './samples.ts'
import type { TestTeam } from './test-team.ts'

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
export interface Act {
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

export const acts: readonly Act[] = [
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

export function eventOf(act: Act, { context }: AnyMachineSnapshot): TeamEvent {
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

export interface Situation {
  readonly name: string
  readonly snapshot: AnyMachineSnapshot
  readonly path: readonly Act[]
}

export function nameOf({ value, context, historyValue }: AnyMachineSnapshot): string {
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
export const situations = situationsOf()

export const edges = situations.flatMap((source) =>
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
