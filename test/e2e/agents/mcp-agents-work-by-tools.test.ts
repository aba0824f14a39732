// `fed mcp` spoken to by the protocol's own client, as an agent host does it: what an agent can do by commands
// it can do by tools, with the same refusals, and nothing else.
import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, describe, expect, test } from 'vitest'
import { configure, nodeCommand } from '../../support/checks.ts'
import { codingTeam } from '../../support/coding-team.ts'
import { builtFed, fed, fedJson, newFederation, systemPath, workspaceOf } from '../../support/fed.ts'
import { goodDeliverable } from '../../support/good-deliverable.ts'
import { trust } from '../../support/allow-everything.ts'

const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

interface Called {
  readonly isRefused: boolean
  readonly text: string
  /** What the tool answered; undefined for a refusal. */
  readonly answer: unknown
}

/** A host that started `fed mcp` for a team, and calls its tools. */
async function host(root: string, team: string) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtFed, 'mcp', '--team', team],
    cwd: root,
    env: {
      PATH: systemPath,
      XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME as string,
      FED_DURABILITY: 'process',
      FED_TELEMETRY_ENABLED: 'false',
    },
  })
  const client = new Client({ name: 'test', version: '1' })
  clients.push(client)
  await client.connect(transport)
  return {
    tools: async () => (await client.listTools()).tools,
    async call(name: string, given: Record<string, unknown> = {}): Promise<Called> {
      const { content, isError = false } = await client.callTool({ name, arguments: given })
      const [first] = content as { readonly text: string }[]
      const text = first?.text ?? ''
      return { isRefused: isError === true, text, answer: isError ? undefined : JSON.parse(text) }
    },
    close: () => client.close(),
  }
}

const mailOnly = ['inbox', 'read', 'acknowledge', 'send', 'reply', 'learnings']
const everything = [...mailOnly, 'status', 'report', 'alert', 'learn', 'write_deliverable']

test('who has a machine gets its tools, and only a team with a document writes one', async () => {
  const root = await newFederation({ docs: undefined })
  await fedJson(root, ['onboard', 'sage', '--archetype', 'consultant'])
  const names = async (team: string) => (await (await host(root, team)).tools()).map(({ name }) => name)
  expect((await names('docs')).toSorted()).toEqual(everything.toSorted())
  expect((await names('meta')).toSorted()).toEqual(mailOnly.toSorted())
  expect(await names('sage')).not.toContain('write_deliverable')
  expect(await names('sage')).toContain('report')
})

test('it ends with its input, and a team that is none is told at once', async () => {
  const root = await newFederation()
  expect(await fed(root, ['mcp'], { input: '' })).toEqual({ code: 0, stdout: '', stderr: '' })
  const wrong = await fed(root, ['mcp', '--team', 'nobody'])
  expect(wrong).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining("no team 'nobody'") })
})

test('a mission goes through from preparing to complete by tools alone', async () => {
  const root = await newFederation({ docs: 'Document the source' })
  const { call } = await host(root, 'docs')
  expect((await call('status')).answer).toMatchObject({ state: 'preparing', team: 'docs' })
  const early = await call('report', { subject: 'files-read' })
  expect(early).toMatchObject({ isRefused: true, text: expect.stringContaining('mission-planned') })
  expect(
    (await call('report', { subject: 'mission-planned', body: 'Read src/app.ts' })).answer,
  ).toMatchObject({
    outcome: 'accepted',
    from: 'preparing',
    to: 'scanning',
  })
  expect(await call('report', { subject: 'files-read' })).toMatchObject({ isRefused: true })
  await call('learn', { content: 'One file holds one number', category: 'pattern', tags: ['source'] })
  appendFileSync(path.join(workspaceOf(root, 'docs'), '.fed', 'learnings.jsonl'), 'no finding\n')
  expect((await call('learnings', { tag: 'source' })).answer).toMatchObject({
    findings: [{ domain: 'docs' }],
    passedOver: [expect.stringMatching(/^docs: 1 line is no finding/)],
  })
  await call('report', { subject: 'files-read' })
  await call('report', { subject: 'patterns-identified', body: 'It is small.' })
  const bad = await call('write_deliverable', { content: 'No title\n' })
  expect((bad.answer as { problems: unknown[] }).problems).not.toEqual([])
  expect(await call('report', { subject: 'document-written' })).toMatchObject({ isRefused: true })
  const good = await call('write_deliverable', { content: goodDeliverable })
  expect(good.answer).toMatchObject({ problems: [] })
  expect(readFileSync(path.join(workspaceOf(root, 'docs'), 'deliverable.md'), 'utf8')).toBe(goodDeliverable)
  expect((await call('report', { subject: 'document-written' })).answer).toMatchObject({ to: 'complete' })
})

describe('mail', () => {
  test('is listed, read, answered and acknowledged like by commands', async () => {
    const root = await newFederation({ docs: 'Document the source', api: undefined })
    const [docs, api] = await Promise.all([host(root, 'docs'), host(root, 'api')])
    await api.call('send', { to: 'docs', type: 'question', subject: 'Which file first?', body: 'Tell me.' })
    await api.call('send', { to: 'docs', type: 'report', subject: 'A note' })
    const waiting = (await docs.call('inbox')).answer as { id: string; subject: string }[]
    const [question, note] = ['Which file first?', 'A note'].map(
      (subject) => waiting.find((one) => one.subject === subject)?.id,
    )
    expect((await docs.call('read', { signal: note })).answer).toMatchObject({ subject: 'A note' })
    await docs.call('reply', { signal: question, body: 'src/app.ts' })
    expect((await docs.call('inbox')).answer).toEqual([])
    const [answer] = (await api.call('inbox')).answer as { id: string; subject: string }[]
    expect(answer?.subject).toBe('Re: Which file first?')
    await api.call('acknowledge', { signal: answer?.id })
    expect(await fedJson(root, ['inbox', 'api'])).toEqual([])
  })

  test.each([
    ['read', { signal: 'nothing' }, 'no signal'],
    ['send', { to: 'nobody', type: 'report', subject: 'Hello' }, 'no team'],
    ['send', { to: '../docs', type: 'report', subject: 'Hello' }, 'to'],
    ['send', { to: 'docs', type: 'order', subject: 'Hello' }, 'type'],
    ['send', { to: 'docs', type: 'report', subject: 'Hello', from: 'meta' }, 'from'],
    ['learn', { content: '' }, 'content'],
    ['write_deliverable', { content: 'x', file: '/etc/passwd' }, 'file'],
  ])('%s %j is refused with a reason', async (tool, given, reason) => {
    const root = await newFederation({ docs: undefined })
    const { call } = await host(root, 'docs')
    expect(await call(tool, given)).toMatchObject({ isRefused: true, text: expect.stringContaining(reason) })
    expect((await call('status')).answer).toMatchObject({ state: 'preparing' })
  })
})

test('a milestone that needs tests runs the checks of the federation, and a refusal says which did not pass', async () => {
  const { root } = await codingTeam()
  configure(root, { checks: [{ name: 'unit', run: nodeCommand('process.exit(7)') }] })
  trust(root)
  const api = await host(root, 'api')
  const refused = await api.call('report', { subject: 'tests-passed' })
  expect([refused.isRefused, refused.text]).toEqual([
    true,
    expect.stringMatching(/check unit \('.*'\) exited 7 on/),
  ])
  configure(root, { checks: [{ name: 'unit', run: nodeCommand("console.log('no word of the protocol')") }] })
  expect(await api.call('report', { subject: 'tests-passed' })).toMatchObject({
    isRefused: false,
    answer: { outcome: 'accepted', to: 'testing' },
  })
})
