// A chat server, written from the description of the Model Context Protocol alone: its channel is a file of JSON lines.
// `chat-server.mjs <folder> <behaviour>…` with any of
//   slack    tells messages as Slack does, newest first, ten at a time, and answers in a thread by an argument
//   teams    tells them as Microsoft Teams does, in HTML, and answers in a thread by another tool
//   mute     answers no call                        hangs     answers nothing at all, and does not end when asked to
//   dies     ends in the middle of a call            garbage   prints what is no JSON, and then nothing
//   huge     answers with 40 MB on one line          prose     answers with words
//   foreign  lists what are no messages              demands   needs an argument that nobody knows
//   refuses  answers every call with an error        endless   names another page for ever
//   oldest   begins with the oldest message
import { createInterface } from 'node:readline'
import { channelIn } from './channel.mjs'

const [folder, ...behaviours] = process.argv.slice(2)
const is = (behaviour) => behaviours.includes(behaviour)
const { messages, note, post } = channelIn(folder)
const add = (thread, words) => post('posted', thread, words)

const text = { type: 'string' }
const schema = (properties, required = []) => ({ type: 'object', properties, required })
const json = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })
const escaped = (words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function slackPage({ limit, cursor }) {
  const all = is('oldest') ? messages() : messages().toReversed()
  const from = Number(cursor ?? 0)
  const size = Math.min(10, limit)
  const page = all.slice(from, from + size).map(({ id, thread, sender, at, text: words }) => ({
    ts: `${Date.parse(at) / 1000}`,
    client_msg_id: id,
    ...(thread === id ? {} : { thread_ts: thread }),
    id,
    user: sender,
    text: words,
  }))
  const next = from + size < all.length || is('endless') ? `${from + size}` : ''
  return json({
    ok: true,
    messages: [...page, { ts: '1700000000.000001', subtype: 'channel_join' }],
    response_metadata: { next_cursor: next },
  })
}

const teamsPage = () =>
  json({
    value: messages().map(({ id, thread, sender, at, text: words }) => ({
      id,
      replyToId: thread === id ? null : thread,
      createdDateTime: at,
      from: { user: { id: 'f00', displayName: 'Somebody', userPrincipalName: sender } },
      body: {
        contentType: 'html',
        content: `<p>${escaped(words).replace(/@(\w+)/, '<at id="0">$1</at>&nbsp;')}</p>`,
      },
    })),
  })

const tools = is('teams')
  ? {
      list_channel_messages: [
        schema({ teamId: text, channelId: text, top: { type: 'integer', maximum: 50 } }),
        teamsPage,
      ],
      send_channel_message: [
        schema({ teamId: text, channelId: text, message: text }, ['message']),
        (given) => json({ id: add(null, given.message) }),
      ],
      reply_to_channel_message: [
        schema({ teamId: text, channelId: text, messageId: text, message: text }, ['messageId', 'message']),
        (given) => ({ content: [{ type: 'text', text: `Done: ${add(given.messageId, given.message)}` }] }),
      ],
    }
  : {
      get_channel_history: [
        schema(
          {
            channel_id: text,
            limit: { type: 'number' },
            cursor: text,
            ...(is('demands') ? { workspace: text } : {}),
          },
          is('demands') ? ['workspace'] : ['channel_id'],
        ),
        slackPage,
      ],
      post_message: [
        schema({ channel_id: text, text, thread_ts: text }, ['channel_id', 'text']),
        (given) => json({ ok: true, ts: add(given.thread_ts ?? null, given.text) }),
      ],
    }

function call({ name, arguments: given = {} }) {
  note('call', { name, given })
  if (is('dies')) process.exit(3)
  if (is('prose')) return { content: [{ type: 'text', text: 'Here are your messages!' }] }
  if (is('foreign')) return json({ messages: [{ headline: 'News' }, 7, null] })
  if (is('refuses')) return { isError: true, content: [{ type: 'text', text: 'not_in_channel\n\u001B[31m' }] }
  if (is('huge')) return json({ messages: [{ id: 'x'.repeat(40_000_000) }] })
  return tools[name][1](given)
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'chat', version: '1' },
  }),
  'tools/list': () => ({
    tools: Object.entries(tools).map(([name, [inputSchema]]) => ({ name, inputSchema })),
  }),
  'tools/call': call,
}

note('start', { cwd: process.cwd() })
if (is('hangs')) process.on('SIGTERM', () => undefined)
if (is('garbage')) process.stdout.write('{"jsonrpc": \n[1,2\nhello\n')
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined || is('hangs') || is('garbage') || (is('mute') && method === 'tools/call')) return
    const result = answers[method]?.(params)
    const answer = result === undefined ? { error: { code: -32_601, message: 'unknown' } } : { result }
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
  })
  .on('close', () => {
    if (!is('hangs')) process.exit()
    setInterval(() => undefined, 1000)
  })
