// What happens next to the tasks of a plan follows from what is known, whoever asks and however often: nothing begins
// before what it waits for is proven, nothing is forgotten, and everything ends. It fails when a task has two sessions at
// once or two accepted results, when more work than there are slots, or when a killed scheduler leaves a task behind.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextMoves, type ScheduleFacts, type TeamFacts } from '../../src/engine/decide/schedule.ts'
import { movedTask, newTask, type TaskStanding } from '../../machines/task-standing.ts'
import { waitsFor, type PlannedTask } from '../../src/protocol/plan-schema.ts'

const ended = ['done', 'failed', 'skipped', 'blocked']

/** Tasks of which each may wait for earlier ones, and what becomes of each attempt. */
const anyPlan = fc
  .array(
    fc.record({
      earlier: fc.array(fc.nat(), { maxLength: 3 }),
      condition: fc.constantFrom(undefined, undefined, 'complete', 'failed'),
      attempts: fc.integer({ min: 1, max: 3 }),
      gate: fc.constantFrom(undefined, undefined, undefined, 'go', 'stop'),
      outcomes: fc.array(fc.constantFrom('complete', 'complete', 'failed', 'refuted'), {
        minLength: 3,
        maxLength: 3,
      }),
      answer: fc.constantFrom(undefined, true, false),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) =>
    parts.map(({ earlier, condition, gate, ...rest }, at) => {
      const after = at === 0 ? [] : [...new Set(earlier.map((one) => `t${one % at}`))]
      const when = condition === undefined || at === 0 ? undefined : `t${at - 1}.${condition}`
      const task: PlannedTask = {
        id: `t${at}`,
        archetype: 'deliverable',
        mission: 'm',
        after,
        attempts: rest.attempts,
        ...(when === undefined ? {} : { when }),
        ...(gate === undefined ? {} : { gate: { ask: 'Go?', within: '1m', otherwise: gate } }),
      }
      return { task, outcomes: rest.outcomes, answer: rest.answer }
    }),
  )

/** What goes on beside a scheduler, by chance. */
const anyChances = fc.array(fc.nat(), { minLength: 40, maxLength: 40 })

test('random plans, outcomes, kills and two dispatchers', () => {
  fc.assert(
    fc.property(anyPlan, fc.integer({ min: 1, max: 4 }), anyChances, (parts, slots, chances) => {
      const plan = { tasks: parts.map(({ task }) => task) }
      const tasks = new Map<string, TaskStanding>(
        plan.tasks.map((task) => [
          task.id,
          newTask({
            attempts: task.attempts,
            hasGate: task.gate !== undefined,
            since: new Date(0).toISOString(),
          }),
        ]),
      )
      const teams = new Map<string, TeamFacts>()
      const proven = new Map<string, number>()
      const sessions = new Set<string>()
      /** Teams that were told to begin, of which nothing is known yet but how they stood before. */
      const begun: [id: string, attempt: number][] = []
      let minutes = 0
      let turn = 0
      const chance = () => (chances[turn++ % chances.length] as number) + turn

      const facts = (): ScheduleFacts => ({
        slots,
        tasks: new Map(tasks),
        teams: new Map(teams),
        answers: new Map(
          parts.flatMap(({ task, answer }) =>
            answer === undefined
              ? []
              : [[task.id, { isYes: answer, by: 'meta', at: new Date(minutes * 60_000).toISOString() }]],
          ),
        ),
        now: new Date(minutes * 60_000).toISOString(),
      })

      const apply = (moves: ReturnType<typeof nextMoves>) => {
        for (const { task: id, event } of moves) {
          const before = tasks.get(id) as TaskStanding
          const next = movedTask(before, event)
          if (next === undefined) continue
          tasks.set(id, next)
          if (event.type === 'start') {
            const planned = plan.tasks.find((one) => one.id === id) as PlannedTask
            for (const earlier of waitsFor(planned)) {
              const wanted = planned.when === `${earlier}.failed` ? 'failed' : 'done'
              expect([id, earlier, tasks.get(earlier)?.state]).toEqual([id, earlier, wanted])
            }
            // no session of it runs any more
            expect(sessions.has(id)).toBe(false)
            sessions.add(id)
            begun.push([id, next.context.attempt])
            expect(sessions.size).toBeLessThanOrEqual(slots)
          }
          if (event.type === 'prove') proven.set(id, (proven.get(id) ?? 0) + 1)
        }
      }

      for (let round = 0; round < 400; round += 1) {
        minutes += 1
        const seen = facts()
        const moves = nextMoves(plan, seen)
        // whoever asks with the same facts is told the same
        expect(nextMoves(plan, seen)).toEqual(moves)
        // killed after some of them; another dispatcher has seen the same, and goes on where it stands
        apply(moves.slice(0, chance() % (moves.length + 1)))
        if (chance() % 3 === 0) apply(moves)
        apply(nextMoves(plan, facts()))
        // whatever chance holds back, in the end it comes
        const come = round % 8 === 7 ? begun.length : chance() % (begun.length + 1)
        for (const [id, attempt] of begun.splice(0, come))
          teams.set(id, { attempt, phase: 'working', waits: false, reason: null, proof: null })
        const working = [...teams].filter(([, { phase }]) => phase === 'working')
        const [id, team] = working[chance() % Math.max(1, working.length)] ?? []
        if (id !== undefined && team !== undefined) {
          sessions.delete(id)
          const outcome = parts.find(({ task }) => task.id === id)?.outcomes[(team.attempt - 1) % 3]
          teams.set(id, {
            ...team,
            phase: outcome === 'failed' ? 'failed' : 'complete',
            reason: outcome === 'failed' ? 'it broke' : null,
            proof: outcome === 'complete' ? 'sha256:1' : null,
          })
        }
        // what is reported and not proven turns out to be wrong
        for (const [other, standing] of tasks)
          if (standing.state === 'proving' && teams.get(other)?.proof === null)
            teams.set(other, { ...(teams.get(other) as TeamFacts), phase: 'failed', reason: 'no proof' })
        if (
          sessions.size === 0 &&
          nextMoves(plan, facts()).length === 0 &&
          [...tasks.values()].every(({ state }) => ended.includes(state))
        )
          break
      }
      for (const [id, { state }] of tasks) expect([id, ended.includes(state)]).toEqual([id, true])
      for (const [id, times] of proven) expect([id, times, tasks.get(id)?.state]).toEqual([id, 1, 'done'])
    }),
    { numRuns: 200 },
  )
})

const standing = (more: Partial<TaskStanding['context']> = {}): TaskStanding['context'] => ({
  attempt: 1,
  attempts: 1,
  hasGate: false,
  since: new Date(0).toISOString(),
  moves: 3,
  reason: null,
  proof: null,
  ...more,
})

test('what was left out for a failed task comes back when a person has that one tried again', () => {
  const task = (id: string, after: string[]): PlannedTask => ({
    id,
    archetype: 'deliverable',
    mission: 'm',
    after,
    attempts: 1,
  })
  const plan = { tasks: [task('first', []), task('second', ['first']), task('third', ['second'])] }
  const tasks = new Map<string, TaskStanding>([
    ['first', { state: 'failed', context: standing({ reason: 'it broke' }) }],
    ['second', { state: 'waiting', context: standing() }],
    ['third', { state: 'waiting', context: standing() }],
  ])
  const settle = () => {
    for (let rounds = 0; rounds < 10; rounds += 1)
      for (const { task: id, event } of nextMoves(plan, {
        slots: 1,
        tasks,
        teams: new Map(),
        answers: new Map(),
        now: new Date(5).toISOString(),
      }))
        tasks.set(id, movedTask(tasks.get(id) as TaskStanding, event) ?? (tasks.get(id) as TaskStanding))
  }
  settle()
  expect([...tasks.values()].map(({ state, context }) => [state, context.reason])).toEqual([
    ['failed', 'it broke'],
    ['blocked', 'first failed: it broke'],
    ['blocked', 'second was left out'],
  ])
  const first = tasks.get('first') as TaskStanding
  tasks.set(
    'first',
    movedTask(first, {
      type: 'retry',
      at: new Date(6).toISOString(),
      after: first.context.moves,
    }) as TaskStanding,
  )
  settle()
  expect([...tasks.values()].map(({ state }) => state)).toEqual(['running', 'waiting', 'waiting'])
})

test('what follows from how a task stood before counts for nothing', () => {
  const running: TaskStanding = { state: 'running', context: standing({ moves: 5, attempts: 3 }) }
  const late = { type: 'tryAgain', reason: 'x', at: new Date(7).toISOString(), after: 4 } as const
  expect(movedTask(running, late)).toBeUndefined()
  expect(movedTask(running, { ...late, after: 5 })?.state).toBe('ready')
})
