import { controlSubjects } from '../../../machines/guards.ts'
import { kebab } from '../../protocol/event-name.ts'
import { amountInWords, readBudget } from '../../protocol/budget.ts'
import { closestName } from '../../protocol/nearest-name.ts'
import { overlap } from '../../protocol/path-pattern.ts'
import { conditionOf, waitsFor, type Plan, type PlannedTask } from '../../protocol/plan-schema.ts'

/** What is wrong, and where: the path of a field, such as `['tasks', 2, 'after']`. */
export interface PlanFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** What a plan may name. */
export interface Known {
  readonly archetypes: readonly string[]
  readonly agents: readonly string[]
  /** Whether an archetype changes code. */
  readonly changesCode: (archetype: string) => boolean
}

/** What is wrong with a plan whose fields are right. */
export function brokenRules(plan: Plan, known: Known): PlanFault[] {
  return [
    ...doubleIds(plan),
    ...unknownNames(plan, known),
    ...unfitMissions(plan),
    ...circles(plan),
    ...contradictions(plan),
    ...overBudget(plan),
    ...overlaps(plan, known),
  ]
}

function doubleIds({ tasks }: Plan): PlanFault[] {
  return tasks.flatMap(({ id }, at) => {
    const first = tasks.findIndex((task) => task.id === id)
    return first === at
      ? []
      : [{ path: ['tasks', at, 'id'], message: `task ${first + 1} has the id '${id}' as well` }]
  })
}

/** So many names are told where none is near. */
const mostNames = 20

function unknownNames({ tasks }: Plan, { archetypes, agents }: Known): PlanFault[] {
  const ids = tasks.flatMap(({ id }) => (id.startsWith('#') ? [] : [id]))
  const hints = new Map<string, string>()
  const unknown = (
    path: PlanFault['path'],
    kind: string,
    name: string,
    names: readonly string[],
  ): PlanFault[] => {
    if (names.includes(name)) return []
    const key = `${kind} ${name}`
    const hint = hints.get(key) ?? hintFor(name, names)
    hints.set(key, hint)
    return [{ path, message: `there is no ${kind} '${name}'; ${hint}` }]
  }
  return tasks.flatMap((task, at) => [
    ...unknown(['tasks', at, 'archetype'], 'archetype', task.archetype, archetypes),
    ...(task.agent === undefined ? [] : unknown(['tasks', at, 'agent'], 'agent', task.agent, agents)),
    ...task.after.flatMap((id, index) => unknown(['tasks', at, 'after', index], 'task', id, ids)),
    ...(task.when === undefined
      ? []
      : unknown(['tasks', at, 'when'], 'task', conditionOf(task)?.task ?? '', ids)),
  ])
}

function hintFor(name: string, names: readonly string[]): string {
  const meant = closestName(name, [...names])
  return meant === undefined
    ? `there are ${names.slice(0, mostNames).join(', ')}`
    : `did you mean '${meant}'?`
}

/** Missions that a team would take for something else, and teams that a plan cannot have yet. */
function unfitMissions({ tasks }: Plan): PlanFault[] {
  return tasks.flatMap(({ mission, archetype }, at): PlanFault[] => [
    ...(controlSubjects.includes(kebab(mission.trim().split('\n')[0] ?? ''))
      ? [
          {
            path: ['tasks', at, 'mission'],
            message: `'${mission.trim()}' is a control word; say what is to be done`,
          },
        ]
      : []),
    ...(archetype === 'coordinator'
      ? [
          {
            path: ['tasks', at, 'archetype'],
            message: 'a coordinator in a plan is kept for a later version of fed',
          },
        ]
      : []),
  ])
}

/** Circles, each named whole at its first task: so many that each task of one is named. */
function circles({ tasks }: Plan): PlanFault[] {
  const waits = new Map(tasks.map((task) => [task.id, waitsFor(task)]))
  const stuck = stuckAmong(waits)
  const named = new Set<string>()
  return tasks.flatMap(({ id }, at): PlanFault[] => {
    if (named.has(id) || !stuck.has(id)) return []
    const circle = shortestCircle(id, waits)
    for (const one of circle ?? []) named.add(one)
    if (circle === undefined) return []
    return [{ path: ['tasks', at, 'after'], message: `a circle: ${[...circle, id].join(' waits for ')}` }]
  })
}

/** The tasks that never could begin, by who waits for whom alone: those of circles, and those after them. */
function stuckAmong(waits: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const after = new Map<string, string[]>()
  const open = new Map<string, number>()
  for (const [id, earlier] of waits) {
    const known = earlier.filter((one) => waits.has(one))
    open.set(id, known.length)
    for (const one of known) {
      const later = after.get(one)
      if (later === undefined) after.set(one, [id])
      else later.push(id)
    }
  }
  const free = new Set([...open].flatMap(([id, count]) => (count === 0 ? [id] : [])))
  // what is added meanwhile is looked at as well
  for (const id of free)
    for (const next of after.get(id) ?? []) {
      const count = (open.get(next) ?? 0) - 1
      open.set(next, count)
      if (count === 0) free.add(next)
    }
  return new Set([...waits.keys()].filter((id) => !free.has(id)))
}

