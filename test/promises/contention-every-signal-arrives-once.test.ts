// Proves that 64 senders in 8 processes lose nothing in one inbox, under one subject and in the same seconds,
// while others read, step and acknowledge it. Fails when a signal is overwritten, seen half-written, handled
// twice or not at all, acknowledged by nobody, or told to be sent and not there.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openFederation } from '../../src/index.ts'
import { bundle } from '../support/bundle.ts'
import { inboxOf, newFederation, newFolder } from '../support/federation.ts'
import { Gate } from '../support/gate.ts'
import { start } from '../support/program.ts'
import { tries } from '../support/thorough.ts'

const signals = Number(process.env.FED_TEST_CROWD ?? tries(40_000))
const processes = 8
const senders = 8
const each = Math.ceil(signals / (processes * senders))
const subject = 'Carry on'

/** What of a list stands in it more than once. */
function twice(list: readonly string[]): string[] {
  const seen = new Set<string>()
  return list.filter((one) => seen.has(one) || !seen.add(one))
}

/** Compares what may be many thousands long, so that a failure is still readable. */
function expectSameOnce(what: string, found: readonly string[], expected: readonly string[]): void {
  const [there, wanted] = [new Set(found), new Set(expected)]
  expect({
    what,
    twice: twice(found).slice(0, 5),
    missing: expected.filter((one) => !there.has(one)).slice(0, 5),
    unexpected: found.filter((one) => !wanted.has(one)).slice(0, 5),
    count: found.length,
  }).toEqual({ what, twice: [], missing: [], unexpected: [], count: wanted.size })
}

test(`${processes * senders} senders and ${processes * senders * each} signals of one subject`, async () => {
  const root = newFederation()
  const federation = await openFederation(root)
  const { actor } = await federation.onboard({ domain: 'team', archetype: 'deliverable' })
  await federation.onboard({ domain: 'peer', archetype: 'deliverable' })
  const program = await bundle('workers/crowd.ts')
  const gate = new Gate(newFolder('gate'))
  const begin = async <Result>(role: string, options: object = {}) => {
    const { code, stderr, stdout } = await start(program, [role, root, gate.folder, JSON.stringify(options)])
      .ended
    expect({ role, code, stderr }).toEqual({ role, code: 0, stderr: '' })
    return JSON.parse(stdout) as Result
  }
  const writers = Array.from({ length: processes }, (_, index) =>
    begin<{ sent: string[] }>('write', { name: `writer-${index}`, senders, each, subject }),
  )
  const steppers = [1, 2].map(() => begin<{ handled: string[] }>('step'))
  const readers = [1, 2].map(() => begin<{ read: string[] }>('acknowledge'))
  const watcher = begin<{ names: number; torn: string[] }>('watch')
  await gate.open(1, processes + 5)
  const sent = (await Promise.all(writers)).flatMap((one) => one.sent)
  gate.end('sending')
  const handled = (await Promise.all(steppers)).flatMap((one) => one.handled)
  const read = (await Promise.all(readers)).flatMap((one) => one.read)
  gate.end('handling')
  const watched = await watcher

  const arrived = [...inboxOf(actor.workspace)]
  expectSameOnce(
    'arrived',
    arrived.map(([, { id }]) => id),
    sent,
  )
  const bodies = Array.from({ length: processes * senders * each }, (_, index) => {
    const [number, sender] = [Math.floor(index / (processes * senders)), index % (processes * senders)]
    return `writer-${Math.floor(sender / senders)} ${sender % senders} ${number}`
  })
  expectSameOnce(
    'said',
    arrived.map(([, { body }]) => body),
    bodies,
  )
  const inbox = readdirSync(path.join(actor.workspace, '.fed', 'signals', 'inbox'))
  const files = arrived.map(([file]) => file)
  expectSameOnce(
    'in the inbox',
    inbox,
    files.flatMap((file) => [file, `${file}.ack`]),
  )
  expect(watched).toEqual({ names: inbox.length, torn: [] })

  const directives = arrived.flatMap(([, { id, from }]) => (from === 'meta' ? [id] : []))
  const mail = arrived.flatMap(([, { id, from }]) => (from === 'meta' ? [] : [id]))
  const team = await federation.team('team')
  const history = team.history()
  expectSameOnce(
    'handled',
    history.map(({ signal }) => signal),
    directives,
  )
  expectSameOnce('handled by one of the two', handled, directives)
  expect(history.filter(({ outcome }) => outcome !== 'accepted')).toEqual([])
  const { mission, instructions } = await team.status()
  expectSameOnce(
    'in effect',
    [mission, ...instructions].map((one) => one?.signal ?? ''),
    directives,
  )
  // both readers may have seen a signal before either acknowledged it
  expectSameOnce('read', [...new Set(read)], mail)

  const copies = [root, path.join(root, '.fed', 'teams', 'peer')].flatMap((workspace) =>
    readdirSync(path.join(workspace, '.fed', 'signals', 'outbox')),
  )
  expect(copies.filter((name) => !name.endsWith('.json'))).toEqual([])
  expect(copies).toHaveLength(sent.length)
})
