// Proves that with inspection on every process that steps a team tells one wire what its commits did, in the
// messages of the Stately inspector, that the history replays into the same messages, and that a wire that cannot
// be written stops nothing. Fails when a message is missing, doubled or differs from the history.
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { WireMessage } from '../../../src/engine/inspection/message.ts'
import { agent, fed, fedDone, newFederation } from '../../support/fed.ts'

let root: string
beforeEach(async () => {
  root = await newFederation({ docs: 'Document the app' })
})

const inspected = { env: { FED_INSPECT: '1' } }
const folder = () => path.join(root, '.fed', 'inspection')
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WireMessage)
const wire = () => linesOf(readFileSync(path.join(folder(), 'wire.jsonl'), 'utf8'))
const replayed = async (...more: string[]) =>
  linesOf(await fedDone(root, ['inspect', 'docs', '--wire', ...more]))
const inOrder = (messages: readonly WireMessage[]) =>
  messages
    .filter(({ type }) => type !== '@xstate.actor')
    .toSorted((a, b) => a.fed.version - b.fed.version || a.fed.index - b.fed.index)

test('a mission that several processes carry on is told once, as its history tells it', async () => {
  await fedDone(root, ['launch', '--team', 'docs', '--agent', agent('good'), '--inspect'])
  const live = wire()
  expect(live.filter(({ type }) => type === '@xstate.actor')).toHaveLength(1)
  expect(new Set(live.map(({ id }) => id)).size).toBe(live.length)
  const history = inOrder(await replayed())
  // the mission was given before anybody looked
  const missed = history.filter(({ fed: { version } }) => version < (inOrder(live)[0]?.fed.version ?? 0))
  expect(inOrder(live)).toEqual(history.slice(missed.length))
  const states = history.flatMap((one) => (one.type === '@xstate.snapshot' ? [one.snapshot.value] : []))
  expect(states).toEqual([
    { working: 'preparing' },
    { working: 'scanning' },
    { working: 'distilling' },
    { working: 'aggregating' },
    'complete',
  ])
})

test('its messages are those of the inspector', async () => {
  await fedDone(root, ['report', 'mission-planned', '--body', 'src/app.ts', '--team', 'docs'], inspected)
  const [actor, event, snapshot, ...others] = wire()
  expect(others).toEqual([])
  const base = {
    sessionId: 'docs/1',
    rootId: 'docs/1',
    _version: '0.7.2',
    createdAt: expect.stringMatching(/^\d{13}$/) as string,
    id: expect.any(String) as string,
  }
  expect(actor).toMatchObject({
    type: '@xstate.actor',
    name: 'docs',
    ...base,
    snapshot: { status: 'active', value: { working: 'preparing' } },
  })
  const definition = JSON.parse((actor as { definition: string }).definition) as {
    id: string
    states: Record<string, { on: object }>
  }
  expect(definition.id).toBe('deliverable')
  expect(definition.states['working']?.on).toMatchObject({
    'directive.*': [
      { guard: { type: 'fromCoordinator and isMission and hasNoMission' } },
      { actions: 'addInstruction' },
    ],
  })
  expect(event).toMatchObject({
    type: '@xstate.event',
    sourceId: 'docs/1',
    ...base,
    event: {
      type: 'report.mission-planned',
      outcome: 'accepted',
      evidence: { existingPaths: ['src/app.ts'] },
    },
  })
  expect(snapshot).toMatchObject({
    type: '@xstate.snapshot',
    ...base,
    event: { type: 'report.mission-planned' },
    snapshot: { status: 'active', value: { working: 'scanning' }, context: { plan: 'src/app.ts' } },
  })
})

test('a refused event is marked, and moves nothing', async () => {
  const refused = await fed(root, ['report', 'document-written', '--team', 'docs'], inspected)
  expect(refused.code).toBe(5)
  const [, event, ...others] = wire()
  expect(others).toEqual([])
  expect(event).toMatchObject({
    event: { type: 'report.document-written', outcome: 'refused', refusal: { kind: 'not-accepted-here' } },
  })
})

test('several signals of one commit are told one after the other', async () => {
  for (const subject of ['pause', 'resume', 'pause'])
    await fedDone(root, ['send', 'docs', '--type', 'directive', '--subject', subject])
  await fedDone(root, ['monitor', '--inspect'])
  expect(wire().flatMap((one) => (one.type === '@xstate.snapshot' ? [one.snapshot.value] : []))).toEqual([
    'paused',
    { working: 'preparing' },
    'paused',
  ])
  expect(inOrder(wire())).toEqual(inOrder(await replayed()).slice(-6))
})

test('each mission is an actor of its own, and can be replayed by itself', async () => {
  await fedDone(root, ['launch', '--team', 'docs', '--agent', agent('good')], inspected)
  await fedDone(root, ['launch', '--team', 'docs', '--reset', '--agent', agent('good')], inspected)
  const actors = (messages: readonly WireMessage[]) =>
    messages.flatMap(({ type, sessionId }) => (type === '@xstate.actor' ? [sessionId] : []))
  expect(actors(wire())).toEqual(['docs/1', 'docs/2'])
  expect(actors(await replayed())).toEqual(['docs/1', 'docs/2'])
  const first = await replayed('--mission', '1')
  expect(first.every(({ sessionId }) => sessionId === 'docs/1')).toBe(true)
  expect(first.at(-1)).toMatchObject({ snapshot: { status: 'done', value: 'complete' } })
  expect(await fed(root, ['inspect', 'docs', '--wire', '--mission', '3'])).toMatchObject({ code: 4 })
})

test('nobody who did not ask is told anything', async () => {
  await fedDone(root, ['pause', 'docs'])
  await fedDone(root, ['resume', 'docs'], { env: { FED_INSPECT: '0' } })
  expect(existsSync(folder())).toBe(false)
  expect(await fed(root, ['inspect', 'docs', '--mission', '1'])).toMatchObject({ code: 2 })
})

test('a wire that cannot be written stops nothing', async () => {
  writeFileSync(folder(), 'in the way')
  expect(await fed(root, ['pause', 'docs'], inspected)).toMatchObject({ code: 0, stderr: '' })
  rmSync(folder())
  mkdirSync(path.join(folder(), 'wire.jsonl'), { recursive: true })
  expect(await fed(root, ['resume', 'docs'], inspected)).toMatchObject({ code: 0, stderr: '' })
})

test('a wire that became long is put aside, and the next one hears of the machines anew', async () => {
  await fedDone(root, ['pause', 'docs'], inspected)
  truncateSync(path.join(folder(), 'wire.jsonl'), 16 * 1024 * 1024)
  await fedDone(root, ['resume', 'docs'], inspected)
  expect(wire().map(({ type }) => type)).toEqual(['@xstate.actor', '@xstate.event', '@xstate.snapshot'])
  expect(existsSync(path.join(folder(), 'wire.1.jsonl'))).toBe(true)
})
