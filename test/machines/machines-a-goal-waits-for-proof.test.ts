// Proves that a coordinator makes every transition that its machine declares, some in each run, in a real federation with
// teams that do what is told of them, and refuses every other event; and that a task moves by what stands in its team's
// files alone. Fails when a state takes an event that nobody meant for it, when a word stands for a proof, or when files
// and machine part ways.
import { rmSync } from 'node:fs'
import path from 'node:path'
import type { AnyMachineSnapshot } from 'xstate'
import { expect, test } from 'vitest'
import { coordinator, type CoordinatorContext } from '../../machines/coordinator.ts'
import { Federation } from '../../src/federation/federation.ts'
import { declaredTransitions } from '../support/graph.ts'
import { acts, edges, eventOf, nameOf, situations, type Act, type Situation } from '../support/goal-model.ts'
import { work } from '../support/goal.ts'
import { TestTeam } from '../support/test-team.ts'
import { isThorough, oneOfEach, someOf } from '../support/thorough.ts'

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
)('$title', async ({ source, act, target, declared }) => {
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

test.each(someOf([...leaves.values()], 3))('refused in $name', async ({ path: way, snapshot }) => {
  const team = await TestTeam.begin('coordinator')
  for (const one of way) await take(team, one)
  // nothing is gathered, and no plan is there, until somebody writes it
  for (const file of ['deliverable.md', 'plan.yaml']) rmSync(path.join(team.workspace, file), { force: true })
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
})

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
