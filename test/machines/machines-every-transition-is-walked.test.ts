// Proves that every transition that a lifecycle declares happens in a real federation, from one of the situations
// in which it can, another in each run, or all of them: files, git and evidence are real, and nothing survives
// between two events but what is on the disk. Fails when a transition goes elsewhere, or a commit, an answer, an acknowledgment or the registry does
// not say what happened.
import { transition, initialTransition, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate'
import { describe, expect, test } from 'vitest'
import { eventOf } from '../../src/protocol/event-name.ts'
import { git } from '../../src/platform/git/git.ts'
import { declaredTransitions, explore, lifecycles, modelEvent, situationOf } from '../support/graph.ts'
import { inboxOf } from '../support/federation.ts'
import { accepted, type Sample } from '../support/samples.ts'
import { factsOf, TestTeam } from '../support/test-team.ts'
import { oneOfEach } from '../support/thorough.ts'

/** Delivers a sample and checks everything that must be true afterwards. */
async function take(team: TestTeam, machine: AnyStateMachine, model: AnyMachineSnapshot, sample: Sample) {
  const [next] = transition(machine, model, modelEvent(sample)) as [AnyMachineSnapshot, unknown]
  const [from, to] = [model, next].map((one) => situationOf(one).split(' ')[0] as string)
  const before = team.head()
  const mail = inboxOf(team.root)
  const asked = inboxOf(`${team.root}/.fed/teams/peer`)

  team.arrange(sample)
  const signal = await team.send(sample)
  const { handled } = await (await team.open()).step()

  const id = signal.id
  const step = { signal: id, event: eventOf(sample), outcome: 'accepted', from, to }
  expect(handled).toEqual([expect.objectContaining(step)])
  expect((await team.open()).history().at(-1)).toMatchObject({ ...step, version: before.version + 1 })
  const { snapshot, version } = team.head()
  expect(version).toBe(before.version + 1)
  expect(snapshot.value).toEqual(next.value)
  expect(snapshot.status).toBe(next.status)
  expect((await team.open()).present().state).toBe(to)
  expect(factsOf(snapshot)).toEqual(factsOf(next))
  if (typeof snapshot.context.testedCommit === 'string') {
    expect(snapshot.context.testedCommit).toBe(git(team.workspace, 'rev-parse', 'HEAD'))
  }
  expect(team.isAcknowledged(signal)).toBe(true)
  expect(team.status()).toBe(next.value === 'paused' ? 'paused' : 'active')

  const told = [...inboxOf(team.root)].filter(([file]) => !mail.has(file)).map(([, one]) => one)
  const report = { from: team.id, to: 'meta', type: 'report', subject: `${team.id}: ${from} to ${to}` }
  expect(told).toEqual(from === to ? [] : [expect.objectContaining(report)])
  if (to === 'failed') expect(told[0]?.body).toContain(sample.body)

  const answers = [...inboxOf(`${team.root}/.fed/teams/peer`)].filter(([file]) => !asked.has(file))
  const answer = { type: 'report', from: team.id, subject: 'Answer: Which port', body: sample.body }
  const unanswered = { type: 'alert', from: team.id, subject: 'Unanswered: Which port' }
  const isLeft = next.status === 'done' && next.context.question != null
  const due = sample.subject === 'answer' ? [answer] : isLeft ? [unanswered] : []
  expect(answers.map(([, one]) => one)).toEqual(due.map((one) => expect.objectContaining(one)))
  return next
}

describe.each(lifecycles)('$id', (machine) => {
  const { situations, edges } = explore(machine)
  const begin = initialTransition(machine, { team: 'team' } as never)[0] as AnyMachineSnapshot
  const walked = new Set<string>()
  const paths = oneOfEach(edges, ({ declared }) => declared).map((edge) => ({
    ...edge,
    title: `goes from ${edge.source.name} to ${edge.target} on ${edge.sample.name}`,
  }))

  test.each(paths)('$title', async ({ source, sample, target, declared }) => {
    const team = await TestTeam.begin(machine.id)
    let model = begin
    for (const one of [...source.path, sample]) model = await take(team, machine, model, one)
    expect(situationOf(model)).toBe(target)
    walked.add(declared)
  })

  test('in one life, each pause is followed by the state that it left, whatever was left before', async () => {
    const longest = situations
      .filter(({ snapshot }) => snapshot.status === 'active' && snapshot.value !== 'paused')
      .reduce((a, b) => (b.path.length > a.path.length ? b : a))
    const team = await TestTeam.begin(machine.id)
    const [, pause, resume] = accepted[machine.id] as [Sample, Sample, Sample]
    let model = begin
    for (const one of longest.path) {
      model = await take(team, machine, model, one)
      const left = situationOf(model)
      for (const control of [pause, resume]) model = await take(team, machine, model, control)
      expect(situationOf(model)).toBe(left)
    }
  })

  test('every declared transition was walked', () => {
    const declared = declaredTransitions(machine)
    const missing = declared.filter((one) => !walked.has(one))
    console.info(
      `${machine.id}: ${declared.length - missing.length} of ${declared.length} declared transitions walked`,
    )
    expect(missing).toEqual([])
    expect([...walked].filter((one) => !declared.includes(one))).toEqual([])
  })
})
