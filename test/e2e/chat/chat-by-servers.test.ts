// Proves that a channel is read and written by the tools of an MCP server, without a model and without a key of fed's,
// whatever names the server has for things, and that a server which hangs, lies or dies holds up nobody. It fails when
// a message is lost or answered twice, when a call has no end, when a cycle fails because of a chat, or when anything
// that a server started outlives it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { ProductChannel } from '../../../src/apps/chat/product-channel.ts'
import { argumentsFor } from '../../../src/apps/chat/server/tool-arguments.ts'
import { pageOf, postedId } from '../../../src/apps/chat/server/tool-results.ts'
import { ServerTools, type ServerConfig } from '../../../src/apps/chat/server/server-tools.ts'
import { identify, isRunning } from '../../../src/platform/process/process-identity.ts'
import { chatConfig, configure, saidIn } from '../../support/chat.ts'
import { HostedChannel } from '../../support/chat-host.ts'
import { fed, fedDone, fedJson, newFederation } from '../../support/fed.ts'
import { until } from '../../support/until.ts'

let channel: HostedChannel
beforeEach(() => {
  channel = new HostedChannel()
})

const program = fileURLToPath(new URL('../../agents/chat-server.mjs', import.meta.url))
const slack = { list: 'get_channel_history', post: 'post_message' }
const teams = {
  list: 'list_channel_messages',
  post: 'send_channel_message',
  reply: 'reply_to_channel_message',
}
const serverOf = (tools: ServerConfig['tools'], ...behaviours: string[]): ServerConfig => ({
  command: [process.execPath, program, channel.folder, ...behaviours],
  tools,
})
const open = (server: ServerConfig, patienceMs = 20_000) =>
  new ServerTools(chatConfig, server, { cwd: channel.folder, patienceMs, log: () => undefined })
const since = () => new Date(Date.now() - 60_000).toISOString()

test.each([
  { name: 'slack', tools: slack },
  { name: 'teams', tools: teams },
])(
  'a server like that of $name: commands are carried out once and answered in their threads',
  async ({ name, tools }) => {
    const root = await newFederation({ docs: 'Document the storage' })
    configure(root, { federationName: 'Shop', chatConfig: { ...chatConfig, server: serverOf(tools, name) } })
    for (let index = 0; index < 15; index += 1) channel.say(`talk ${index}`, 'bob', 30_000 - index)
    const pause = channel.say('@Shop pause docs', 'ann@example.org', 20_000)
    const why = channel.say('@Shop why is docs paused?', 'ann@example.org', 10_000)
    await fedDone(root, ['chat', '--once'])
    await fedDone(root, ['chat', '--once'])
    expect(channel.answersTo(pause)).toEqual(['docs is paused; resume takes it back to where it was'])
    expect(channel.answersTo(why)).toEqual([
      expect.stringMatching(/^· docs is paused since .*: ann@example\.org asked for it in the chat$/),
    ])
    await fedDone(root, ['monitor'])
    expect(channel.messages().at(-1)).toMatchObject({ text: expect.stringMatching(/^Shop: 1 team/) })
    expect(saidIn(root)).toEqual([])
    expect(await fedJson(root, ['chat', '--status'])).toMatchObject({
      channel: 'server',
      unreached: null,
      trouble: null,
    })
  },
)

test('what a tool does not declare it is not given, and what is configured stands as it is', async () => {
  const tools = open({ ...serverOf(slack, 'slack'), arguments: { channel_id: 'C0123', other: 'x' } })
  await tools.list(since(), null)
  expect(await tools.post('t1', 'Hello')).toBe('posted-1')
  await tools.close()
  const calls = readFileSync(path.join(channel.folder, 'notes.jsonl'), 'utf8').trim().split('\n')
  expect(
    calls.map((line) => JSON.parse(line) as { given?: object }).flatMap(({ given }) => given ?? []),
  ).toEqual([
    { channel_id: 'C0123', limit: 100 },
    { channel_id: 'C0123', text: 'Hello', thread_ts: 't1' },
  ])
})

