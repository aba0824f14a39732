// Proves that no flood, clock, full disk or deleted thread keeps the bridge from hearing and answering everybody
// else, and that none makes it do a command again. It fails when one sender's messages push out what is remembered
// of another's, when a clock set back counts as a flood, or when what cannot be said stands before what can.
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChatMessage } from '../../../src/apps/chat/channel.ts'
import { takeUp } from '../../../src/apps/chat/intake.ts'
import { ChatLedger } from '../../../src/apps/chat/chat-ledger.ts'
import { LocalChannel } from '../../../src/apps/chat/local-channel.ts'
import { openBridge, type TestBridge } from '../../support/bridge.ts'
import { answersTo, chatConfig, configure, say } from '../../support/chat.ts'
import { HostedChannel } from '../../support/chat-host.ts'
import { newFederation, startFed } from '../../support/fed.ts'
import { until } from '../../support/until.ts'

let root: string
const opened: TestBridge[] = []

beforeEach(async () => {
  root = await newFederation({ docs: 'Document the storage', api: undefined })
  configure(root, { federationName: 'shop' })
})
afterEach(async () => {
  vi.useRealTimers()
  for (const one of opened.splice(0)) await one.end()
})

async function open(...around: Parameters<typeof openBridge> extends [string, ...infer Rest] ? Rest : never) {
  const made = await openBridge(root, ...around)
  opened.push(made)
  return made
}

test('a clock that is set back by a day silences nobody', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
  const channel = new LocalChannel(root, 'shop')
  const { bridge } = await open()
  const verbs = [
    'status',
    'inbox',
    'help',
    'docs?',
    'api?',
    'thanks',
    'pause',
    'archive',
    'resume',
    'tell docs',
  ]
  for (const sender of ['ann', 'bob', 'cy', 'dora'])
    for (const verb of verbs) channel.say(sender, `@shop ${verb}`)
  const waits = channel.say('eve', '@shop status')
  expect(await bridge.once()).toBe(1)
  expect(answersTo(root, waits)).toEqual([])
  vi.setSystemTime(new Date('2026-11-20T12:00:00Z'))
  const later = channel.say('ann', '@shop status')
  expect(await bridge.once()).toBe(0)
  expect([waits, later].map((one) => answersTo(root, one).length)).toEqual([1, 1])
})

test('a flood pushes nothing that was done out of what is remembered', () => {
  const message = (id: string, sender: string, text: string): ChatMessage => {
    return { id, thread: id, sender, at: new Date().toISOString(), text }
  }
  const flood = Array.from({ length: 3000 }, (_, at) =>
    message(`f${at}`, at % 2 ? 'mallory' : 'eve', '@shop status'),
  )
  const channel = [message('done', 'ann', '@shop archive docs'), ...flood]
  const reading = { heard: channel.map((one) => ({ message: one, place: one.id })), place: 'end' }
  const audience = { name: 'shop', allowedSenders: ['ann', 'mallory'], teams: ['docs'], hasAgent: false }
  const ledger = new ChatLedger(root, 'local')
  const take = () => ledger.update((before) => takeUp(before, reading, audience))
  const carryOut = () =>
    ledger.update((before) => ({
      ...before,
      claims: [],
      handled: [
        ...before.handled,
        ...before.claims.map(({ id, sender }) => ({ id, done: new Date().toISOString(), answered: sender })),
      ],
    }))
  expect(take().claims.map(({ id }) => id)).toEqual(['done', 'f1'])
  carryOut()
  for (let look = 0; look < 4; look += 1) {
    expect(take().claims.map(({ id }) => id)).not.toContain('done')
    carryOut()
  }
  expect(ledger.read()?.handled.length).toBeLessThan(1100)
})

test('what is not said to a deleted thread holds up nothing else, and is said in the channel in the end', async () => {
  const channel = new HostedChannel()
  configure(root, { chatConfig, agentCommand: channel.command('forgets') })
  const gone = channel.say('@shop docs?', 'ann')
  const { bridge } = await open()
  channel.forget(gone)
  await expect(bridge.once()).rejects.toThrow(/no such message/)
  const pause = channel.say('@shop pause docs', 'bob')
  await expect(bridge.once()).rejects.toThrow(/no such message/)
  expect(channel.answersTo(pause)).toHaveLength(1)
  const isSaid = () =>
    bridge.once().then(
      () => true,
      () => false,
    )
  for (let turn = 0; turn < 20 && !(await isSaid());) turn += 1
  const said = channel.messages().filter(({ text }) => text.startsWith('· docs '))
  expect(said.map(({ id, thread }) => id === thread)).toEqual([true])
})

test('a full disk ends no bridge: it answers when there is room again', async () => {
  const bridge = startFed(root, ['chat', '--interval', '200ms'], {
    env: {
      NODE_OPTIONS: `--require=${fileURLToPath(new URL('../../support/preload/failing-disk.cjs', import.meta.url))}`,
      FED_TEST_DISK: JSON.stringify({ code: 'ENOSPC', at: 1, once: true, match: 'messages.jsonl' }),
    },
  })
  const status = await say(root, '@shop status')
  await until('the answer', () => answersTo(root, status).length > 0)
  bridge.kill('SIGTERM')
  const { code, stderr } = await bridge.ended
  expect(stderr).toMatch(/I go on trying: ENOSPC/)
  expect([code, answersTo(root, status).length]).toEqual([130, 1])
})

test('a bridge that is to end leaves what waits to the next one', async () => {
  class Ending extends LocalChannel {
    override async post(...args: Parameters<LocalChannel['post']>) {
      const id = await super.post(...args)
      first.bridge.end()
      return id
    }
  }
  const channel = new LocalChannel(root, 'shop')
  const said = ['docs', 'api'].map((team) => channel.say('ann', `@shop pause ${team}`))
  const first = await open((_, name) => new Ending(root, name))
  expect(await first.bridge.once()).toBe(1)
  await opened.pop()?.end()
  const next = await open()
  expect(await next.bridge.once()).toBe(0)
  expect(said.map((one) => answersTo(root, one).length)).toEqual([1, 1])
})
