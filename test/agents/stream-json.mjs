// Poses as a headless agent that prints claude's stream of JSON: `stream-json.mjs <behaviours> <its arguments>`,
// behaviours separated by commas, one for each time that it is started, the last one for all that follow.
//   good      does its job by fed's tools         flood     prints far more than anybody reads, then does its job
//   crash     dies after its first event          silent    says nothing after its first event
//   limited   is over its limit for five seconds   noaccount nobody is logged in to it
//   exhausted is over its limit for an hour
//   passed    is over a limit that has passed        forgotten knows nothing of the session that it is to continue
//   writing   writes into the codebase by its own tool, and ends
//   improving writes into the codebase by its own tool, and does its job all the same
//   claiming  says that it did, and says nothing more
//   costly    uses up money without end           half      does the first step and ends
//   looping   tells what is refused, without end    overloaded its provider fails
//   overflowing its session is too long          talking   says something and ends
import { appendFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { calls, note, notes, Tools } from './by-tools.mjs'

const [list, ...args] = process.argv.slice(2)
const started = note('start', { args })
const behaviours = list.split(',')
const behaviour = behaviours[Math.min(started, behaviours.length) - 1]
const after = (option) => (args.includes(option) ? args[args.indexOf(option) + 1] : undefined)
const session = after('--resume') ?? after('--session-id')

// as claude does, it tells at an interrupt what it used up
process.on('SIGINT', () => {
  end(undefined, { is_error: true, subtype: 'error_during_execution' })
  process.exit(130)
})

function messagesOf(wanted) {
  return notes()
    .filter(({ kind, session: one }) => kind === 'used' && one === wanted)
    .reduce((sum, { messages: part }) => sum + part, 0)
}

const print = (event) => writeSync(1, `${JSON.stringify({ session_id: session, ...event })}\n`)
let messages = 0
// what its session used up in the runs before: of money it tells the total
const before = session === undefined ? 0 : messagesOf(session)
const mayCost = Number(after('--max-budget-usd') ?? Infinity)
const cost = () => 0.01 * (before + messages)

function assistant(content) {
  messages += 1
  const usage = { input_tokens: 900, output_tokens: 100 }
  // each block of a message comes in an event of its own, with the usage of the whole
  for (const block of content)
    print({
      type: 'assistant',
      message: { id: `msg-${messages}`, role: 'assistant', content: [block], usage },
    })
}

function end(result, more = {}) {
  note('used', { session, messages })
  const usage = { input_tokens: 900 * messages, output_tokens: 100 * messages }
  print({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result,
    total_cost_usd: cost(),
    usage,
    modelUsage: {
      scripted: { inputTokens: 900 * (before + messages), outputTokens: 100 * (before + messages) },
    },
    ...more,
  })
}

async function toolsOf() {
  const { mcpServers } = JSON.parse(after('--mcp-config'))
  const tools = new Tools(mcpServers.fed)
  await tools.open()
  return tools
}

async function work(last = calls.length) {
  const tools = await toolsOf()
  for (const [index, [name, input]] of calls.slice(0, last).entries()) {
    const id = `tool-${index}`
    assistant([
      { type: 'text', text: `working on ${name}` },
      { type: 'tool_use', id, name: `mcp__fed__${name}`, input },
    ])
    await tools.call(name, input)
    print({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id }] } })
  }
  tools.close()
}

if (behaviour !== 'forgotten') print({ type: 'system', subtype: 'init', tools: [] })
switch (behaviour) {
  case 'crash':
    process.exit(7)
    break
  case 'silent':
    setInterval(() => undefined, 60_000)
    break
  case 'forgotten':
    end(undefined, { is_error: true, errors: ['No conversation found with this session ID'] })
    process.exitCode = 1
    break
  case 'passed':
  case 'exhausted':
  case 'limited':
    print({
      type: 'rate_limit_event',
      rate_limit_info: {
        status: 'rejected',
        resetsAt: Math.ceil(Date.now() / 1000) + { passed: -3600, limited: 5, exhausted: 3600 }[behaviour],
      },
    })
    end('Claude usage limit reached', { is_error: true, api_error_status: 429 })
    process.exitCode = 1
    break
  case 'noaccount':
    end('Not logged in · Please run /login', { is_error: true })
    process.exitCode = 1
    break
  case 'costly':
    setInterval(() => {
      assistant([{ type: 'text', text: 'thinking hard' }])
      if (0.01 * messages < mayCost) return
      end(undefined, { is_error: true, subtype: 'error_max_budget_usd' })
      process.exit(1)
    }, 100)
    break
  case 'talking':
    assistant([{ type: 'text', text: 'that is all' }])
    end('that is all')
    break
  case 'overloaded':
    end('API Error: 529 Overloaded', { is_error: true, api_error_status: 529 })
    process.exitCode = 1
    break
  case 'overflowing':
    end('Prompt is too long', { is_error: true, api_error_status: 400 })
    process.exitCode = 1
    break
  case 'looping': {
    const tools = await toolsOf()
    for (;;) {
      assistant([{ type: 'text', text: 'it is written' }])
      await tools.call('report', { subject: 'document-written', body: '' }).catch(() => undefined)
    }
  }
  case 'claiming':
  case 'improving':
  case 'writing': {
    const file = path.resolve('src', 'app.ts')
    if (behaviour !== 'claiming') appendFileSync(file, '// improved\n')
    const id = 'tool-edit'
    assistant([{ type: 'tool_use', id, name: 'Edit', input: { file_path: file } }])
    print({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id }] } })
    if (behaviour === 'improving')
      await work().catch((error) => assistant([{ type: 'text', text: error.message }]))
    if (behaviour === 'claiming') setInterval(() => undefined, 60_000)
    else {
      end('I improved the code')
      process.exit()
    }
    break
  }
  case 'half':
    await work(1)
    end('I did the first step')
    break
  case 'flood':
    writeSync(
      1,
      `{"type":"assistant","message":"${'not an object '.repeat(20_000)}\n{"type":7}\n{"type":"constructor"}\n{"type":"__proto__"}\n{}\n[]\nplain\n`,
    )
    for (let part = 0; part < 2000; part += 1) assistant([{ type: 'text', text: `word ${part}` }])
    await work()
    end('done')
    break
  default:
    await work()
    end('done')
}
