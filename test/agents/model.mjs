// A language model that plays from a script, in the four dialects that coding agents speak. It listens on 127.0.0.1,
// prints its port, and calls one tool of its script after the other; tools that
// the agent does not offer are passed over. `model.mjs <orders.json>`, of which every field may be missing:
//   script    the calls                     pause    after so many calls it ends its turn once, and goes on when it is
//   isEndless the script begins anew                  asked again
//   faults    what the first answers are in their place: { status, headers, type, message } each, or { breaks: true }
//             for a stream that is cut; `from` lets so many answers pass before them, `for` repeats one so often
//   delayMs   each answer takes so long, in milliseconds
//   served    a file that gets a line for each answer: the tokens that it told
import { appendFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'

const orders = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const { script = [], isEndless = false, faults = [], from = 0, delayMs = 0, served } = orders
let pause = orders.pause ?? -1
let done = 0
let answers = 0
const pending = faults.flatMap((fault) => Array.from({ length: fault.for ?? 1 }, () => fault))

/** The name under which an agent offers a tool: bare, or behind the name of its server. */
function named(tool, offered) {
  return offered.find((name) => name === tool || new RegExp(`(^|[^a-zA-Z])fed[^a-zA-Z]+${tool}$`).test(name))
}

/** What the model does next: a call, or its last words. */
function next(offered) {
  if (offered.length === 0) return { text: 'A title' }
  if (done === pause) {
    pause = -1
    return { text: 'That is all for now.' }
  }
  const playable = script.filter(({ tool }) => named(tool, offered) !== undefined)
  const step = playable[isEndless ? done % playable.length : done]
  if (step === undefined) return { text: 'That is all.' }
  done += 1
  return { name: named(step.tool, offered), input: step.input ?? {}, id: `call_${done}` }
}

/** What gemini is told when it asks which model should work. */
const aside =
  '{"reasoning":"it is easy","model_choice":"pro","complexity_reasoning":"none","complexity_score":50}'

const tokens = { input: 1000, output: 50 }

const dialects = {
  messages: {
    path: /\/messages$/,
    offered: ({ tools = [] }) => tools.map(({ name }) => name),
    *answer({ text, name, input, id }) {
      const usage = { input_tokens: tokens.input, output_tokens: tokens.output }
      const message = {
        id: `msg_${answers}`,
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content: [],
        usage,
      }
      yield ['message_start', { type: 'message_start', message: { ...message, stop_reason: null } }]
      const block =
        name === undefined ? { type: 'text', text: '' } : { type: 'tool_use', id, name, input: {} }
      yield ['content_block_start', { type: 'content_block_start', index: 0, content_block: block }]
      const delta =
        name === undefined
          ? { type: 'text_delta', text }
          : { type: 'input_json_delta', partial_json: JSON.stringify(input) }
      yield ['content_block_delta', { type: 'content_block_delta', index: 0, delta }]
      yield ['content_block_stop', { type: 'content_block_stop', index: 0 }]
      const stop = { stop_reason: name === undefined ? 'end_turn' : 'tool_use', stop_sequence: null }
      yield ['message_delta', { type: 'message_delta', delta: stop, usage }]
      yield ['message_stop', { type: 'message_stop' }]
    },
  },
  completions: {
    path: /\/chat\/completions$/,
    offered: ({ tools = [] }) => tools.map((tool) => tool.function.name),
    *answer({ text, name, input, id }) {
      const chunk = (choice) => ({
        id: `chatcmpl_${answers}`,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'scripted',
        choices: [{ index: 0, finish_reason: null, ...choice }],
      })
      const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
      yield [
        null,
        chunk({
          delta: { role: 'assistant', ...(name === undefined ? { content: text } : { tool_calls: [call] }) },
        }),
      ]
      yield [null, chunk({ delta: {}, finish_reason: name === undefined ? 'stop' : 'tool_calls' })]
      const usage = {
        prompt_tokens: tokens.input,
        completion_tokens: tokens.output,
        total_tokens: tokens.input + tokens.output,
      }
      yield [null, { ...chunk({}), choices: [], usage }]
      yield [null, '[DONE]']
    },
  },
  responses: {
    path: /\/responses$/,
    offered: ({ tools = [] }) =>
      tools.flatMap((tool) =>
        tool.type === 'namespace' ? tool.tools.map(({ name }) => `${tool.name}/${name}`) : (tool.name ?? []),
      ),
    *answer({ text, name, input, id }) {
      const response = { id: `resp_${answers}` }
      yield ['response.created', { type: 'response.created', response }]
      const [namespace, bare] = name?.includes('/') ? name.split('/') : [undefined, name]
      const item =
        name === undefined
          ? {
              type: 'message',
              role: 'assistant',
              id: `msg_${answers}`,
              content: [{ type: 'output_text', text }],
            }
          : {
              type: 'function_call',
              id: `fc_${id}`,
              call_id: id,
              name: bare,
              ...(namespace && { namespace }),
              arguments: JSON.stringify(input),
            }
      yield ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }]
      const usage = {
        input_tokens: tokens.input,
        output_tokens: tokens.output,
        total_tokens: tokens.input + tokens.output,
      }
      yield ['response.completed', { type: 'response.completed', response: { ...response, usage } }]
    },
  },
  gemini: {
    path: /:(streamG|g)enerateContent$/,
    offered: ({ tools = [] }) =>
      tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    *answer({ text, name, input }) {
      const part = name === undefined ? { text } : { functionCall: { name, args: input } }
      const usageMetadata = {
        promptTokenCount: tokens.input,
        candidatesTokenCount: tokens.output,
        totalTokenCount: tokens.input + tokens.output,
      }
      yield [
        null,
        {
          candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
          usageMetadata,
        },
      ]
    },
  },
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://127.0.0.1')
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const dialect = Object.values(dialects).find(({ path }) => path.test(pathname))
  if (request.method !== 'POST' || dialect === undefined) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    return
  }
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  if (delayMs > 0) await setTimeout(delayMs)
  answers += 1
  const fault = answers > from ? pending.shift() : undefined
  if (fault?.status !== undefined) {
    const { status, headers, type, message, code = type } = fault
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ type: 'error', error: { type, message, code, status: code } }))
    return
  }
  if (served !== undefined) appendFileSync(served, `${JSON.stringify(tokens)}\n`)
  const isAside = body.generationConfig?.responseMimeType === 'application/json'
  const chosen = isAside ? { text: aside } : next(dialect.offered(body))
  if (pathname.endsWith(':generateContent')) {
    const [[, whole]] = dialect.answer(chosen)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [event, data] of dialect.answer(chosen)) {
    if (fault?.breaks) {
      response.destroy()
      return
    }
    if (event !== null) response.write(`event: ${event}\n`)
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
  response.end()
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
