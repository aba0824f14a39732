// A task of a plan makes every transition that its machine declares and no other, and is done by a proof alone. It fails
// when a state takes an event that nobody meant for it, when an attempt is given away, or when a task ends without proof.
import { getAdjacencyMap } from '@xstate/graph'
import type { AnyStateNode } from 'xstate'
import { expect, test } from 'vitest'
import { task, type TaskEvent } from '../../machines/task.ts'
import { movedTask, newTask, standingOf, type TaskState } from '../../machines/task-standing.ts'

const at = '2026-01-01T00:00:00.000Z'
const types = ['unblock', 'allow', 'start', 'finish', 'reopen', 'revive', 'retry'] as const
const withReason = ['skip', 'block', 'tryAgain', 'fail'] as const
const eventsAfter = (after: number): TaskEvent[] => [
  ...types.map((type) => ({ type, at, after })),
  ...withReason.map((type) => ({ type, at, after, reason: 'why' })),
  { type: 'prove', at, after, proof: 'sha256:1' },
]

/** What each state becomes by each event; what is not here is refused. */
const law: Readonly<Record<TaskState, Readonly<Partial<Record<TaskEvent['type'], readonly TaskState[]>>>>> = {
  waiting: { unblock: ['gated', 'ready'], block: ['blocked'], skip: ['skipped'], fail: ['failed'] },
  blocked: { revive: ['waiting'], skip: ['skipped'], fail: ['failed'] },
  gated: { allow: ['ready'], skip: ['skipped'], fail: ['failed'] },
  ready: { start: ['running'], skip: ['skipped'], fail: ['failed'] },
  running: { finish: ['proving'], tryAgain: ['ready'], skip: ['skipped'], fail: ['failed'] },
  proving: { prove: ['done'], reopen: ['running'], skip: ['skipped'], fail: ['failed'] },
  failed: { retry: ['ready'] },
  skipped: { retry: ['waiting'] },
  done: {},
}

test('the walk through every way makes what is declared, and refuses the rest', () => {
  const seen = new Set<string>()
  for (const hasGate of [true, false]) {
    const input = { attempts: 2, hasGate, since: at }
    const map = getAdjacencyMap(task, {
      input,
      // a person may try it again without end
      events: ({ context }) => (context.attempt > 3 ? [] : eventsAfter(context.moves)),
      // how often it was moved changes nothing in what it takes
      serializeState: ({ value, context: { attempt, attempts, proof, reason } }) =>
        JSON.stringify([value, attempt, attempts, proof, reason]),
    })
    const standings = Object.values(map).map(({ state }) => standingOf(state))
    expect(standings).toContainEqual(newTask(input))
    for (const standing of standings)
      for (const event of eventsAfter(standing.context.moves)) {
        const next = movedTask(standing, event)
        const isSpent = event.type === 'tryAgain' && standing.context.attempt >= standing.context.attempts
        const meant = isSpent ? [] : (law[standing.state][event.type] ?? [])
        expect([standing.state, event.type, next === undefined]).toEqual([
          standing.state,
          event.type,
          meant.length === 0,
        ])
        if (next === undefined) continue
        expect(meant).toContain(next.state)
        seen.add(`${standing.state} ${event.type} ${next.state}`)
        expect(next.context.moves).toBe(standing.context.moves + 1)
        expect(next.context.attempt - standing.context.attempt).toBe(event.type === 'start' ? 1 : 0)
        if (next.state === 'done') expect(next.context.proof).toBe('sha256:1')
        else expect(next.context.attempt).toBeLessThanOrEqual(next.context.attempts)
      }
  }
  const leavesOf = (node: AnyStateNode): AnyStateNode[] =>
    node.type === 'compound' ? Object.values(node.states).flatMap(leavesOf) : [node]
  const entered = (node: AnyStateNode | undefined): string =>
    node?.type === 'compound' ? entered(node.initial.target[0] as AnyStateNode) : (node?.key ?? '')
  const declaredBy = (node: AnyStateNode): string[] => [
    ...leavesOf(node).flatMap((leaf) =>
      [...node.transitions].flatMap(([type, ways]) =>
        ways.map(({ target }) => `${leaf.key} ${type} ${entered(target?.[0])}`),
      ),
    ),
    ...Object.values(node.states).flatMap(declaredBy),
  ]
  const declared = declaredBy(task.root)
  expect([...seen].toSorted()).toEqual(declared.toSorted())
})
