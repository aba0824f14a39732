// Proves that each message to the federation is carried out once and answered once in its thread, by whichever
// bridge, and that a bridge which is ended in the middle of it loses none. It fails when an address counts as a
// mention, two people's messages get into each other's way, two bridges work at once, or a restart repeats anything.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { ChatLedger } from '../../../src/apps/chat/chat-ledger.ts'
import { openFederation } from '../../../src/index.ts'
import { putAway } from '../../../src/records/signals/put-away.ts'
import { answersTo, chatConfig, configure, saidIn, say } from '../../support/chat.ts'
import { fed, fedDone, fedJson, newFederation, startFed, workspaceOf } from '../../support/fed.ts'
import { historyOf, mailOf, statusOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'

let root: string

beforeEach(async () => {
  root = await newFederation({ docs: 'Document the storage', api: undefined })
  configure(root, { federationName: 'shop' })
})

const stateOf = async (team: string) => (await statusOf(root, team)).state

function directives(team: string, subject: string): number {
  const inbox = path.join(workspaceOf(root, team), '.fed', 'signals', 'inbox')
  const signals = readdirSync(inbox).filter((name) => name.endsWith('.json'))
  return signals.filter(
    (name) =>
      (JSON.parse(readFileSync(path.join(inbox, name), 'utf8')) as { subject: string }).subject === subject,
  ).length
}

test('two people at once are both answered, each in their thread', async () => {
  const [ann, bob] = await Promise.all([
    say(root, '@shop pause docs', 'ann'),
    say(root, '@shop tell api to document the ports', 'bob'),
  ])
  await fedDone(root, ['chat', '--once'])
  expect(answersTo(root, ann)).toEqual(['docs is paused; resume takes it back to where it was'])
  expect(answersTo(root, bob)).toEqual(['api has it as its mission; launch starts its agent (preparing)'])
  expect(await stateOf('docs')).toBe('paused')
  expect(directives('api', 'document the ports')).toBe(1)
})

test('what is not said to it is not answered: an address, a quotation, another name', async () => {
  for (const text of ['a@shop.org pause docs', '`@shop pause docs`', '@shopping pause docs', 'pause docs'])
    await say(root, text)
  await fedDone(root, ['chat', '--once'])
  expect(saidIn(root)).toHaveLength(4)
  expect(await stateOf('docs')).toBe('preparing')
})

test('it keeps its place: what was answered is not answered again, what comes later is', async () => {
  const first = await say(root, '@shop pause docs')
  await fedDone(root, ['chat', '--once'])
  await fedDone(root, ['resume', 'docs'])
  await fedDone(root, ['chat', '--once'])
  expect(await stateOf('docs')).toBe('preparing')
  const second = await say(root, '@shop docs?')
  await fedDone(root, ['chat', '--once'])
  expect([answersTo(root, first).length, answersTo(root, second).length]).toEqual([1, 1])
  expect(directives('docs', 'pause')).toBe(1)
})

test('a bridge goes on until it is ended, and is killed without losing or doubling anything', async () => {
  const bridge = startFed(root, ['chat'])
  await until('the bridge', () => bridge.stderr().includes('listening for @shop'))
  const pause = await say(root, '@shop pause docs')
  await until('the answer', () => answersTo(root, pause).length > 0)
  bridge.kill('SIGKILL')
  await bridge.ended
  const resume = await say(root, '@shop resume docs')
  const next = startFed(root, ['chat'])
  await until('the next answer', () => answersTo(root, resume).length > 0)
  next.kill('SIGTERM')
  expect((await next.ended).code).toBe(130)
  expect(answersTo(root, pause)).toHaveLength(1)
  expect(await stateOf('docs')).toBe('preparing')
})

test('of two bridges one works, and the other says so', async () => {
  const { pid } = await fedJson<{ pid: number }>(root, ['chat', '--detach'])
  try {
    expect(await fedJson(root, ['chat', '--status'])).toMatchObject({ running: true, pid, channel: 'local' })
    for (const args of [['--once'], [], ['--detach']]) {
      const { code, stderr } = await fed(root, ['chat', ...args])
      expect([code, stderr]).toEqual([5, expect.stringContaining(`process ${pid}`)])
    }
    const status = await say(root, '@shop status')
    await until('the answer', () => answersTo(root, status).length > 0)
  } finally {
    // whatever became of its name
    configure(root, { chatConfig, federationName: undefined })
    expect(await fedJson(root, ['chat', '--stop'])).toEqual({ stopped: pid })
    configure(root, { federationName: 'shop' })
  }
  expect(await fedJson(root, ['chat', '--status'])).toMatchObject({ running: false, waiting: 0, unsaid: 0 })
})

test('a team that there is not is told with the nearest, and what needs a model is answered honestly', async () => {
  const unknown = await say(root, '@shop pause dosc')
  const free = await say(root, '@shop why is the sky blue?')
  await fedDone(root, ['chat', '--once'])
  expect(answersTo(root, unknown)).toEqual([expect.stringContaining('no team dosc; the nearest is docs')])
  expect(answersTo(root, free)).toEqual([expect.stringMatching(/without a language model.*\n· status/)])
  expect(answersTo(root, free)[0]).not.toContain('@shop')
})

test('a team that has ended is not paused, and no trace of the attempt is left with it or with meta', async () => {
  await fedDone(root, ['alert', 'information-missing', '--team', 'docs', '--body', 'There is no API'])
  const before = await historyOf(root, 'docs')
  const mail = await mailOf(root, 'meta')
  const pause = await say(root, '@shop pause docs')
  await fedDone(root, ['chat', '--once'])
  expect(answersTo(root, pause).join()).toContain('docs is failed, which is final')
  expect(await historyOf(root, 'docs')).toEqual(before)
  expect(await mailOf(root, 'meta')).toEqual(mail)
})

test('the answer to a question comes into the thread where it was asked', async () => {
  const asked = await say(root, '@shop ask docs which port?')
  await fedDone(root, ['chat', '--once'])
  const [question] = await mailOf(root, 'docs')
  await fedDone(root, ['reply', 'docs', (question as { id: string }).id, '--body', 'It is 8080, @shop'])
  await fedDone(root, ['chat', '--once'])
  await fedDone(root, ['chat', '--once'])
  expect(answersTo(root, asked)).toEqual([
    'docs is asked; no agent works there now, launch starts it, and its answer comes here',
    'docs answers “which port?”:\nIt is 8080, shop',
  ])
  await fedDone(root, ['archive', 'docs'])
  const archived = await say(root, '@shop ask docs which port?')
  await fedDone(root, ['chat', '--once'])
  expect(answersTo(root, archived)).toEqual(['docs is archived: restore it first'])
})

test('an answer that comes after weeks, and was put away before the bridge looked, comes there all the same', async () => {
  const asked = await say(root, '@shop ask docs which port?')
  await fedDone(root, ['chat', '--once'])
  const at = new Date(Date.now() - 21 * 24 * 3_600_000).toISOString()
  new ChatLedger(root, 'local').update((ledger) => ({
    ...ledger,
    asked: ledger.asked.map((one) => ({ ...one, at })),
  }))
  await fedDone(root, ['chat', '--once'])
  const [question] = await mailOf(root, 'docs')
  await fedDone(root, ['reply', 'docs', (question as { id: string }).id, '--body', 'It is 8080'])
  await fedDone(root, ['monitor'])
  putAway((await openFederation(root)).mailbox('meta'), root, Date.now() + 1000)
  expect(await mailOf(root, 'meta')).toEqual([])
  await fedDone(root, ['chat', '--once'])
  expect(answersTo(root, asked).slice(1)).toEqual(['docs answers “which port?”:\nIt is 8080'])
})

test('two questions with the same beginning get each its own answer', async () => {
  const beginning = 'which of the many ports that the gateway opens for the shop is meant when somebody says'
  const first = await say(root, `@shop ask docs ${beginning} the first?`)
  const last = await say(root, `@shop ask docs ${beginning} the last?`)
  await fedDone(root, ['chat', '--once'])
  const questions = await fedJson<{ id: string; body: string }[]>(root, ['inbox', 'docs'])
  const idOf = (words: string) => questions.find(({ body }) => body.includes(words))?.id as string
  await fedDone(root, ['reply', 'docs', idOf('the last'), '--body', 'It is 90'])
  await fedDone(root, ['chat', '--once'])
  expect(answersTo(root, first)).toHaveLength(1)
  await fedDone(root, ['reply', 'docs', idOf('the first'), '--body', 'It is 80'])
  await fedDone(root, ['chat', '--once'])
  expect(answersTo(root, first)[1]).toContain('It is 80')
  expect(answersTo(root, last)[1]).toContain('It is 90')
})

test('only those who may command do', async () => {
  configure(root, { chatConfig: { ...chatConfig, allowedSenders: ['Ann@example.org'] } })
  const refused = [await say(root, '@shop pause docs', 'eve'), await say(root, '@shop status', 'eve')]
  const ann = await say(root, '@shop docs?', 'ann@example.org')
  await fedDone(root, ['chat', '--once'])
  expect(refused.map((one) => answersTo(root, one).length)).toEqual([1, 0])
  expect(answersTo(root, refused[0] as { id: string })).toEqual([
    expect.stringContaining('eve may not command here'),
  ])
  expect(answersTo(root, ann)).toHaveLength(1)
  expect(await stateOf('docs')).toBe('preparing')
})

test('who may command may change while a bridge works; another chat needs another bridge', async () => {
  const bridge = startFed(root, ['chat', '--interval', '200ms'])
  await until('the bridge', () => bridge.stderr().includes('listening for @shop'))
  configure(root, { chatConfig: { ...chatConfig, allowedSenders: ['ann@example.org'] } })
  const refused = await say(root, '@shop pause docs', 'eve')
  await until('the refusal', () => answersTo(root, refused).length > 0)
  expect(answersTo(root, refused)).toEqual([expect.stringContaining('eve may not command here')])
  configure(root, { federationName: 'store' })
  await say(root, '@shop pause docs', 'ann@example.org')
  const { code, stderr } = await bridge.ended
  expect([code, stderr]).toEqual([5, expect.stringContaining('start the bridge again')])
  expect(await stateOf('docs')).toBe('preparing')
})

test('a flood is answered slowly and once', async () => {
  const many = []
  for (let index = 0; index < 8; index += 1) many.push(await say(root, '@shop status', 'mallory'))
  for (const word of 'one two three four five six seven eight nine ten eleven twelve'.split(' '))
    many.push(await say(root, `@shop tell api to write chapter ${word}`, 'mallory'))
  const ann = await say(root, '@shop docs?', 'ann')
  expect(await fedJson(root, ['chat', '--once'])).toEqual({ waiting: 3 })
  const answers = many.map((one) => answersTo(root, one).filter((text) => !text.startsWith('One after')))
  expect(answers[0]).toEqual([expect.stringMatching(/said 8 times, done once/)])
  expect(answers.flat()).toHaveLength(10)
  expect(saidIn(root).filter(({ text }) => text.startsWith('One after'))).toHaveLength(1)
  expect(answersTo(root, ann)).toHaveLength(1)
})

test('who says something is told why nobody will answer, and how somebody does', async () => {
  const tell = async (...words: string[]) => (await fed(root, ['chat', 'say', ...words])).stderr
  expect(await tell('pause docs')).toMatch(/said to nobody: who listens is @shop/)
  expect(await tell('@shop', 'status')).toMatch(/no bridge works now: 'fed chat --once' answers/)
  expect([(await fed(root, ['chat', 'say', ' '])).code, saidIn(root).length]).toEqual([2, 2])
  expect((await fed(root, ['chat', 'log', '--last', 'many'])).code).toBe(2)
})

test('a chat without a name is refused by the name of the field', async () => {
  const bare = await newFederation({})
  configure(bare, { chatConfig })
  for (const args of [['chat'], ['chat', '--once'], ['chat', '--status']]) {
    const { code, stderr } = await fed(bare, args)
    expect([code, stderr]).toEqual([2, expect.stringContaining('federationName: is missing')])
  }
  configure(bare, { federationName: '@shop', chatConfig: { teamId: 'x', channelId: '19:y' } })
  const { code, stderr } = await fed(bare, ['chat', '--once'])
  expect(code).toBe(2)
  expect(stderr).toMatch(/federationName: .*begins with the @/)
  expect(stderr).toMatch(/chatConfig\.teamId: is not a GUID\n.*chatConfig\.channelId: has not the shape/)
})
