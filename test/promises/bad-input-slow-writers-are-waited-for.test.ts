// Proves that a signal which another program writes piece by piece under its final name is neither read half nor
// set aside while it grows, and is read once it is whole; one whose writer stopped in the middle is set aside
// when it has been still for a while. Fails when a reader's haste loses a signal, or a torso stays for ever.
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import type { CycleReport } from '../../src/index.ts'
import { Mailbox } from '../../src/records/signals/mailbox.ts'
import { fedJson, newFederation, startFed, workspaceOf } from '../support/fed.ts'
import { until } from '../support/until.ts'

let root: string
let docs: Mailbox

beforeEach(async () => {
  root = await newFederation({ docs: undefined })
  docs = new Mailbox('docs', workspaceOf(root, 'docs'))
})

const name = '2026-01-01T000000Z-directive-explain-it.json'
const text = JSON.stringify({
  id: '6f1c2f0e-3d5b-4b70-9a51-0c2b7a4e8f11',
  timestamp: '2026-01-01T00:00:00Z',
  from: 'meta',
  to: 'docs',
  type: 'directive',
  subject: 'Explain it',
  body: 'Größe und Ort 🚀',
  protocol: 'file-signal-v1',
})

const secondsAgo = (seconds: number) => Date.now() / 1000 - seconds

/** A process that writes the signal into the inbox, one piece for each call. */
async function slowWriter(file: string, piece: number) {
  const program = fileURLToPath(new URL('../support/slow-writer.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, file, String(piece)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, FED_TEST_TEXT: text },
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('open')
  return {
    async write(): Promise<'more' | 'whole'> {
      child.stdin.write('\n')
      return (await lines.next()).value as 'more' | 'whole'
    },
    end: () => child.stdin.end(),
  }
}

test('byte by byte, with a look after each: read when it is whole, and not before', async () => {
  const writer = await slowWriter(path.join(docs.inbox, name), 1)
  const watcher = new Mailbox('docs', workspaceOf(root, 'docs'))
  for (let looks = 0; ; looks += 1) {
    expect(watcher.unacknowledged()).toEqual([])
    expect(new Mailbox('docs', workspaceOf(root, 'docs')).unacknowledged()).toEqual([])
    if ((await writer.write()) === 'more') continue
    expect(looks).toBe(Buffer.byteLength(text) - 1)
    break
  }
  // also by whom saw it half, although no name in the folder changed since
  expect(watcher.unacknowledged()).toMatchObject([{ file: name, body: 'Größe und Ort 🚀' }])
  expect(new Mailbox('docs', workspaceOf(root, 'docs')).unacknowledged()).toHaveLength(1)
  expect(docs.quarantined()).toEqual([])
  writer.end()
})

test('a monitor that watches handles it once it is whole', async () => {
  const writer = await slowWriter(path.join(docs.inbox, name), 60)
  const watch = startFed(root, ['monitor', '--watch', '--interval', '20ms', '--json'])
  const cycles = () =>
    watch
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as CycleReport)
  const handled = () => cycles().reduce((sum, { teams }) => sum + (teams[0]?.handled ?? 0), 0)
  for (let whole = false; !whole;) {
    const seen = cycles().length
    await until('two cycles', () => cycles().length >= seen + 2)
    expect(handled()).toBe(0)
    whole = (await writer.write()) === 'whole'
  }
  await until('the signal in a cycle', () => handled() === 1)
  watch.kill('SIGINT')
  await watch.ended
  writer.end()
  expect(readdirSync(docs.inbox)).toEqual([name, `${name}.ack`])
  expect(docs.quarantined()).toEqual([])
  expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ mission: { subject: 'Explain it' } })
})

test('a library that watches is told of it although only the file changed', async () => {
  const file = path.join(docs.inbox, name)
  writeFileSync(file, text.slice(0, 50))
  const seen: string[] = []
  const end = new Mailbox('docs', workspaceOf(root, 'docs')).watch((signals) => {
    for (const { subject } of signals) seen.push(subject)
  })
  expect(seen).toEqual([])
  appendFileSync(file, text.slice(50))
  await until('the signal', () => seen.length > 0)
  end()
  expect(seen).toEqual(['Explain it'])
})

test('one whose writer stopped in the middle is set aside when it has been still, and good ones flow meanwhile', async () => {
  const file = path.join(docs.inbox, name)
  const writer = await slowWriter(file, 100)
  await writer.write()
  writer.end()
  writeFileSync(path.join(docs.inbox, 'good.json'), text)
  expect(docs.unacknowledged()).toMatchObject([{ file: 'good.json' }])
  for (const seconds of [0, 1, 3, 5]) {
    utimesSync(file, secondsAgo(seconds), secondsAgo(seconds))
    expect(docs.unacknowledged()).toMatchObject([{ file: 'good.json' }])
    expect(existsSync(file), `still for ${seconds} seconds`).toBe(true)
  }
  utimesSync(file, secondsAgo(30), secondsAgo(30))
  expect(new Mailbox('docs', workspaceOf(root, 'docs')).unacknowledged()).toMatchObject([
    { file: 'good.json' },
  ])
  expect(existsSync(file)).toBe(false)
  expect(docs.quarantined()).toMatchObject([
    { reason: expect.stringMatching(/explain-it\.json: not JSON: / as RegExp) },
  ])
})

test('written again after it was set aside, it is read', async () => {
  const file = path.join(docs.inbox, name)
  writeFileSync(file, text.slice(0, 80))
  utimesSync(file, secondsAgo(60), secondsAgo(60))
  expect(docs.unacknowledged()).toEqual([])
  expect(docs.quarantined()).toHaveLength(1)
  writeFileSync(`${file}.tmp`, text)
  renameSync(`${file}.tmp`, file)
  expect(docs.unacknowledged()).toMatchObject([{ file: name }])
  rmSync(file)
  expect(docs.unacknowledged()).toEqual([])
})
