// A host of agents with chat tools, written from the Agent Client Protocol's description alone: its channel is a file
// of JSON lines. `chat-host.mjs <folder> <behaviour>…` with any of
//   pages     tells seven messages at a time          reorders  tells them in another order than they were said
//   repeats   tells each page's last once more        fails     answers every third request with an error or with
//   forgets   knows no message whose id stands in the file `forgotten`
//   nameless  does not tell the ids of what it posted
//   silent    never answers a prompt                            prose, after it has done what it was asked
//   slow      waits for the file `go` before it answers what people ask
//   queues    does one thing after the other, and says that it thinks
//   loads     takes up the sessions in which it was asked something, also those of an earlier process
//   forbidden asks for permissions before it answers what people ask
//   modern    says what no version of the protocol knows
//   insists   asks for permissions that are for ever
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { channelIn } from './channel.mjs'
import { waitUntil } from './wait-until.mjs'

const [folder, ...behaviours] = process.argv.slice(2)
const is = (behaviour) => behaviours.includes(behaviour)
const { messages, note, post } = channelIn(folder)

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const mustBeThere = (thread) => {
  if (!is('forgets') || thread === null) return
  if (readFileSync(path.join(folder, 'forgotten'), 'utf8').split('\n').includes(thread))
    throw new Error('there is no such message')
}
const pageSize = is('pages') ? 7 : 1000

const tools = {
  list({ since, cursor, team, channel: id }) {
    note('list', { since, cursor, team, id })
    let all = messages().filter(({ at }) => at >= since)
    if (is('reorders')) all = all.toReversed()
    const from = Number(cursor ?? 0)
    const page = all.slice(from, from + pageSize)
    if (is('repeats') && page.length > 0) page.push(page[0])
    return { messages: page, next: from + pageSize < all.length ? `${from + pageSize}` : null }
  },
  post({ thread, text }) {
    mustBeThere(thread)
    const id = post('host', thread, text)
    return { id: is('nameless') ? null : id }
  },
}

let calls = 0
let asked = 0
const waiting = new Map()

function ask(method, params) {
  const id = `ask-${(asked += 1)}`
  send({ id, method, params })
  return new Promise((resolve) => waiting.set(id, resolve))
}

async function permission(sessionId, toolCall) {
  const options = [
    { optionId: 'yes', name: 'Yes', kind: is('insists') ? 'allow_always' : 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ]
  const { outcome } = await ask('session/request_permission', { sessionId, toolCall, options })
  note('permission', { title: toolCall.title, answer: outcome.optionId ?? outcome.outcome })
}

async function converse(sessionId, text) {
  note('asked', { sessionId, text })
  if (is('forbidden')) {
    await permission(sessionId, { toolCallId: '1', title: 'Edit', kind: 'edit' })
    const run = (id, command) =>
      permission(sessionId, { toolCallId: id, title: command, kind: 'execute', rawInput: { command } })
    await run('2', 'fed status docs')
    await run('3', 'fed status; rm -rf .')
    await run('4', 'fed launch --team docs --agent "sh -c id"')
    await run('5', `fed status "it's"; rm -rf . 'x'`)
    await run('6', `fed status "a'$(id)'b"`)
    await run('7', `fed reply meta 12345678 --body "it's 8080; use 'that'"`)
    await run('14', 'fed diagram docs --output .bashrc')
    await permission(sessionId, { toolCallId: '8', title: 'Read', kind: 'read' })
    const read = (id, given) =>
      permission(sessionId, { toolCallId: id, title: JSON.stringify(given), kind: 'read', ...given })
    await read('9', { rawInput: { file_path: 'src/app.ts' } })
    await read('10', { rawInput: { file_path: '/etc/passwd' } })
    await read('11', { rawInput: { path: '~/.ssh/id_rsa' } })
    await read('12', { locations: [{ path: '/etc/passwd' }] })
    await permission(sessionId, { toolCallId: '13', title: 'Fetch', kind: 'fetch' })
  }
  if (is('insists')) {
    const rawInput = { command: 'fed status docs' }
    await permission(sessionId, { toolCallId: '1', title: 'Status', kind: 'execute', rawInput })
  }
  if (is('modern')) {
    for (const update of [{ sessionUpdate: 'hologram' }, { sessionUpdate: 'tool_call', kind: 7 }, null, 'x'])
      send({ method: 'session/update', params: { sessionId, update } })
    send({ method: 'session/update' })
  }
  const mayGo = () => {
    const isThere = existsSync(path.join(folder, 'go'))
    if (!isThere && is('queues')) {
      note('thought', { at: Date.now() })
      say(sessionId, 'agent_thought_chunk', 'hm')
    }
    return isThere
  }
  if (is('slow')) await waitUntil(mayGo)
  return 'All is well, @shop'
}

function say(sessionId, sessionUpdate, text) {
  const update = { sessionUpdate, content: { type: 'text', text } }
  send({ method: 'session/update', params: { sessionId, update } })
}

async function prompt({ sessionId, prompt: [{ text }] }) {
  if (is('silent')) return new Promise(() => undefined)
  const line = text.split('\n').findLast((one) => one.startsWith('fed-chat '))
  const request = line === undefined ? undefined : JSON.parse(line.slice(9))
  let answer =
    request === undefined ? await converse(sessionId, text) : JSON.stringify(tools[request.do](request))
  calls += 1
  if (is('fails') && calls % 3 === 0) {
    if (calls % 2 === 0) throw new Error('the tool did not answer')
    answer = 'I did what you asked for!'
  }
  const half = Math.floor(answer.length / 2)
  for (const part of [answer.slice(0, half), answer.slice(half)]) say(sessionId, 'agent_message_chunk', part)
  return { stopReason: 'end_turn' }
}

let turns = Promise.resolve()

function inTurn(params) {
  if (!is('queues')) return prompt(params)
  const turn = turns.then(() => prompt(params))
  turns = turn.catch(() => undefined)
  return turn
}

function load({ sessionId }) {
  note('load', { sessionId })
  const notes = readFileSync(path.join(folder, 'notes.jsonl'), 'utf8').trim().split('\n')
  const isKnown = notes
    .map((line) => JSON.parse(line))
    .some((one) => one.kind === 'asked' && one.sessionId === sessionId)
  if (!isKnown) throw new Error('there is no such session')
  // what was said in it is told again
  say(sessionId, 'user_message_chunk', 'what did you find?')
  say(sessionId, 'agent_message_chunk', 'All was well')
  return {}
}

const answers = {
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: is('loads') },
    authMethods: [],
  }),
  'session/new': () => ({ sessionId: `session-${process.pid}-${(asked += 1)}` }),
  'session/prompt': inTurn,
  'session/load': load,
}

note('start', { team: process.env.FED_TEAM })
createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { id, method, params, result } = JSON.parse(line)
    if (method === undefined) return waiting.get(id)?.(result)
    if (id === undefined) return undefined
    try {
      send({ id, result: await answers[method](params) })
    } catch (error) {
      send({ id, error: { code: -32_603, message: error.message } })
    }
    return undefined
  })
  .on('close', () => process.exit())
