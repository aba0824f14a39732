// Proves that a consultant with an agent learns its domain, takes questions of other teams one after the other,
// sends each answer to whoever asked and to nobody else, and says no once it is retired. It fails when a question
// is lost, answered twice or by the wrong words, or when somebody waits for a team that is gone.
import { beforeEach, expect, test } from 'vitest'
import type { FiledSignal, Offboarded } from '../../../src/index.ts'
import { agent, fed, fedDone, fedJson, newFederation } from '../../support/fed.ts'
import { mailOf, statusOf } from '../../support/standing.ts'

let root: string
const working = ['--agent', agent('consultant')]
const status = () => statusOf(root, 'port')
const inbox = (team: string) => mailOf(root, team, 'all')
const ask = (from: string, subject: string) =>
  fedJson<FiledSignal>(root, ['send', 'port', '--from', from, '--type', 'question', '--subject', subject])

beforeEach(async () => {
  root = await newFederation({ docs: undefined, web: undefined })
})

test('from its domain to its retirement', async () => {
  await fedDone(root, ['onboard', 'port', '--archetype', 'consultant', '--mission', 'Know the ports'])
  // it is not ready yet: the question waits
  const early = await ask('docs', 'Which port?')
  await fedDone(root, ['monitor', '--quiet']).catch(() => undefined)
  expect(await status()).toMatchObject({
    state: 'onboarding',
    question: null,
    mailbox: { unacknowledged: 1 },
  })

  expect(await fed(root, ['launch', '--team', 'port', ...working])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('port is ready and waits for somebody else'),
  })
  const [answer, ...others] = await inbox('docs')
  expect(others).toEqual([])
  expect(answer).toMatchObject({
    from: 'port',
    type: 'report',
    subject: 'Answer: Which port?',
    body: 'You asked "Which port?": it is 42',
  })
  expect(await inbox('port')).toContainEqual(expect.objectContaining({ id: early.id, acknowledged: true }))

  await ask('docs', 'Which one of them?')
  await ask('web', 'Which host?')
  await fed(root, ['monitor'])
  expect(await status()).toMatchObject({
    state: 'researching',
    question: { from: 'docs', subject: 'Which one of them?' },
    mailbox: { unacknowledged: 1 },
  })
  expect(await fed(root, ['launch', '--team', 'port', ...working])).toMatchObject({ code: 0 })
  expect((await inbox('docs')).map(({ subject }) => subject)).toEqual([
    'Answer: Which port?',
    'Answer: Which one of them?',
  ])
  expect((await inbox('web')).map(({ subject, body }) => [subject, body])).toEqual([
    ['Answer: Which host?', 'You asked "Which host?": it is 42'],
  ])

  const sent = await fed(root, ['send', 'port', '--type', 'directive', '--subject', 'Retire'])
  expect(sent.stderr).toBe(
    "port takes it when it is stepped: by its agent's work, a launch, or 'fed monitor'\n",
  )
  // it ends a launch that it is there for, as it ends the machine
  expect(await fed(root, ['launch', '--team', 'port', ...working])).toMatchObject({
    code: 0,
    stdout: 'port is retired\n',
  })
  expect(await status()).toMatchObject({ state: 'retired', finished: true })
  await expect(ask('web', 'Are you there?')).rejects.toThrow('port is retired and answers nobody')
  expect(await fed(root, ['launch', '--team', 'port', ...working])).toMatchObject({ code: 5 })
  expect(await fedJson<Offboarded>(root, ['offboard', 'port'])).toMatchObject({ team: 'port', rescued: [] })
})
