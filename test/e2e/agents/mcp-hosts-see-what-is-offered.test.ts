// Proves what `fed mcp` offers a host, by two clients that have nothing in common: the protocol's own, and lines of JSON
// in each version of the protocol. It fails when an answer is not what its schema says, when a hint or a description is
// missing, when mail comes without a notice, or when a coordinator's tool can do what only a person may.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { builtFed, fed, fedDone, newFederation, systemPath, workspaceOf } from '../../support/fed.ts'
import { statusOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'

let root: string
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
beforeEach(async () => {
  root = await newFederation({ docs: 'Explain the answer' })
})

const env = () => ({
  PATH: systemPath,
  XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME as string,
  FED_DURABILITY: 'process',
  FED_TELEMETRY_ENABLED: 'false',
})

async function host(...args: string[]): Promise<Client> {
  const command = { command: process.execPath, args: [builtFed, 'mcp', ...args], cwd: root, env: env() }
  const client = new Client({ name: 'test', version: '1' })
  ends.push(() => client.close())
  await client.connect(new StdioClientTransport(command))
  return client
}

test('every tool says what it answers and what it does, and every argument what it is', async () => {
  for (const who of [
    ['--team', 'docs'],
    ['--as', 'meta'],
  ]) {
    const { tools } = await (await host(...who)).listTools()
    for (const { name, outputSchema, annotations, inputSchema } of tools) {
      expect([name, outputSchema?.type]).toEqual([name, 'object'])
      expect([name, Object.keys(annotations ?? {}).toSorted()]).toEqual([
        name,
        ['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint'],
      ])
      for (const [argument, schema] of Object.entries(inputSchema.properties ?? {}))
        expect([name, argument, (schema as { description?: string }).description]).toEqual([
          name,
          argument,
          expect.stringMatching(/.{5}/),
        ])
    }
  }
})

test('answers come as what their schemas say, which the client checks', async () => {
  const client = await host('--team', 'docs')
  await fedDone(root, ['send', 'docs', '--type', 'question', '--subject', 'Which file?'])
  await client.listTools()
  const call = async (name: string, given: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: given })).structuredContent
  expect(await call('status')).toMatchObject({ team: 'docs', state: 'preparing' })
  const { signals } = (await call('inbox')) as { signals: { id: string }[] }
  expect(signals).toMatchObject([{ subject: 'Which file?' }])
  expect(await call('read', { signal: signals[0]?.id })).toMatchObject({ type: 'question' })
  expect(await call('send', { to: 'meta', type: 'report', subject: 'Note' })).toMatchObject({ to: 'meta' })
  expect(await call('report', { subject: 'mission-planned', body: 'src/app.ts' })).toMatchObject({
    outcome: 'accepted',
  })
  await call('learn', { content: 'it is a constant' })
  expect(await call('learnings')).toMatchObject({
    findings: [{ content: 'it is a constant' }],
    passedOver: [],
  })
})

test('what a team has is there to be read, and its skills are prompts', async () => {
  const client = await host('--team', 'docs')
  const read = async (name: string) => {
    const { contents } = await client.readResource({ uri: `fed://${name}` })
    return (contents[0] as { text: string }).text
  }
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual(
    expect.arrayContaining([
      ...['inbox', 'mission', 'plan', 'deliverable', 'learnings'].map((name) => `fed://${name}`),
      'fed://skills/domain-playbook',
    ]),
  )
  expect(JSON.parse(await read('mission'))).toMatchObject({ subject: 'Explain the answer' })
  expect(await read('skills/domain-playbook')).toContain('#')
  expect(await read('deliverable')).toBe('')
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toContain('domain-playbook')
  const { messages } = await client.getPrompt({ name: 'domain-playbook' })
  expect(messages[0]?.content).toMatchObject({ type: 'text', text: expect.stringContaining('#') })
  // what is offered does not change while it runs
  const { tools, resources: offered, prompts: asked } = client.getServerCapabilities() ?? {}
  expect([tools?.listChanged, offered?.listChanged, asked?.listChanged]).toEqual([false, false, false])
})

test('a team learns there whom it may ask, what they know and where they stand', async () => {
  const client = await host('--team', 'docs')
  const peers = async () => {
    const { contents } = await client.readResource({ uri: 'fed://peers' })
    return JSON.parse((contents[0] as { text: string }).text) as unknown
  }
  expect(await peers()).toEqual([])
  await fedDone(root, ['onboard', 'history', '--archetype', 'consultant', '--mission', 'How it came to be'])
  await fedDone(root, ['onboard', 'other', '--mission', 'Not of the same goal'])
  expect(await peers()).toEqual([
    {
      team: 'history',
      archetype: 'consultant',
      state: expect.any(String),
      about: 'How it came to be',
      answers: true,
    },
  ])
  await fedDone(root, ['archive', 'history'])
  expect(await peers()).toEqual([])
})

test('a host that wants to know is told when mail comes', async () => {
  const client = await host('--team', 'docs')
  const told: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.push(params.uri)
  })
  await client.subscribeResource({ uri: 'fed://inbox' })
  await fedDone(root, ['send', 'docs', '--type', 'question', '--subject', 'Which file?'])
  await until('the notice', () => told.includes('fed://inbox'))
})

