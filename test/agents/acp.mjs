// An agent that speaks the Agent Client Protocol, written from its description alone: `acp.mjs <behaviour>…`, one
// for each time that it is started, the last one for all that follow.
//   good       asks for each tool of fed's and does its job by them
//   forbidden  asks to edit and to run first, and notes what it was answered
//   stall      never answers the first call          late      answers it when nobody listens any more
//   silent     says nothing after its prompt, obeys  deaf      the same, and does not hear that it is cancelled
//   crash      dies in the middle of its turn        flood     says far more than anybody reads, then does its job
//   limited    is over its limit for two seconds     noaccount nobody is logged in to it
//   asks       asks another team, ends its turn, and works when it is told the answer
//   unknown    sends updates that no version of the protocol knows   nameless   opens a session without an id
//   sure       decides itself what it may do, unless it is told to ask (mode `default`)
//   half       does the first step and ends its turn idle      ends its turn, and reads what it is told then
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { calls, note, Tools } from './by-tools.mjs'
import { waitUntil } from './wait-until.mjs'

const lines = createInterface({ input: process.stdin })
const inputEnded = once(lines, 'close')
const started = note('start', { args: process.argv.slice(2) })
const behaviours = process.argv.slice(2)
const behaviour = behaviours[Math.min(started, behaviours.length) - 1]
const session = `session-${started}`
const waiting = new Map()
let tools
let asked = 0
let turns = 0
let isCancelled = () => undefined

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

function ask(method, params) {
  asked += 1
  const id = `call-${asked}`
  send({ id, method, params })
  return new Promise((resolve) => waiting.set(id, resolve))
}

const update = (content) =>
  send({ method: 'session/update', params: { sessionId: session, update: content } })
const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })

const options = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]

/** Announces a tool, asks for it, and notes what was answered. */
async function permission(toolCallId, tool) {
  update({ sessionUpdate: 'tool_call', toolCallId, status: 'pending', ...tool })
  const { outcome } = await ask('session/request_permission', {
    sessionId: session,
    toolCall: { toolCallId },
    options,
  })
  note('permission', { title: tool.title, answer: outcome.optionId ?? outcome.outcome })
  return outcome.optionId === 'yes'
}

async function work(last = calls.length) {
  for (const [index, [name, input]] of calls.slice(0, last).entries()) {
    const toolCallId = `tool-${index}`
    const isAllowed = await permission(toolCallId, { title: name, name: `mcp__fed__${name}`, kind: 'other' })
    if (isAllowed) await tools.call(name, input)
    update({ sessionUpdate: 'tool_call_update', toolCallId, status: isAllowed ? 'completed' : 'failed' })
  }
}

const turn = {
  good: () => work(),
  sure: () => work(),
  async forbidden() {
    await permission('edit', { title: 'Edit src/app.ts', kind: 'edit', locations: [{ path: '/src/app.ts' }] })
    await permission('run', { title: 'rm -rf src', kind: 'execute' })
    await permission('disguise', { title: 'mcp__fed__report', kind: 'execute' })
    await permission('unknown', { title: 'something' })
    await permission('look', { title: 'Read src/app.ts', kind: 'read' })
    await work()
  },
  async pleading({ prompt }) {
    note('prompt', { text: prompt[0].text })
    await permission('run', { title: 'make docs', kind: 'execute' })
    if (turns > 1) await work()
  },
  silent: () => undefined,
  deaf: () => new Promise(() => setInterval(() => undefined, 60_000)),
  crash() {
    say('I am about to')
    setTimeout(() => process.exit(9), 50)
    return new Promise(() => undefined)
  },
  async flood() {
    writeSync(1, `${'no JSON at all '.repeat(20_000)}\n[1]\n"x"\n{"jsonrpc":"2.0"}\n`)
    for (let part = 0; part < 20_000; part += 1) say(`word ${part} `)
    await work()
  },
  async unknown() {
    for (const content of [null, 7, {}, { sessionUpdate: 'of tomorrow' }, { sessionUpdate: 'plan' }])
      update(content)
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text' } })
    update({ sessionUpdate: 'tool_call', toolCallId: 7, locations: 'here' })
    update({ sessionUpdate: 'usage_update', cost: { currency: 'USD', amount: -5 } })
    send({ method: 'session/update' })
    await work()
  },
  async asks({ prompt }) {
    note('prompt', { text: prompt[0].text })
    if (turns === 1) await tools.call('send', { to: 'api', type: 'question', subject: 'Which file?' })
    if (prompt[0].text.includes('Re: Which file?')) await work()
  },
  async half() {
    await work(1)
    say('I did the first step')
  },
  async idle({ prompt }) {
    note('prompt', { text: prompt[0].text })
    if (turns > 1) return work()
    await waitUntil(async () => (await tools.call('inbox')).length >= 2)
  },
}

const answers = {
  async initialize() {
    if (behaviour === 'stall') return new Promise(() => undefined)
    if (behaviour === 'late') await inputEnded
    return { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] }
  },
  async 'session/new'({ mcpServers }) {
    if (behaviour === 'noaccount')
      throw Object.assign(new Error('Authentication required'), { code: -32_000 })
    note('session', { new: true })
    await openTools(mcpServers)
    if (behaviour === 'nameless') return {}
    return {
      sessionId: session,
      modes:
        behaviour === 'sure'
          ? { currentModeId: 'auto', availableModes: ['auto', 'default'].map((id) => ({ id, name: id })) }
          : { currentModeId: 'build', availableModes: [{ id: 'build', name: 'Build' }] },
    }
  },
  async 'session/set_mode'({ modeId }) {
    note('mode', { modeId })
    return {}
  },
  async 'session/load'({ sessionId, mcpServers }) {
    note('session', { loaded: sessionId })
    if (sessionId === 'session-0') throw Object.assign(new Error('no such session'), { code: -32_602 })
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'what I said before' } })
    await openTools(mcpServers)
    return null
  },
  async 'session/prompt'(params) {
    turns += 1
    if (behaviour === 'limited') {
      throw Object.assign(new Error('Too many requests: try again in 2 seconds'), { code: -32_603 })
    }
    let wasCancelled = false
    const cancelled = new Promise((resolve) => {
      isCancelled = () => resolve((wasCancelled = true))
    })
    const done = turn[behaviour](params)
    if (behaviour === 'silent') await cancelled
    else await done
    return { stopReason: wasCancelled ? 'cancelled' : 'end_turn', usage: { totalTokens: 1000 * turns } }
  },
}

async function openTools(servers) {
  const [{ command, args, env }] = servers
  tools = new Tools({ command, args, env: Object.fromEntries(env.map(({ name, value }) => [name, value])) })
  await tools.open()
}

lines
  .on('line', async (line) => {
    const { id, method, params, result } = JSON.parse(line)
    if (method === undefined) return waiting.get(id)?.(result)
    if (method === 'session/cancel') {
      note('cancelled')
      return isCancelled()
    }
    try {
      const answer = await (answers[method]?.(params) ??
        Promise.reject(Object.assign(new Error(`no method ${method}`), { code: -32_601 })))
      if (id !== undefined) send({ id, result: answer })
    } catch (error) {
      if (id !== undefined) send({ id, error: { code: error.code ?? -32_603, message: error.message } })
    }
  })
  .on('close', () => {
    tools?.close()
    // one that does not hear does not end either; what was held until now is answered first
    if (behaviour !== 'deaf') setImmediate(() => process.exit())
  })
