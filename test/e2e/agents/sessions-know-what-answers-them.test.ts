// Proves that a team's question counts as answered by its answer, and by nothing else: what fed's machine says to
// another signal, and a word to an earlier question, leave it open; a word closes the one that is open when it comes.
// Fails when a question is taken for answered that nobody answered, or an answered one opens again.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openQuestions } from '../../../src/agents/sessions/open-questions.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import { reply } from '../../../src/federation/reply-to-signal.ts'
import { setClock } from '../../../src/protocol/clock.ts'
import type { SignalDraft } from '../../../src/records/signals/compose.ts'
import { newFederation } from '../../support/fed.ts'

let federation: Federation
let time = 0
const send = (draft: SignalDraft) => {
  time += 1000
  return federation.send(draft)
}
const asks = (subject: string, to = 'meta') =>
  send({ from: 'docs', to, type: 'question', subject, body: `${subject}?` })
const says = (subject: string, from = 'meta') =>
  send({ from, to: 'docs', type: 'report', subject, body: subject })
const open = async () => openQuestions((await federation.team('docs')).actor).map(({ subject }) => subject)

beforeEach(async () => {
  time = Date.now()
  const goBack = setClock(() => time)
  federation = new Federation(await newFederation({ docs: undefined, api: undefined }))
  await beginMission(await federation.team('docs'), 'Explain it')
  return goBack
})

test('what a machine says to another signal answers no question', async () => {
  await asks('Rounding', 'api')
  await send({ from: 'docs', to: 'api', type: 'directive', subject: 'Do this first', body: '' })
  await (await federation.team('api')).step()
  expect(
    federation
      .mailbox('docs')
      .all()
      .map(({ from, type }) => [from, type]),
  ).toContainEqual(['api', 'alert'])
  expect(await open()).toEqual(['Rounding'])
})

test('nor does a reply to a report', async () => {
  await asks('Rounding', 'api')
  const report = await send({ from: 'docs', to: 'api', type: 'report', subject: 'Ports', body: 'are open' })
  await reply(federation, 'api', report.file, { body: 'Thanks' })
  expect(await open()).toEqual(['Rounding'])
})

test('a word answers the question that is open when it comes, and that one stays answered', async () => {
  await asks('Database')
  await says('Postgres')
  expect(await open()).toEqual([])
  await asks('Port')
  expect(await open()).toEqual(['Port'])
  await says('5432')
  expect(await open()).toEqual([])
})

test('where several are open, a word answers none', async () => {
  await asks('Database')
  await asks('Port')
  await says('Postgres')
  expect(await open()).toEqual(['Database', 'Port'])
})

test('a program that writes whole seconds answers in the same second', async () => {
  const { file, timestamp: asked } = await asks('Database')
  const second = file.slice(0, 17)
  const timestamp = `${asked.slice(0, 19)}Z`
  const answer = {
    id: '3f0a4c9e-0d5e-4b8a-9d0e-0a1b2c3d4e5f',
    timestamp,
    ...{ from: 'meta', to: 'docs', type: 'report', subject: 'Postgres', body: 'Postgres' },
    protocol: 'file-signal-v1',
  }
  const inbox = federation.mailbox('docs').inbox
  writeFileSync(path.join(inbox, `${second}Z-report-postgres.json`), JSON.stringify(answer))
  expect(await open()).toEqual([])
})
