// Proves that a channel which only an agent host can reach is read and written without taking anything on faith:
// long histories come in pages, in any order and more than once, requests fail although they were carried out, and
// a host falls silent. It fails when a message is lost or answered twice, when a bridge hangs, when an agent may do
// more than the meta coordinator, or when people wait for each other.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { postSummary } from '../../../src/apps/chat/after-cycle.ts'
import { monitor, openFederation } from '../../../src/index.ts'
import { chatConfig, configure, saidIn, say } from '../../support/chat.ts'
import { openBridge } from '../../support/bridge.ts'
import { HostedChannel } from '../../support/chat-host.ts'
import { fed, fedDone, fedJson, newFederation, startFed } from '../../support/fed.ts'
import { historyOf, statusOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'
import { someOf } from '../../support/thorough.ts'

let root: string
let channel: HostedChannel

beforeEach(async () => {
  root = await newFederation({ docs: 'Document the storage' })
  channel = new HostedChannel()
})

const withHost = (...behaviours: string[]) =>
  configure(root, { federationName: 'shop', chatConfig, agentCommand: channel.command(...behaviours) })

/** Whether something came to its end without an error. */
const outcome = (done: Promise<unknown>) =>
  done.then(
    () => true,
    () => false,
  )
const stateOf = async () => (await statusOf(root, 'docs')).state

test('a long history with paging, in no order and more than once, by a host that fails every third time', async () => {
  withHost('pages', 'reorders', 'repeats', 'fails')
  channel.say('@shop archive docs', 'ann@example.org', 86_400_000)
  const before = Array.from({ length: 30 }, (_, index) =>
    channel.say(`talk ${index}, a@shop.org`, 'bob', 60_000 - index),
  )
  const pause = channel.say('@shop pause docs', 'ann@example.org', 50_000)
  for (let index = 0; index < 30; index += 1) channel.say(`more talk ${index}`, 'bob', 40_000 - index)
  const resume = channel.say('@shop resume docs', 'bob', 30_000)
  const status = channel.say('@shop docs?', 'ann@example.org', 20_000)
  const answers = () => [pause, resume, status].map((one) => channel.answersTo(one).length)
  for (let turn = 0; turn < 6 && answers().includes(0); turn += 1) await fed(root, ['chat', '--once'])
  await fed(root, ['chat', '--once'])
  expect(answers()).toEqual([1, 1, 1])
  expect(before.flatMap((one) => channel.answersTo(one))).toEqual([])
  expect(await stateOf()).toBe('preparing')
  const history = await historyOf(root, 'docs')
  expect(history.map(({ event }) => event).filter((event) => /pause|resume/.test(event))).toEqual([
    'directive.pause',
    'directive.resume',
  ])
})

test('a silent host is given up after its time, nothing is lost, and it is answered when the host is back', async () => {
  withHost('silent')
  const pause = channel.say('@shop pause docs')
  const { code, stderr } = await fed(root, ['chat', '--once', '--timeout', '300ms'])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/silent for 0\.3 seconds/)])
  const bridge = startFed(root, ['chat', '--timeout', '300ms', '--interval', '200ms'])
  await until('the trouble', () => bridge.stderr().includes('I go on trying'))
  expect(await fedJson(root, ['chat', '--status'])).toMatchObject({
    running: true,
    trouble: { message: expect.stringContaining('silent') },
  })
  bridge.kill('SIGTERM')
  expect((await bridge.ended).code).toBe(130)
  withHost()
  await fedDone(root, ['chat', '--once'])
  expect(channel.answersTo(pause)).toEqual(['docs is paused; resume takes it back to where it was'])
})