/** The tasks of a shortest circle from one on; undefined where it lies in none. */
function shortestCircle(start: string, waits: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const from = new Map<string, string | undefined>([[start, undefined]])
  // what is added meanwhile is looked at as well
  for (const id of from.keys())
    for (const next of waits.get(id) ?? []) {
      if (next !== start) {
        if (!from.has(next)) from.set(next, id)
        continue
      }
      const way: string[] = []
      for (let one: string | undefined = id; one !== undefined; one = from.get(one)) way.unshift(one)
      return way
    }
  return undefined
}

/** A task that waits for the result of another and for its failure never begins. */
function contradictions({ tasks }: Plan): PlanFault[] {
  return tasks.flatMap((task, at): PlanFault[] => {
    const condition = conditionOf(task)
    if (condition?.end !== 'failed' || !task.after.includes(condition.task)) return []
    const message = `it waits for ${condition.task}'s result, and for its failure; leave it out of one`
    return [{ path: ['tasks', at, 'when'], message }]
  })
}

function overBudget({ budget: text, tasks }: Plan): PlanFault[] {
  const whole = text === undefined ? undefined : readBudget(text)
  if (whole === undefined) return []
  const parts = tasks.map(({ budget }) => (budget === undefined ? undefined : readBudget(budget)))
  const sum = parts.reduce((all, part) => all + (part?.kind === whole.kind ? part.amount : 0), 0)
  if (sum <= whole.amount) return []
  const words = (amount: number) => amountInWords(whole.kind, amount)
  return [
    {
      path: ['budget'],
      message: `the tasks' budgets are ${words(sum)} together, the goal's is ${words(whole.amount)}`,
    },
  ]
}

/** The tasks whose results one waits for: one that failed may be tried again while that works which follows from it. */
function provenBefore(task: PlannedTask): string[] {
  const condition = conditionOf(task)
  return waitsFor(task).filter((id) => condition?.end !== 'failed' || condition.task !== id)
}

/** The tasks before one, by any number of steps. */
function before({ tasks }: Plan, start: PlannedTask): ReadonlySet<string> {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const found = new Set(provenBefore(start))
  // what is added meanwhile is looked at as well
  for (const id of found) {
    const task = byId.get(id)
    if (task !== undefined) for (const earlier of provenBefore(task)) found.add(earlier)
  }
  return found
}

/** Each may have to be compared with each: more would take long. */
const mostClaims = 2000

interface Claim {
  readonly at: number
  readonly pattern: string
}

/** Two tasks that may run at once and may change the same path, each pair once. One without paths may change any. */
function overlaps(plan: Plan, { changesCode }: Known): PlanFault[] {
  const { tasks } = plan
  const changing = tasks.flatMap((task, at) => (changesCode(task.archetype) ? [{ task, at }] : []))
  const earlier = new Map(changing.map(({ task, at }) => [at, before(plan, task)]))
  const areOrdered = (one: number, other: number) =>
    earlier.get(one)?.has(tasks[other]?.id ?? '') === true ||
    earlier.get(other)?.has(tasks[one]?.id ?? '') === true
  const claims = changing.flatMap(({ task, at }) =>
    (task.paths ?? ['**']).map((pattern): Claim => ({ at, pattern })),
  )
  if (claims.length > mostClaims) {
    const message = `its tasks that change code have ${claims.length} paths together, more than ${mostClaims}; name folders`
    return [{ path: ['tasks'], message }]
  }
  // of two that overlap, the folder of one lies above that of the other
  const byFolder = new Map<string, Claim[]>()
  for (const claim of claims) {
    const folder = foldersOf(claim.pattern).at(-1) ?? ''
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), claim])
  }
  const found = new Map<string, PlanFault>()
  for (const claim of claims) {
    for (const other of foldersOf(claim.pattern).flatMap((folder) => byFolder.get(folder) ?? [])) {
      const [first, second] = claim.at < other.at ? [claim, other] : [other, claim]
      if (first.at === second.at || !overlap(first.pattern, second.pattern)) continue
      const pair = `${first.at} ${second.at}`
      if (found.has(pair)) continue
      const [one, next] = [tasks[first.at]?.id ?? '', tasks[second.at]?.id ?? '']
      // a task of the same id is told already
      if (one === next || areOrdered(first.at, second.at)) continue
      const both = first.pattern === second.pattern ? first.pattern : `${first.pattern} and ${second.pattern}`
      found.set(pair, {
        path: ['tasks', second.at, ...(tasks[second.at]?.paths === undefined ? [] : ['paths'])],
        message: `'${one}' and '${next}' may run at once and change the same files (${both}); give them paths apart, or put one after the other`,
      })
    }
  }
  return [...found.values()]
}

/** The folders above a pattern's first name that stands for many, from the root on: of `a/b/*.ts` those are ``, `a`, `a/b`. */
function foldersOf(pattern: string): string[] {
  const names = pattern.split('/')
  const first = names.findIndex((name) => /[*?]/.test(name))
  const fixed = first < 0 ? names : names.slice(0, first)
  return ['', ...fixed.map((_, at) => fixed.slice(0, at + 1).join('/'))]
}
