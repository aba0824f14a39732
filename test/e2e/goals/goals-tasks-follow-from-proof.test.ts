// Proves that the teams of a goal begin once what they wait for is proven, work from what was proven, are tried again
// with what went wrong, and that gates, pauses and failures lead where the plan says. Fails when a task begins early, is
// begun twice, or waits for ever.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { noteTestsPassed } from '../../support/coding-team.ts'
import { promptFor } from '../../support/goal-prompt.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { coordinate } from '../../../src/federation/goal/coordinate.ts'
import { git } from '../../../src/platform/git/git.ts'
import { setClock } from '../../../src/protocol/clock.ts'
import { inboxOf } from '../../support/federation.ts'
import { finish, goalOf, goalWith, movedOn, needsOf, stateOfTasks } from '../../support/goal.ts'
import { goodDocument } from '../../support/samples.ts'

const plan = (...tasks: string[]) =>
  `goal: Document the storage\ntasks:\n${tasks.map((task) => `  - ${task}\n`).join('')}`
const task = (id: string, more = '') =>
  `{ id: ${id}, mission: Document src/app.ts as ${id}${more === '' ? '' : `, ${more}`} }`

async function member(root: string, id: string) {
  return new Federation(root).team(`goal-${id}`)
}
async function direct(root: string, subject: string, body: string) {
  const { coordinator } = await goalOf(root)
  return (await coordinator.direct(subject, body)).entry?.outcome
}

test('a task begins with what was proven before, laid before it with its digest, and told where it changed', async () => {
  const root = await goalWith(plan(task('first'), task('second', 'after: [first]')))
  expect(await movedOn(root)).toEqual({ first: 'running', second: 'waiting' })
  expect(existsSync(path.join(root, '.fed/teams/goal-second'))).toBe(false)
  await finish(await member(root, 'first'))
  expect(await movedOn(root)).toEqual({ first: 'done', second: 'running' })
  const folder = path.join(root, '.fed/teams/goal-second/inputs')
  const digest = createHash('sha256').update(goodDocument).digest('hex')
  expect(readFileSync(path.join(folder, 'first.md'), 'utf8')).toBe(goodDocument)
  expect(readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8')).toBe(`${digest}  first.md\n`)
  const told = await promptFor(root, 'goal-second')
  expect(told).toContain(`- first: ${path.join(folder, 'first.md')} (sha256:${digest})`)
  expect(told).not.toContain('note:')
  writeFileSync(path.join(root, '.fed/teams/goal-first/deliverable.md'), `${goodDocument}more\n`)
  expect(await promptFor(root, 'goal-second')).toContain('note: its team changed it since it was proven')
})

test('each mission is given once, however many processes move the goal on at the same moment', async () => {
  const root = await goalWith(plan(task('first'), task('second'), task('third', 'after: [first, second]')))
  const all = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { federation, coordinator } = await goalOf(root)
      await coordinate(federation, coordinator)
    }),
  )
  expect(all).toHaveLength(4)
  for (const id of ['first', 'second']) {
    const missions = (await member(root, id))
      .history('all')
      .filter(({ event, outcome }) => event.startsWith('directive.') && outcome === 'accepted')
    expect(missions).toHaveLength(1)
    await finish(await member(root, id))
  }
  expect(await movedOn(root)).toEqual({ first: 'done', second: 'done', third: 'running' })
})

test('a task that failed is tried again with what went wrong, then what waits for it is left out and others begin', async () => {
  const root = await goalWith(
    plan(
      task('first', 'attempts: 2'),
      task('second', 'after: [first]'),
      task('rescue', 'when: first.failed'),
      task('apart'),
    ),
  )
  await movedOn(root)
  await finish(await member(root, 'first'), 'failed')
  expect((await movedOn(root))['first']).toBe('running')
  const again = (await member(root, 'first')).present().context.mission
  expect(again?.body).toContain('This is attempt 2. The one before failed: it broke')
  await finish(await member(root, 'first'), 'failed')
  expect(await movedOn(root)).toEqual({
    first: 'failed',
    second: 'blocked',
    rescue: 'running',
    apart: 'running',
  })
  await finish(await member(root, 'rescue'))
  await finish(await member(root, 'apart'))
  expect(await movedOn(root)).toEqual({ first: 'failed', second: 'blocked', rescue: 'done', apart: 'done' })
  // its failure was seen to: nothing needs anybody
  expect((await goalOf(root)).coordinator.present().state).toBe('complete')
})

