// Proves that a signal never gets a name under which it could count as acknowledged, or as another: a stray
// acknowledgment, a folder, an archived signal of that name. Fails when a sent signal does not wait afterwards.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { compose } from '../../src/records/signals/compose.ts'
import { Mailbox } from '../../src/records/signals/mailbox.ts'
import { deliverAll } from '../../src/records/signals/deliver.ts'
import { newFolder } from '../support/federation.ts'

const name = '2026-11-20T230501Z-directive-same.json'
let meta: Mailbox
let docs: Mailbox

beforeEach(() => {
  meta = new Mailbox('meta', newFolder('meta'))
  docs = new Mailbox('docs', newFolder('docs'))
  meta.create()
  docs.create()
})

function send() {
  const timestamp = '2026-11-20T23:05:01.000Z'
  const signal = compose({ from: 'meta', to: 'docs', type: 'directive', subject: 'Same', timestamp })
  return deliverAll([{ signal, from: meta, to: docs }])
}

test.each([
  ['an acknowledgment without its signal', () => writeFileSync(path.join(docs.inbox, `${name}.ack`), '{}')],
  ['a folder', () => mkdirSync(path.join(docs.inbox, name))],
  [
    'an archived signal',
    () => {
      const archive = path.join(docs.workspace, '.fed', 'signals', 'archive', '2026-11')
      mkdirSync(archive, { recursive: true })
      writeFileSync(path.join(archive, name), '{}')
    },
  ],
])('the name of %s is left alone, and the signal waits under another', async (_title, arrange) => {
  arrange()
  const [filed] = await send()
  expect(filed?.file).not.toBe(name)
  expect(docs.unacknowledged().map(({ id }) => id)).toEqual([filed?.id])
})

test('a folder in the place of the record does not deny that the signal was sent', async () => {
  mkdirSync(path.join(meta.outbox, name))
  const [filed] = await send()
  expect(docs.unacknowledged().map(({ id }) => id)).toEqual([filed?.id])
  expect(meta.sent().map(({ id }) => id)).toEqual([filed?.id])
})

test('a signal that replaced an archived one under its name is read anew', async () => {
  const [first] = await send()
  const reader = new Mailbox('docs', docs.workspace)
  expect(reader.unacknowledged().map(({ id }) => id)).toEqual([first?.id])
  const archive = path.join(docs.workspace, '.fed', 'signals', 'kept')
  mkdirSync(archive)
  renameSync(path.join(docs.inbox, name), path.join(archive, name))
  const [second] = await send()
  expect(second?.file).toBe(name)
  expect(reader.unacknowledged().map(({ id }) => id)).toEqual([second?.id])
})
