// The next moves of a plan of so many tasks, each waiting for two earlier ones, half of them done and the rest under way or
// waiting: `schedule.mjs <tasks>`; tells how long the moves took and how long it takes to read the same standings.
import { newTask, type TaskState } from '../../../machines/task-standing.ts'
import { nextMoves, type TeamFacts } from '../../../src/engine/decide/schedule.ts'

const count = Number(process.argv[2])
const at = new Date(0).toISOString()
const half = count / 2
const tasks = Array.from({ length: count }, (_, task) => ({
  id: `t${task}`,
  archetype: 'deliverable',
  mission: 'm',
  after: [...new Set([task - half, task - half - 1])]
    .filter((earlier) => earlier >= 0)
    .map((earlier) => `t${earlier}`),
  attempts: 3,
}))
const stateOf = (task: number): TaskState =>
  task < half ? 'done' : task < half + 100 ? 'running' : 'waiting'
const standings = JSON.stringify(
  tasks.map(({ id }, task) => [
    id,
    { ...newTask({ attempts: 3, hasGate: false, since: at }), state: stateOf(task) },
  ]),
)
const working: TeamFacts = { attempt: 1, phase: 'working', waits: false, reason: null, proof: null }
const teams = new Map(tasks.slice(half, half + 100).map(({ id }) => [id, working]))

const began = performance.now()
const read = new Map(JSON.parse(standings) as [string, ReturnType<typeof newTask>][])
const reading = performance.now() - began
// the first call of a process: nothing is compiled yet
const begun = performance.now()
const moves = nextMoves({ tasks }, { slots: count, tasks: read, teams, answers: new Map(), now: at })
process.stdout.write(JSON.stringify({ spent: performance.now() - begun, reading, moves: moves.length }))