test('a failure that nothing follows from is put before the agent and a person; retried with a hint it goes on', async () => {
  const root = await goalWith(plan(task('first', 'attempts: 1'), task('second', 'after: [first]')))
  await movedOn(root)
  await finish(await member(root, 'first'), 'failed')
  expect(await movedOn(root)).toEqual({ first: 'failed', second: 'blocked' })
  await movedOn(root)
  expect(await needsOf(root)).toEqual([
    "first failed: it broke; 'fed goal retry first'",
    "or 'fed goal settle': the result is made without it",
  ])
  const asked = [...inboxOf(path.join(root, '.fed/teams/goal')).values()].filter(({ subject }) =>
    subject.startsWith('Tasks failed'),
  )
  expect(asked).toHaveLength(1)
  expect(await direct(root, 'retry-task', 'first Look into src/')).toBe('accepted')
  expect(await movedOn(root)).toEqual({ first: 'running', second: 'waiting' })
  const again = (await member(root, 'first')).present().context.mission
  expect(again?.body).toContain('What to do differently: Look into src/')
  await finish(await member(root, 'first'))
  expect(await movedOn(root)).toEqual({ first: 'done', second: 'running' })
})

test('a team of that name which is of no goal is not used: its task fails', async () => {
  const root = await goalWith(plan(task('first', 'attempts: 1')))
  await new Federation(root).onboard({ domain: 'goal-first', archetype: 'deliverable' })
  expect(await movedOn(root)).toEqual({ first: 'failed' })
  expect((await needsOf(root))[0]).toContain('there is a team goal-first already, which is not of this goal')
  expect((await member(root, 'first')).present().context.mission).toBeNull()
})

test('a team that cannot be made fails its task with the reason', async () => {
  const root = await goalWith(plan('{ id: code, archetype: coding, mission: Change it, attempts: 1 }'))
  git(root, 'checkout', '--quiet', '--detach')
  expect(await movedOn(root)).toEqual({ code: 'failed' })
  expect((await needsOf(root))[0]).toContain('code failed: its team cannot be made')
})

test('a gate waits for one answer; silence does what the plan says at the first step after its time', async () => {
  const gate = (id: string, otherwise: string) =>
    task(id, `gate: { ask: Begin?, within: 1h, otherwise: ${otherwise} }`)
  const root = await goalWith(
    plan(gate('yes', 'stop'), gate('no', 'go'), gate('go', 'go'), gate('stop', 'stop')),
  )
  const gated = { yes: 'gated', no: 'gated', go: 'gated', stop: 'gated' }
  expect(await movedOn(root)).toEqual(gated)
  expect(await needsOf(root)).toHaveLength(4)
  expect(await direct(root, 'answer-gate', 'yes maybe')).toBe('refused')
  expect(await direct(root, 'answer-gate', 'yes yes')).toBe('accepted')
  // one answer counts
  expect(await direct(root, 'answer-gate', 'yes no')).toBe('refused')
  expect(await direct(root, 'answer-gate', 'no no it costs too much')).toBe('accepted')
  expect(await movedOn(root)).toEqual({ ...gated, yes: 'running', no: 'skipped' })
  const backAgain = setClock(() => Date.now() + 2 * 3_600_000)
  try {
    expect(await movedOn(root)).toEqual({ yes: 'running', no: 'skipped', go: 'running', stop: 'skipped' })
  } finally {
    backAgain()
  }
  const { coordinator } = await goalOf(root)
  const answers = coordinator
    .history()
    .filter(({ event, outcome }) => event === 'directive.answer-gate' && outcome === 'accepted')
  expect(answers.map(({ sender }) => sender)).toEqual(['meta', 'meta'])
})

