// Proves that the doctor sees what the chat and telemetry keep: a torn ledger is found and put back from its newest
// version, a foreign one is named, and lines that are no messages are told. It fails when a command refuses a file
// and sends people to a doctor who knows nothing of it.
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ChatLedger } from '../../src/apps/chat/chat-ledger.ts'
import { LocalChannel } from '../../src/apps/chat/local-channel.ts'
import { chatChecks } from '../../src/apps/chat/chat-checks.ts'
import { examine, repairAll } from '../../src/apps/doctor/examine.ts'
import type { Finding } from '../../src/monitor/diagnosis/finding.ts'
import type { Ledger } from '../../src/telemetry/telemetry-ledger.ts'
import { ledgerDocument, newLedger } from '../../src/telemetry/telemetry-ledger.ts'
import { newFederation } from '../support/federation.ts'

beforeAll(() => void vi.stubEnv('FED_TELEMETRY_ENABLED', 'false'))
afterAll(() => void vi.unstubAllEnvs())

const told = (findings: readonly Finding[]) =>
  findings
    .filter(({ area, severity }) => (area === 'chat' || area === 'telemetry') && severity !== 'ok')
    .map(({ severity, area, where, message }) => [severity, area, path.basename(where ?? ''), message])

function chatOf(root: string) {
  const channel = new LocalChannel(root, 'shop')
  channel.say('ann', '@shop status')
  const ledger = new ChatLedger(root, 'local')
  for (let place = 1; place <= 3; place += 1) ledger.update((before) => ({ ...before, place: `${place} x` }))
  return { channel, ledger, file: path.join(path.dirname(channel.file), 'local.json') }
}

test('a whole chat is nothing to speak of', async () => {
  const root = newFederation()
  chatOf(root)
  expect(told(await examine(root, chatChecks))).toEqual([])
})

test('a torn ledger is found and put back, for the chat and for telemetry', async () => {
  const root = newFederation()
  const { ledger, file } = chatOf(root)
  const counted = ledgerDocument(root)
  counted.commit(undefined, newLedger('2026-11-21T12:00:00.000Z') as Ledger)
  for (const one of [file, counted.shape.file]) writeFileSync(one, readFileSync(one, 'utf8').slice(0, 40))
  expect(() => ledger.read()).toThrow(/fed doctor/)
  expect(told(await examine(root, chatChecks))).toEqual([
    ['error', 'chat', 'local.json', expect.stringContaining('damaged: not JSON')],
    ['error', 'telemetry', 'telemetry.json', expect.stringContaining('damaged: not JSON')],
  ])
  expect(told((await repairAll(root, chatChecks)).findings)).toEqual([])
  expect(ledger.read()?.place).toBe('3 x')
})

test('the ledger of another channel, another document and lines that are no messages are told', async () => {
  const root = newFederation()
  const { channel, file } = chatOf(root)
  const other = path.join(path.dirname(file), 'channel-0123456789abcdef')
  cpSync(file, `${other}.json`)
  cpSync(file.replace(/json$/, 'd'), `${other}.d`, { recursive: true })
  appendFileSync(channel.file, '{"id":"x"}\n{"to')
  writeFileSync(file, '{"version":3}')
  expect(told(await examine(root, chatChecks))).toEqual([
    ['error', 'chat', 'local.json', expect.stringMatching(/damaged: .*format/)],
    ['warning', 'chat', 'channel-0123456789abcdef.json', 'it is the ledger of another channel (local)'],
    ['note', 'chat', 'messages.jsonl', '2 lines are no messages, and passed over; the first is line 2'],
  ])
})