const silence = /^the server of chatConfig fails \(.*\): .*(?:timed out|timeout|no answer)/i
test.each([
  ['mute', silence, 1500],
  ['hangs', silence, 1500],
  ['garbage', silence, 1500],
  ['huge', silence, 1500],
  ['dies', /fails \(get_channel_history\): .*closed/i, 30_000],
  ['prose', /the tool get_channel_history answered no JSON: Here are your messages!/, 30_000],
  ['foreign', /no message that the tool get_channel_history answered has an id, a sender/, 30_000],
  ['demands', /needs workspace, which fed does not know; chatConfig\.server\.arguments can give it/, 30_000],
  ['refuses', /the tool get_channel_history failed: not_in_channel \[31m$/, 30_000],
])('of a server that %s, the words are plain, and it ends', async (behaviour, words, patienceMs) => {
  const tools = open(serverOf(slack, 'slack', behaviour), patienceMs)
  await expect(tools.list(since(), null)).rejects.toThrow(words)
  const [start] = channel.notes('start')
  const identity = start && identify(start.pid)
  await tools.close()
  await until('the end of the server', () => identity === undefined || !isRunning(identity))
})

test('pages that go on for ever are read no further than what was asked for', async () => {
  const tools = open(serverOf(slack, 'slack', 'endless'))
  for (let index = 0; index < 25; index += 1)
    channel.say(`talk ${index}`, 'bob', index < 15 ? 86_400_000 : 1000)
  const product = new ProductChannel('key', 'the channel', tools)
  expect((await product.read(undefined)).heard).toHaveLength(10)
  expect(channel.notes('call')).toHaveLength(2)
  await product.close()
})

test('what people said is found behind a page of what nobody said', async () => {
  const tools = open(serverOf(slack, 'slack'))
  channel.say('@shop status', 'ann', 2000)
  for (let index = 0; index < 10; index += 1) channel.say('', '', 1000)
  const product = new ProductChannel('key', 'the channel', tools)
  expect((await product.read(undefined)).heard).toHaveLength(1)
  await product.close()
})

test('a server that begins with the oldest is read to its end', async () => {
  const tools = open(serverOf(slack, 'slack', 'oldest'))
  for (let index = 0; index < 25; index += 1) channel.say(`talk ${index}`, 'bob', 86_400_000 - index)
  channel.say('@shop status', 'ann', 1000)
  const product = new ProductChannel('key', 'the channel', tools)
  expect((await product.read(undefined)).heard.map(({ message }) => message.sender)).toEqual(['ann'])
  await product.close()
})

test.each([
  ['a number keeps its digits', '{"id":1304567890123456789,"user":"ann"', { id: '1304567890123456789' }],
  [
    'digits in a text stay',
    '{"id":7,"user":"1304567890123456789"',
    { id: '7', sender: '1304567890123456789' },
  ],
  [
    'a bot is no one whose name it bears',
    '{"id":7,"bot_id":"B1","username":"ann@example.org"',
    { sender: 'B1' },
  ],
])('of a message, %s', (_, begin, told) => {
  const text = `{"messages":[${begin},"at":"2026-11-22T12:00:00Z","text":"\\"1304567890123456789"}]}`
  const { messages } = pageOf('list', { content: [{ type: 'text', text }] })
  expect(messages).toEqual([expect.objectContaining({ ...told, text: '"1304567890123456789' })])
})

test.each([
  ['{"ok":false,"error":"not_in_channel"}', 'the tool post failed: not_in_channel'],
  ['{"error":{"code":403,"message":"Forbidden"}}', 'the tool post failed: Forbidden'],
  ['{"success":false}', 'the tool post failed: it does not say why'],
  ['Error posting message: no such channel', 'the tool post failed: Error posting message: no such channel'],
])('a tool that answers %s did nothing', (text, words) => {
  const result = { content: [{ type: 'text', text }] }
  expect(() => postedId('post', result)).toThrow(words)
  if (text.startsWith('{')) expect(() => pageOf('post', result)).toThrow(words)
})

test('a tool that tells of no error did what it was asked for', () => {
  for (const text of ['Done', '{"ok":true,"id":7,"error":null}', '{"id":"7","error":""}'])
    expect(postedId('post', { content: [{ type: 'text', text }] })).toBe(text === 'Done' ? null : '7')
})

test('a time is given to no tool that wants a number for it', () => {
  const tool = { name: 'list', inputSchema: { properties: { since: { type: 'number' }, limit: {} } } }
  expect(argumentsFor(tool, { since: since(), limit: 7 }, {})).toEqual({ limit: '7' })
})

test('a program or a tool that there is not is told with what there is', async () => {
  const missing = open({ ...serverOf(slack), command: ['no-such-server'] })
  await expect(missing.list(since(), null)).rejects.toThrow("there is no program 'no-such-server' to start")
  const other = open(serverOf({ ...slack, list: 'listMessages' }, 'slack'))
  await expect(other.list(since(), null)).rejects.toThrow(
    'no tool listMessages; it has get_channel_history, post_message',
  )
  await other.close()
})

test('where the channel is written and not read, every cycle and the doctor say so', async () => {
  const root = await newFederation({ docs: undefined })
  const server = serverOf({ ...slack, list: 'listMessages' }, 'slack')
  configure(root, { federationName: 'Shop', chatConfig: { ...chatConfig, server } })
  expect((await fed(root, ['chat', '--once'])).code).toBe(1)
  const { stderr } = await fed(root, ['monitor'])
  expect(stderr).toMatch(/in the channel of chatConfig is not read: the server has no tool listMessages/)
  expect(channel.messages()).toHaveLength(1)
  const { stdout } = await fed(root, ['doctor'])
  expect(stdout.replace(/\s+/g, ' ')).toContain('the server has no tool listMessages')
  configure(root, { chatConfig: { ...chatConfig, server: serverOf(slack, 'slack') } })
  await fedDone(root, ['chat', '--once'])
  expect((await fed(root, ['monitor'])).stderr).not.toContain('is not read')
})

test('a server that dies fails no cycle: the summary stands in the local file, and the doctor says why', async () => {
  const root = await newFederation({ docs: 'Document the storage' })
  configure(root, {
    federationName: 'Shop',
    chatConfig: { ...chatConfig, server: serverOf(slack, 'slack', 'dies') },
  })
  const { code, stderr } = await fed(root, ['monitor'])
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/not reached: the server of chatConfig fails.*fed chat log/),
  ])
  expect(saidIn(root).map(({ text }) => text)).toEqual(['Shop: 1 team, nothing needs you\n· docs preparing'])
  const { stdout } = await fed(root, ['doctor'])
  expect(stdout).toMatch(/chat.*not reached since .*the server of chatConfig fails/s)
})