test("a person's own agent makes a team, starts and stops it, and sees what it costs; trust is not among its tools", async () => {
  const client = await host('--as', 'meta')
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['teams', 'onboard', 'launch', 'pause', 'resume', 'monitor', 'costs']),
  )
  expect(names.filter((name) => /trust|offboard|config|init/.test(name))).toEqual([])
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: given })
    return {
      isError: isError === true,
      answer: structuredContent,
      text: (content as { text: string }[])[0]?.text,
      said: (content as { text: string }[])[1]?.text,
    }
  }
  expect(await call('onboard', { name: 'API docs', mission: '--help; rm -rf /' })).toMatchObject({
    isError: false,
  })
  expect(await statusOf(root, 'api-docs')).toMatchObject({ mission: { subject: '--help; rm -rf /' } })
  expect((await call('teams')).answer).toMatchObject({ items: [{ team: 'docs' }, { team: 'api-docs' }] })
  await call('pause', { team: 'docs' })
  expect((await call('team_status', { team: 'docs' })).answer).toMatchObject({ state: 'paused' })
  expect(await call('pause', { team: 'docs' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('is paused already'),
  })
  await call('resume', { team: 'docs' })
  expect((await call('monitor')).answer).toMatchObject({ teams: [{ team: 'docs' }, { team: 'api-docs' }] })
  expect((await call('costs', { by: 'day' })).answer).toMatchObject({ by: 'day', rows: [] })
  expect(await call('team_status', { team: '../../etc' })).toMatchObject({ isError: true })
  expect((await call('launch', { team: 'docs', budget: '5min' })).isError).toBe(false)
  expect(await call('onboard', { name: 'co', archetype: 'coding', mission: 'Add a port' })).toMatchObject({
    isError: false,
    said: expect.stringContaining('fed-agent cannot work for co'),
  })
  for (const name of ['x'.repeat(200_000), 'a\0b'])
    expect(await call('onboard', { name })).toMatchObject({
      isError: true,
      text: expect.stringContaining('name'),
    })
  await until('the end', async () => (await statusOf(root, 'docs')).finished)
})

test("in an agent's session nobody coordinates", async () => {
  const file = path.join(workspaceOf(root, 'docs'), 'said.txt')
  const script = path.join(root, 'agent.sh')
  writeFileSync(script, `fed mcp --as meta </dev/null >'${file}' 2>&1; echo "exit $?" >>'${file}'\n`)
  await fed(root, ['launch', '--team', 'docs', '--max-sessions', '1', '--agent', `sh ${script}`])
  expect(readFileSync(file, 'utf8')).toMatch(/for a person's own agent[^]*exit 5/)
})

test('what is no message, and what is too long for one, is answered, and the server goes on', async () => {
  const server = spawn(process.execPath, [builtFed, 'mcp', '--team', 'docs'], { cwd: root, env: env() })
  ends.push(() => server.kill())
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  const answer = async () => JSON.parse((await lines.next()).value as string) as object
  const clientInfo = { name: 'lines', version: '1' }
  const begin = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo }
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: begin })}\n`)
  expect(await answer()).toMatchObject({ id: 1, result: { protocolVersion: '2025-03-26' } })
  for (const [line, told] of [
    ['garbage', { id: null, error: { code: -32_700 } }],
    ['[1', { id: null, error: { code: -32_700 } }],
    ['{"jsonrpc":"2.0","id":92,"method":5}', { id: 92, error: { code: -32_600 } }],
    ['{"jsonrpc":"2.0","id":95.5,"method":"ping"}', { id: null, error: { code: -32_600 } }],
    ['null', { id: null, error: { code: -32_700 } }],
    [
      `{"jsonrpc":"2.0","id":96,"method":"${'x'.repeat(17 * 1024 * 1024)}"}`,
      { id: null, error: { code: -32_700 } },
    ],
  ] as const) {
    server.stdin.write(`${line}\n`)
    expect(await answer()).toMatchObject(told)
  }
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
  server.stdin.write(`${JSON.stringify([ping(7), ping(8)])}\n`)
  const both = [await answer(), await answer()]
  expect(both).toEqual(
    expect.arrayContaining([7, 8].map((id) => expect.objectContaining({ id, result: {} }) as unknown)),
  )
  const content = 'y'.repeat(10_600_000)
  const call = { name: 'write_deliverable', arguments: { content } }
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: call })}\n`)
  expect(await answer()).toMatchObject({ id: 9 })
})

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

test.each(versions)('lines of JSON in version %s are answered in it', async (protocolVersion) => {
  const server = spawn(process.execPath, [builtFed, 'mcp', '--team', 'docs'], { cwd: root, env: env() })
  ends.push(() => server.kill())
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  let id = 0
  const ask = async (method: string, params: object) => {
    id += 1
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return (JSON.parse((await lines.next()).value as string) as { result: Record<string, unknown> }).result
  }
  const clientInfo = { name: 'lines', version: '1' }
  expect(await ask('initialize', { protocolVersion, capabilities: {}, clientInfo })).toMatchObject({
    protocolVersion,
    serverInfo: { name: 'fed' },
  })
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  const { tools } = await ask('tools/list', {})
  expect(tools).toContainEqual(expect.objectContaining({ name: 'report' }))
  const { content } = await ask('tools/call', { name: 'status', arguments: {} })
  expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toMatchObject({ state: 'preparing' })
})