test('a goal that is paused pauses its teams; resumed each is where it was, and one that a person paused stays so', async () => {
  const root = await goalWith(plan(task('first'), task('second'), task('third')))
  await movedOn(root)
  const first = await member(root, 'first')
  await first.tell({ type: 'report', subject: 'mission-planned', body: 'Read src/app.ts' })
  await (await member(root, 'second')).pause()
  await (await goalOf(root)).coordinator.pause()
  await movedOn(root)
  const states = async () =>
    Promise.all(['first', 'second', 'third'].map(async (id) => (await member(root, id)).present().state))
  expect(await states()).toEqual(['paused', 'paused', 'paused'])
  // a person has one go on all the same, and is not overruled
  await (await member(root, 'third')).resume()
  // names of signals know seconds
  const backAgain = setClock(() => Date.now() + 2000)
  await movedOn(root).finally(backAgain)
  expect(await states()).toEqual(['paused', 'paused', 'preparing'])
  // whoever looks sends the same signal, which is one file
  const pauses = [...inboxOf(path.join(root, '.fed/teams/goal-third')).values()].filter(
    ({ from, subject }) => from === 'goal' && subject === 'pause',
  )
  expect(pauses).toHaveLength(1)
  await (await goalOf(root)).coordinator.resume()
  await movedOn(root)
  expect(await states()).toEqual(['scanning', 'paused', 'preparing'])
})

test('what is complete by its lifecycle and below the standards is no proof; damage fails the attempt', async () => {
  const root = await goalWith(plan(task('first', 'attempts: 1'), task('second', 'attempts: 1')))
  await movedOn(root)
  await finish(await member(root, 'first'))
  writeFileSync(path.join(root, '.fed/teams/goal-first/deliverable.md'), '# forged\n')
  writeFileSync(path.join(root, '.fed/teams/goal-second/.fed/lifecycle.d/3.json'), '{}')
  expect(await movedOn(root)).toEqual({ first: 'failed', second: 'failed' })
  const needs = await needsOf(root)
  expect(needs[0]).toContain('first failed: its document deliverable.md is gone, or below the standards')
  expect(needs[1]).toContain('second failed: ')
  expect(needs[1]).toContain('3.json is damaged')
})

test('a task of any name is a task', async () => {
  const root = await goalWith(plan(task('constructor', 'gate: { ask: Begin?, within: 1h, otherwise: go }')))
  expect(await movedOn(root)).toEqual({ constructor: 'gated' })
  expect(await direct(root, 'answer-gate', 'constructor yes')).toBe('accepted')
  expect(await needsOf(root)).toEqual([])
  expect(await movedOn(root)).toEqual({ constructor: 'running' })
})

test('a member hears its coordinator and no other team', async () => {
  const root = await goalWith(plan(task('first')))
  const federation = new Federation(root)
  await federation.onboard({ domain: 'other', archetype: 'coordinator' })
  await movedOn(root)
  await federation.send({ from: 'other', to: 'goal-first', type: 'directive', subject: 'pause', body: '' })
  await federation.send({ from: 'goal-first', to: 'goal', type: 'directive', subject: 'pause', body: '' })
  await movedOn(root)
  expect((await member(root, 'first')).present().state).toBe('preparing')
  expect((await goalOf(root)).coordinator.present().state).toBe('coordinating')
  await federation.send({ from: 'goal', to: 'goal-first', type: 'directive', subject: 'pause', body: '' })
  await (await member(root, 'first')).step()
  expect((await member(root, 'first')).present().state).toBe('paused')
  // a pause of a person is no coordinator's to lift
  await (await member(root, 'first')).resume()
  await (await member(root, 'first')).pause()
  await federation.send({ from: 'goal', to: 'goal-first', type: 'directive', subject: 'resume', body: '' })
  await (await member(root, 'first')).step()
  expect((await member(root, 'first')).present().state).toBe('paused')
  const refusals = (await member(root, 'first'))
    .history()
    .flatMap(({ sender, refusal }) => (refusal ? [`${sender} ${refusal.kind}`] : []))
  expect(refusals).toEqual(['other not-from-meta', 'goal guard-refused'])
  // its moves are told to its coordinator, and meta is not bothered
  expect([...inboxOf(root).values()].filter(({ from }) => from === 'goal-first')).toEqual([])
})

