// A plan's faults are told all at once, each with its line and its field. It fails when one is passed over, stands at
// another line, or when a text of any kind throws.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPlan } from '../../src/records/plan/read-plan.ts'

const known = {
  archetypes: ['deliverable', 'coding', 'consultant'],
  agents: ['fed-agent', 'claude', 'codex'],
  changesCode: (archetype: string) => archetype === 'coding',
}
const problems = (text: string) =>
  readPlan(text, known).problems.map(({ line, path, message }) => `${line} ${path}: ${message}`)

const whole = `goal: Move the shop to the new price service
parallel: 4
budget: 20usd
tasks:
  - id: survey
    mission: Where are prices computed today?
  - id: client
    archetype: coding
    mission: A client for the price service, with tests
    after: [survey]
    paths: [src/prices/**]
    agent: claude
    attempts: 2
    budget: 5usd
  - id: rescue
    mission: Why did it fail?
    when: client.failed
  - id: release-note
    mission: Tell what changed
    after: [client]
    gate: { ask: Publish it?, within: 4h, otherwise: stop }
gather: One migration guide from all documents, with an index
`

test('a plan without a fault is read, in YAML and in JSON', () => {
  const { plan, problems: none } = readPlan(whole, known)
  expect(none).toEqual([])
  expect(plan?.tasks[0]).toEqual({
    id: 'survey',
    archetype: 'deliverable',
    mission: 'Where are prices computed today?',
    after: [],
    attempts: 2,
  })
  expect(readPlan(JSON.stringify(plan, null, '\t'), known)).toEqual({ plan, problems: [] })
})

test.each<[change: string, from: string, to: string, told: RegExp[]]>([
  [
    'a field that is none',
    'parallel: 4',
    'paralel: 4',
    [/^2 paralel: there is no such field; did you mean parallel\?$/],
  ],
  [
    'a field of a task that is none',
    'agent: claude',
    'agnet: claude',
    [/^12 tasks\.2\.agnet: .*did you mean/],
  ],
  [
    'a reserved field',
    'agent: claude',
    'review: [expert]',
    [/^12 tasks\.2\.review: is kept for a later version/],
  ],
  ['an empty mission', 'mission: Why did it fail?', "mission: ' '", [/^16 tasks\.3\.mission: is empty$/]],
  ['no mission', '    mission: Why did it fail?\n', '', [/^15 tasks\.3\.mission: is missing$/]],
  [
    'an archetype',
    'archetype: coding',
    'archetype: codeing',
    [/^8 tasks\.2\.archetype: there is no archetype 'codeing'; did you mean 'coding'\?$/],
  ],
  [
    'an agent by its command',
    'agent: claude',
    'agent: "sh -c evil"',
    [/^12 tasks\.2\.agent: there is no agent/],
  ],
  [
    'a task',
    'after: [survey]',
    'after: [survye]',
    [/^10 tasks\.2\.after\.1: there is no task 'survye'; did you mean 'survey'\?$/],
  ],
  ['a condition', 'client.failed', 'client.late', [/^17 tasks\.3\.when: is neither/]],
  ['two of one id', 'id: rescue', 'id: survey', [/^15 tasks\.3\.id: task 1 has the id 'survey' as well$/]],
  [
    'a circle',
    '  - id: survey\n',
    '  - id: survey\n    after: [release-note]\n',
    [/circle: survey waits for release-note waits for client waits for survey$/],
  ],
  [
    'a task that waits for itself',
    'after: [survey]',
    'after: [client]',
    [/a circle: client waits for client$/],
  ],
  [
    'a gate without silence',
    'gate: { ask: Publish it?, within: 4h, otherwise: stop }',
    'gate: { ask: Publish it?, within: 4h }',
    [/^21 tasks\.4\.gate\.otherwise: /],
  ],
  [
    'budgets',
    'budget: 5usd',
    'budget: 50usd',
    [/^3 budget: the tasks' budgets are 50\.00 US dollars together, the goal's is 20\.00 US dollars$/],
  ],
  ['a budget', 'budget: 20usd', 'budget: much', [/^3 budget: is no amount/]],
  ['a path that leaves', 'src/prices/**', '../prices/**', [/^11 tasks\.2\.paths\.1: /]],
  [
    'paths of two that may run at once',
    '  - id: rescue\n    mission: Why did it fail?\n    when: client.failed',
    '  - id: rescue\n    archetype: coding\n    mission: Mend it\n    paths: [src/**]',
    [
      /^18 tasks\.3\.paths: 'client' and 'rescue' may run at once and change the same files \(src\/prices\/\*\* and src\/\*\*\)/,
    ],
  ],
  ['YAML that is none', 'tasks:', 'tasks: {', [/^\d+ : ./]],
  ['a field twice', 'parallel: 4', 'goal: Another', [/^2 : Map keys must be unique/]],
  [
    'a circle beside another',
    'after: [client]\n    gate',
    'after: [client, release-note]\n    gate',
    [/a circle: release-note waits for release-note$/],
  ],
  [
    'a condition against its edge',
    'when: client.failed',
    'after: [client]\n    when: client.failed',
    [/^18 tasks\.3\.when: it waits for client's result, and for its failure/],
  ],
  [
    'paths of what follows a failure',
    '  - id: rescue\n    mission: Why did it fail?',
    '  - id: rescue\n    archetype: coding\n    mission: Mend it',
    [/'client' and 'rescue' may run at once/],
  ],
  ['a number for a field', 'parallel: 4', 'parallel: 4\n5: x', [/^3 5: there is no such field$/]],
  ['a field with a dot', 'agent: claude', 'x.y: 1', [/^12 tasks\.2\.x\.y: there is no such field$/]],
  ['a tag', 'goal: Move', 'goal: !move Move', [/^1 : Unresolved tag/]],
  ['two documents', 'gather: One', '---\ngather: One', [/several documents/]],
  [
    'a sign that a terminal obeys',
    'goal: Move',
    'goal: "\\e[2J" #',
    [/^1 goal: holds signs that a terminal obeys$/],
  ],
  ['a number of a year', 'goal: Move', 'goal: 7 #', [/^1 goal: expected string/]],
])('%s', (_, from, to, told) => {
  expect(whole).toContain(from)
  const found = problems(whole.replace(from, () => to))
  for (const one of told) expect(found).toContainEqual(expect.stringMatching(one))
})

test('all at once', () => {
  expect(problems('goal: ""\ntasks:\n  - id: A\n  - {}\nextra: 1\n').length).toBeGreaterThanOrEqual(5)
  const many = whole
    .replace('within: 4h', 'within: soon')
    .replace('archetype: coding', 'archetype: codeing')
    .replace('  - id: survey\n', '  - id: survey\n    after: [release-note, nobody]\n')
    .replace('budget: 5usd', 'budget: 50usd')
  expect(problems(many).map((one) => one.split(': ').slice(0, 2).join(': '))).toEqual([
    expect.stringContaining('3 budget'),
    expect.stringContaining("6 tasks.1.after.2: there is no task 'nobody'"),
    expect.stringContaining('6 tasks.1.after: a circle'),
    expect.stringContaining('9 tasks.2.archetype'),
    expect.stringContaining('22 tasks.4.gate.within'),
  ])
})

test('each task of a circle is named, each circle once, and a bad path is no path of all', () => {
  const tasks = (all: Record<string, string[]>) =>
    problems(
      JSON.stringify({
        goal: 'g',
        tasks: Object.entries(all).map(([id, after]) => ({ id, mission: 'm', after })),
      }),
    )
  expect(tasks({ a: ['b', 'c'], b: ['d'], c: ['d'], d: ['a'], e: ['a'] })).toEqual([
    expect.stringContaining('a circle: a waits for b waits for d waits for a'),
    expect.stringContaining('a circle: c waits for d waits for a waits for c'),
  ])
  const dense = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`t${at}`, Array.from({ length: 300 }, (__, one) => `t${one}`)]),
  )
  expect(tasks(dense).length).toBeLessThanOrEqual(300)
  const coding = ['src/a/**', '/etc', 'src/b/**'].map((one, at) => ({
    id: `t${at}`,
    mission: 'm',
    archetype: 'coding',
    paths: [one],
  }))
  expect(problems(JSON.stringify({ goal: 'g', tasks: coding }))).toEqual([
    expect.stringContaining('tasks.2.paths.1'),
  ])
  const deep = `goal: ${'['.repeat(5000)}`
  expect(problems(deep).length).toBeLessThanOrEqual(20)
})

