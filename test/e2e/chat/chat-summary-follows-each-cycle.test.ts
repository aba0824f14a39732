// Proves that each monitoring cycle tells the chat where things stand, once: first what needs a person, then what
// changed since the last summary, and in one line when nothing did. It fails when a cycle is not told or told
// twice, when nothing new fills the channel, or when a chat that cannot be used fails the cycle.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { monitor } from '../../../src/apps/chat/monitored.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { chatConfig, configure, saidIn, say } from '../../support/chat.ts'
import { fed, fedDone, fedJson, newFederation, startFed } from '../../support/fed.ts'
import { until } from '../../support/until.ts'

let root: string

beforeEach(async () => {
  root = await newFederation({ docs: 'Document the storage', api: undefined })
  configure(root, { federationName: 'shop', chatConfig })
})

const texts = () => saidIn(root).map(({ text }) => text)

test('the first tells all, the next what changed, and one line when nothing did', async () => {
  await fedDone(root, ['monitor'])
  expect(texts()).toEqual(['shop: 2 teams, nothing needs you\n· docs preparing\n· api preparing'])
  await fedDone(root, ['monitor'])
  expect(texts().at(-1)).toBe('shop: 2 teams, nothing needs you; nothing new')
  await fedDone(root, ['pause', 'docs'])
  await fedDone(root, ['monitor'])
  expect(texts().at(-1)).toBe('shop: 2 teams, nothing needs you\n· docs preparing → paused')
  expect(texts()).toHaveLength(3)
})

test('what needs a person comes first, and stays in the headline until it is done', async () => {
  await fedDone(root, ['monitor'])
  await fedDone(root, [
    'send',
    'meta',
    '--from',
    'api',
    '--type',
    'question',
    '--subject',
    'The old importer too?',
  ])
  await fedDone(root, ['alert', 'information-missing', '--team', 'docs', '--body', 'There is no storage'])
  await fed(root, ['monitor'])
  const [head, ...lines] = (texts().at(-1) as string).split('\n')
  expect(head).toBe('shop: 2 teams, 2 things need you')
  expect(lines).toEqual([
    expect.stringMatching(/^! docs: it failed: There is no storage; /),
    expect.stringMatching(
      /^\? api asks: The old importer too\?; 'fed reply meta [0-9a-f]{8} --body "…"' answers$/,
    ),
    '· docs preparing → failed',
  ])
  await fed(root, ['monitor'])
  expect(texts().at(-1)).toBe('shop: 2 teams, 2 things need you; nothing new')
})

test('the library tells the chat as the command does', async () => {
  await monitor(new Federation(root))
  expect(texts()).toHaveLength(1)
})

test('without chatConfig nobody is told', async () => {
  writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify({ federationName: 'shop' }))
  await fedDone(root, ['monitor'])
  expect(saidIn(root)).toEqual([])
})

test('a bridge that works posts what a cycle finds', async () => {
  const bridge = startFed(root, ['chat', '--interval', '1h'])
  try {
    await until('the bridge', () => bridge.stderr().includes('listening'))
    await fedDone(root, ['monitor'])
    await until('the summary', () => texts().some((text) => text.startsWith('shop: 2 teams')))
    await say(root, '@shop docs?')
    await until('the answer', () => saidIn(root).length === 3)
  } finally {
    bridge.kill('SIGTERM')
    await bridge.ended
  }
  expect(texts().filter((text) => text.startsWith('shop:'))).toHaveLength(1)
})

test('a chat that is damaged fails no cycle and is named', async () => {
  await fedDone(root, ['monitor'])
  const file = path.join(root, '.fed', 'chat', 'local.json')
  rmSync(file)
  writeFileSync(file, '{ "version": ')
  const { code, stdout } = await fed(root, ['monitor'])
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/no summary for the chat: .*local\.json is damaged/),
  ])
  expect(await fedJson(root, ['monitor'])).toMatchObject({
    healthy: true,
    chat: expect.stringContaining('damaged'),
  })
})