test('code is done once it is merged, and stays in its paths', async () => {
  const root = await goalWith(
    plan(
      '{ id: code, archetype: coding, mission: Change it, paths: [src/**] }',
      task('after', 'after: [code]'),
    ),
  )
  await movedOn(root)
  const code = await member(root, 'code')
  const { workspace } = code.actor
  const commit = (name: string) => {
    writeFileSync(path.join(workspace, name), 'export const answer = 43\n')
    git(workspace, 'add', '.')
    git(workspace, 'commit', '--quiet', '--message', name)
  }
  await code.tell({ type: 'report', subject: 'plan-ready', body: 'Change src/app.ts' })
  commit('elsewhere.ts')
  const { entry } = await code.tell({ type: 'report', subject: 'changes-committed', body: '' })
  expect(entry?.refusal?.message).toBe(
    'report.changes-committed needs that its commits change only what its task may (elsewhere.ts)',
  )
  git(workspace, 'reset', '--quiet', '--hard', 'HEAD~1')
  commit('src/app.ts')
  for (const subject of ['changes-committed', 'tests-passed', 'pr-opened']) {
    if (subject === 'tests-passed') {
      noteTestsPassed(workspace)
    }
    expect((await code.tell({ type: 'report', subject, body: '' })).entry?.refusal).toBeUndefined()
  }
  expect(await movedOn(root)).toEqual({ code: 'running', after: 'waiting' })
  expect((await needsOf(root))[0]).toContain('code: merge fed/goal-code')
  // a word is no merge
  expect((await code.direct('merged', '')).entry?.outcome).toBe('refused')
  expect(await movedOn(root)).toEqual({ code: 'running', after: 'waiting' })
  git(root, 'merge', '--quiet', '--no-edit', 'fed/goal-code')
  expect((await code.direct('merged', '')).entry?.outcome).toBe('accepted')
  expect(await movedOn(root)).toEqual({ code: 'done', after: 'running' })
  expect(await promptFor(root, 'goal-after')).toContain('- code: in main by commits')
})

test('without one of the documents nothing is gathered', async () => {
  const root = await goalWith(`${plan(task('first'), task('second'))}gather: One guide\n`)
  await movedOn(root)
  for (const id of ['first', 'second']) await finish(await member(root, id))
  await movedOn(root)
  const { coordinator } = await goalOf(root)
  expect(coordinator.present().state).toBe('gathering')
  writeFileSync(coordinator.deliverableFile, goodDocument)
  const document = path.join(root, '.fed/teams/goal-second/deliverable.md')
  rmSync(document)
  const gathered = () => coordinator.tell({ type: 'report', subject: 'result-gathered', body: '' })
  expect((await gathered()).entry?.refusal?.message).toContain(`second: ${document} is gone`)
  expect(await needsOf(root)).toEqual([expect.stringContaining(`second: ${document} is gone; put it back`)])
  // its team went on with it: as it was proven it lies before the coordinator
  writeFileSync(document, `${goodDocument}more\n`)
  const copy = path.join(coordinator.actor.workspace, 'inputs', 'second.md')
  expect(readFileSync(copy, 'utf8')).toBe(goodDocument)
  rmSync(copy)
  expect((await gathered()).entry?.refusal?.message).toContain('was changed since it was proven')
  writeFileSync(copy, goodDocument)
  expect((await gathered()).entry?.outcome).toBe('accepted')
  expect(await stateOfTasks(root)).toEqual({ first: 'done', second: 'done' })
})

test('a team is told of its goal and of the teams that it may ask', async () => {
  const root = await goalWith(plan(task('first'), task('second')))
  const expert = await new Federation(root).onboard({ domain: 'expert', archetype: 'consultant' })
  await expert.direct('Know src/app.ts', '')
  await new Federation(root).onboard({ domain: 'apart' })
  await movedOn(root)
  const told = await promptFor(root, 'goal-first')
  expect(told).toContain('This mission is a task of the goal `Document the storage`, which goal coordinates.')
  const [, others = ''] = /# Other teams\n\n([^]*?)\n\n`fed send <team>/.exec(told) ?? []
  expect(others.split('\n')).toEqual([
    '- expert (consultant, onboarding): `Know src/app.ts`; answers questions',
    '- goal (coordinator, coordinating): `Document the storage`',
    '- goal-second (deliverable, preparing): `Document src/app.ts as second`',
  ])
})