test('a plan of a thousand tasks in one row has no circle', () => {
  const tasks = Array.from({ length: 1000 }, (_, at) => ({
    id: `t${at}`,
    mission: 'm',
    ...(at === 0 ? {} : { after: [`t${at - 1}`] }),
  }))
  expect(problems(JSON.stringify({ goal: 'g', tasks }))).toEqual([])
})

test('paths without number are refused, and many that lie apart are compared', () => {
  const of = (count: number, paths: (task: number, path: number) => string) =>
    problems(
      JSON.stringify({
        goal: 'g',
        tasks: Array.from({ length: count }, (_, task) => ({
          id: `t${task}`,
          mission: 'm',
          archetype: 'coding',
          paths: Array.from({ length: 50 }, (__, path) => paths(task, path)),
        })),
      }),
    )
  expect(of(40, (task, path) => `src/a${task}/b${path}/**`)).toEqual([])
  expect(of(40, (task, path) => `src/a${task}b${path}.*`)).toEqual([])
  expect(of(41, (task, path) => `src/a${task}/b${path}/**`)).toEqual([
    expect.stringContaining('2050 paths together, more than 2000'),
  ])
  expect(of(2, (_, path) => `src/b${path}/**`)).toHaveLength(1)
})

test('aliases that unfold without end are a fault', () => {
  const bomb = Array.from(
    { length: 12 },
    (_, at) =>
      `a${at}: &a${at} [${
        at === 0
          ? 'x'
          : Array(9)
              .fill(`*a${at - 1}`)
              .join(',')
      }]`,
  )
  expect(problems(bomb.join('\n'))[0]).toMatch(/alias/i)
})

test('whatever the text, it is read or told', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.string({ unit: fc.constantFrom('a', ':', ' ', '\n', '-', '[', '{', '&', '*', '"', '!') }),
      ),
      (text) => {
        const { plan, problems: found } = readPlan(text, known)
        expect(plan !== undefined || found.length > 0).toBe(true)
        for (const { line } of found) expect(line).toBeGreaterThanOrEqual(1)
      },
    ),
  )
})

test('a mission that a team would take for a control word, and a coordinator in a plan, are told', () => {
  const told = readPlan(
    'goal: G\ntasks:\n  - { id: a, mission: Pause }\n  - { id: b, archetype: coordinator, mission: M }\n',
    { ...known, archetypes: [...known.archetypes, 'coordinator'] },
  ).problems.map(({ line, message }) => `${line} ${message}`)
  expect(told).toEqual([
    "3 'Pause' is a control word; say what is to be done",
    '4 a coordinator in a plan is kept for a later version of fed',
  ])
  expect(problems('')).toEqual(['1 : it is empty; a plan has a goal and tasks'])
})
