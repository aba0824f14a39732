// Proves that "them" means the teams of whom a conversation was last, also after a restart, that "all except" and
// states choose among those that there are, and that questions about teams are answered from their files. It fails
// when one person's "them" are another's, when an order that is ambiguous or negated does anything, or when what was
// spent or why a team stands still is told wrong.
import { beforeEach, expect, test } from 'vitest'
import { LocalChannel } from '../../../src/apps/chat/local-channel.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { workspaceLayout } from '../../../src/protocol/folder-layout.ts'
import { recordEnd, recordSession, type SessionRecord } from '../../../src/agents/sessions/session-record.ts'
import { appendLine } from '../../../src/platform/storage/append-log.ts'
import { openBridge } from '../../support/bridge.ts'
import { answersTo, configure } from '../../support/chat.ts'
import { newFederation, workspaceOf } from '../../support/fed.ts'
import { anySession } from '../../support/session-record.ts'

let root: string
let channel: LocalChannel

beforeEach(async () => {
  root = await newFederation({
    docs: 'Document the storage',
    api: 'Document the API',
    web: 'Document the page',
  })
  configure(root, { federationName: 'shop' })
  channel = new LocalChannel(root, 'shop')
})

/** What a bridge answers that is started for each message: nothing is remembered but what stands on the disk. */
async function answer(text: string, sender = 'ann', thread?: string): Promise<string> {
  const said = channel.say(sender, `@shop ${text}`, thread)
  const { bridge, end } = await openBridge(root)
  await bridge.once()
  await end()
  return answersTo(root, thread === undefined ? said : { id: thread }).at(-1) as string
}

async function states(): Promise<Record<string, string>> {
  const federation = new Federation(root)
  const present = ['docs', 'api', 'web'].map(async (id) => [id, (await federation.team(id)).present().state])
  return Object.fromEntries(await Promise.all(present)) as Record<string, string>
}

test('"them" are those of whom the same sender spoke last, and of nobody else', async () => {
  await answer('pause docs and api')
  expect(await answer('resume them', 'bob')).toBe('Resume whom? docs, api, web, or all')
  expect(await answer('why are they paused?')).toMatch(
    /^· docs is paused since .* UTC: ann asked for it in the chat\n· api is paused/,
  )
  expect(await answer('resume both')).toMatch(/^docs goes on: preparing.*\napi goes on/)
  await answer('status of web')
  expect(await answer('pause it')).toMatch(/^web is paused/)
  expect(await states()).toEqual({ docs: 'preparing', api: 'preparing', web: 'paused' })
})

test('a mission goes to those who are described, and where nobody is, to nobody', async () => {
  await answer('pause docs and api')
  expect(await answer('tell all failed teams to hurry')).toBe('There is no team to tell.')
  expect(await answer('ask the failed ones which file')).toBe('There is no team to ask.')
  await answer('pause docs and api')
  expect(await answer('tell them except docs to cover the importer')).toMatch(/^api has it[^\n]*$/)
  expect(await answer('tell all paused teams to cover the exporter')).toMatch(
    /^docs has it.*\napi has it[^\n]*$/,
  )
})

test('in a thread, whoever speaks means those of the thread', async () => {
  const first = channel.say('ann', '@shop pause docs')
  await answer('status of api', 'bob')
  expect(await answer('resume it', 'bob', first.id)).toMatch(/^docs goes on/)
})

test('whoever was listed is meant, and after what was of all nobody is', async () => {
  await answer('pause docs and web')
  expect(await answer("who's paused?", 'bob')).toMatch(/^· docs paused.*\n· web paused/)
  expect(await answer('pause it', 'bob')).toBe('Pause whom? docs, api, web, or all')
  expect(await answer('resume them', 'bob')).toMatch(/^docs goes on.*\nweb goes on/)
  await answer('status', 'bob')
  expect(await answer('archive them', 'bob')).toBe('Archive whom? docs, api, web, or all')
})

test('all but some, those in a state, and one order after the other', async () => {
  await answer('pause all except api')
  expect(await states()).toEqual({ docs: 'paused', api: 'preparing', web: 'paused' })
  await answer('pause api and resume docs')
  expect(await states()).toEqual({ docs: 'preparing', api: 'paused', web: 'paused' })
  expect(await answer('resume everything that is paused but web')).toMatch(/^api goes on/)
  expect(await states()).toEqual({ docs: 'preparing', api: 'preparing', web: 'paused' })
  expect(await answer('resume all failed teams')).toBe('There is no team to resume.')
})

test('what is negated, conditional or ambiguous does nothing, and is told as far as it was understood', async () => {
  expect(await answer("don't pause docs")).toMatch(/^I understood “pause docs” and a “not”, so I did nothing/)
  expect(await answer('pause docs until tomorrow')).toMatch(/^Did you mean “pause docs”\? Nothing was done/)
  expect(await answer('restart docs')).toBe(
    'Did you mean “resume docs” or “launch docs”? Nothing was done: say which.',
  )
  expect(await states()).toEqual({ docs: 'preparing', api: 'preparing', web: 'preparing' })
})

test('who is blocked, why, and what needs somebody', async () => {
  expect(await answer("who's blocked?")).toBe('Nobody is blocked.')
  expect(await answer('anything need my attention?')).toBe('shop: 3 teams, nothing needs you')
  await answer('pause web')
  const federation = new Federation(root)
  const docs = await federation.team('docs')
  await docs.tell({ type: 'alert', subject: 'information-missing', body: 'There is no storage' })
  const blocked = await answer("who's blocked?")
  expect(blocked).toMatch(/^· docs is failed: There is no storage.*\n· web is paused since/)
  expect(blocked).not.toContain('api')
  expect(await answer('why is docs stuck?')).toMatch(/^· docs is failed: There is no storage/)
  expect(await answer('why is api so slow')).toMatch(/without a language model/)
  expect(await answer('what is api waiting for?')).toBe('· api is preparing, and nothing keeps it')
  expect(await answer('does docs need anything?')).toMatch(/^! docs: it failed: There is no storage/)
  expect(await answer('does api need anything?')).toBe('api: nothing needs you')
})

test('what missions have used up, as far as their agents tell', async () => {
  const { sessions } = workspaceLayout(workspaceOf(root, 'docs'))
  const record = (number: number): SessionRecord => ({ ...anySession, number })
  for (const [number, usage] of [{ cost: 1.2, tokens: 30_000 }, { tokens: 4000 }].entries()) {
    recordSession(sessions, record(number + 1))
    appendLine(`${sessions}/1-${number + 1}.reports.jsonl`, {
      format: 'fed-session-report-1',
      at: record(1).at,
      kind: 'usage',
      usage,
    })
    recordEnd(sessions, record(number + 1), { at: '2026-11-20T10:06:00.000Z', exitCode: 0, cause: 'ended' })
  }
  expect(await answer('how much has docs cost?')).toBe(
    '· docs: 1.20 US dollars, 34000 tokens, 12.0 minutes in 2 sessions',
  )
  expect(await answer('how much has everything cost?')).toMatch(
    /^The present missions have used 1\.20 US dollars, 34000 tokens, 12\.0 minutes in 2 sessions, .*\n· docs: .*\n· api: nothing, no agent has worked yet/,
  )
})