test.each([{ behaviours: ['fails'] }, { behaviours: ['fails', 'nameless'] }])(
  'what it posts bears no mark, and is said once, also in the same words: $behaviours',
  async ({ behaviours }) => {
    withHost(...behaviours)
    const first = channel.say('@shop docs?', 'ann')
    channel.say('@shop docs?', 'bob', 0, first.id)
    channel.say('@shop docs?', 'cy', 0, first.id)
    const { bridge, ledger, end } = await openBridge(root)
    const isDone = async () => (await outcome(bridge.once())) && (ledger.read()?.posts ?? []).length === 0
    for (let turn = 0; turn < 12 && !(await isDone()); turn += 1);
    await end()
    const answers = channel.messages().filter(({ sender }) => sender === 'bot@example.org')
    expect(answers.map(({ text, thread }) => [text, thread])).toEqual(
      Array.from({ length: 3 }, () => ['· docs preparing: Document the storage', first.id]),
    )
  },
)

test('what code does not understand goes to one session, and others need not wait for its answer', async () => {
  withHost('slow')
  const bridge = startFed(root, ['chat', '--interval', '200ms'])
  const first = channel.say('@shop what did you find?')
  await until('the question', () => channel.notes('asked').length === 1)
  const pause = channel.say('@shop pause docs', 'bob')
  await until('the answer to bob', () => channel.answersTo(pause).length > 0)
  expect(channel.answersTo(first)).toEqual(['Heard you, ann@example.org; the answer comes here.'])
  writeFileSync(path.join(channel.folder, 'go'), '')
  await until('the answer to ann', () => channel.answersTo(first).length === 2)
  const second = channel.say('@shop and what else?', 'bob')
  await until('the second answer', () => channel.answersTo(second).length === 2)
  bridge.kill('SIGTERM')
  await bridge.ended
  expect(channel.answersTo(second).at(-1)).toBe('All is well, shop')
  const [one, other] = channel.notes('asked')
  expect(one?.sessionId).toBe(other?.sessionId)
  expect(one?.text).toMatch(/# Orchestration[\s\S]*docs preparing[\s\S]*"what did you find\?"/)
  expect(other?.text).not.toMatch(/# Orchestration/)
})

test('the next bridge goes on with the session, and begins another where the agent lost it', async () => {
  withHost('loads')
  const ask = async (text: string) => {
    const question = channel.say(text)
    await fedDone(root, ['chat', '--once'])
    expect(channel.answersTo(question).at(-1)).toBe('All is well, shop')
    return channel.notes('asked').at(-1)
  }
  const first = await ask('@shop what did you find?')
  const second = await ask('@shop and what else?')
  expect(second?.sessionId).toBe(first?.sessionId)
  expect([first?.text, second?.text].map((text) => text?.includes('# Orchestration'))).toEqual([true, false])
  rmSync(path.join(channel.folder, 'notes.jsonl'))
  const third = await ask('@shop and now?')
  expect(channel.notes('load').map(({ sessionId }) => sessionId)).toEqual([first?.sessionId])
  expect(third?.sessionId).not.toBe(first?.sessionId)
  expect(third?.text).toContain('# Orchestration')
})

test('a host that does one thing after the other is not silent while it thinks', async () => {
  withHost('slow', 'queues')
  const bridge = startFed(root, ['chat', '--interval', '100ms', '--timeout', '5s'])
  const question = channel.say('@shop what did you find?')
  await until('its thoughts, for longer than it may be silent', () => {
    const thoughts = channel.notes('thought').map(({ at }) => at ?? 0)
    return (thoughts.at(-1) ?? 0) - (thoughts[0] ?? 0) > 6000
  })
  writeFileSync(path.join(channel.folder, 'go'), '')
  await until('the answer', () => channel.answersTo(question).length === 2)
  bridge.kill('SIGTERM')
  await bridge.ended
  expect([channel.notes('start').length, channel.notes('asked').length]).toEqual([1, 1])
})

test.each(someOf(['SIGKILL', 'SIGTERM'] as const, 1))(
  '%s while an agent is asked: it is asked again, and told so',
  async (signal) => {
    withHost('slow')
    const bridge = startFed(root, ['chat', '--interval', '200ms'])
    const question = channel.say('@shop what did you find?')
    await until('the question', () => channel.notes('asked').length === 1)
    bridge.kill(signal)
    await bridge.ended
    writeFileSync(path.join(channel.folder, 'go'), '')
    await fedDone(root, ['chat', '--once'])
    expect(channel.answersTo(question)).toEqual([
      'Heard you, ann@example.org; the answer comes here.',
      'All is well, shop',
    ])
    expect(channel.notes('asked').at(-1)?.text).toContain('stopped before it answered')
  },
)

test('the agent may do what the meta coordinator may, and no more', async () => {
  withHost('forbidden')
  channel.say('@shop what did you find?')
  await fedDone(root, ['chat', '--once'])
  expect(channel.notes('permission').map(({ title, answer }) => [title, answer])).toEqual([
    ['Edit', 'no'],
    ['fed status docs', 'yes'],
    ['fed status; rm -rf .', 'no'],
    ['fed launch --team docs --agent "sh -c id"', 'no'],
    [`fed status "it's"; rm -rf . 'x'`, 'no'],
    [`fed status "a'$(id)'b"`, 'no'],
    [`fed reply meta 12345678 --body "it's 8080; use 'that'"`, 'yes'],
    ['fed diagram docs --output .bashrc', 'no'],
    ['Read', 'yes'],
    ['{"rawInput":{"file_path":"src/app.ts"}}', 'yes'],
    ['{"rawInput":{"file_path":"/etc/passwd"}}', 'no'],
    ['{"rawInput":{"path":"~/.ssh/id_rsa"}}', 'no'],
    ['{"locations":[{"path":"/etc/passwd"}]}', 'no'],
    ['Fetch', 'no'],
  ])
})

test('what no version of the protocol knows is passed over, and no permission is for ever', async () => {
  withHost('modern', 'insists')
  const question = channel.say('@shop what did you find?')
  const { stderr } = await fed(root, ['chat', '--once'])
  expect(channel.answersTo(question).at(-1)).toBe('All is well, shop')
  expect(channel.notes('permission').map(({ answer }) => answer)).toEqual(['no'])
  expect(stderr).not.toMatch(/error/i)
})

test('a monitoring cycle posts its summary by the host, once', async () => {
  withHost('fails')
  await fedDone(root, ['monitor'])
  await fedDone(root, ['monitor'])
  await fedDone(root, ['chat', '--once'])
  const heads = channel.messages().map(({ text }) => text)
  expect(heads.filter((text) => text.includes('· docs preparing'))).toHaveLength(1)
  expect(heads.at(-1)).toBe('shop: 1 team, nothing needs you; nothing new')
})

test('a summary for which nobody stays any more asks no host, and waits', async () => {
  withHost('silent')
  const federation = await openFederation(root)
  await monitor(federation)
  expect(await postSummary(federation, AbortSignal.abort())).toContain('no longer talked to')
  expect(channel.notes('start')).toEqual([])
})

test('the embedded agent is a host for the local channel', async () => {
  configure(root, { federationName: 'shop', chatConfig })
  const pause = await say(root, '@shop pause docs')
  for (let index = 0; index < 60; index += 1) channel.say('unused')
  await fedDone(root, ['chat', '--once', '--channel', 'host'])
  await fedDone(root, ['chat', '--once', '--channel', 'host'])
  const answers = saidIn(root).filter(({ thread, id }) => thread === pause.id && id !== pause.id)
  expect(answers.map(({ text }) => text)).toEqual(['docs is paused; resume takes it back to where it was'])
})

test('with a local channel, an agent answers what code does not understand', async () => {
  configure(root, { federationName: 'shop', agentCommand: channel.command() })
  const question = await say(root, '@shop what did you find?')
  await fedDone(root, ['chat', '--once'])
  const answers = saidIn(root).filter(({ thread, id }) => thread === question.id && id !== question.id)
  expect(answers.map(({ text }) => text)).toEqual([
    'Heard you, ann; the answer comes here.',
    'All is well, shop',
  ])
  expect(channel.notes('start')).toHaveLength(1)
})
