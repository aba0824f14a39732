// Proves that a team whose agent asked somebody and ended its turn waits: no session is spent and nothing fails until
// the answer lies in its inbox, or until its time is over and meta says that there is none. It fails when a mission
// dies of a question, when a wait is forgotten by a kill, or when an answer, or its absence, does not reach the agent.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { FiledSignal, TeamStatus } from '../../../src/index.ts'
import {
  agent,
  fed,
  fedDone,
  fedJson,
  newFederation,
  startFed,
  startsOf,
  workspaceOf,
} from '../../support/fed.ts'
import { until } from '../../support/until.ts'

let root: string
const launch = (...questions: string[]) => [
  'launch',
  '--team',
  'docs',
  '--agent',
  agent('asking', ...questions),
]
const workspace = () => workspaceOf(root, 'docs')
const prompts = () => startsOf(workspace()).map(({ prompt }) => prompt)
const waiting = 'docs waits for an answer of api: Which port?'
const inbox = (team: string) => fedJson<FiledSignal[]>(root, ['inbox', team, '--all'])
const status = () => fedJson<TeamStatus & { waitsFor: unknown }>(root, ['status', 'docs'])
const configure = (config: object) =>
  writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify(config))

/** The id of the question in a team's inbox, once it is there. */
async function question(subject = 'Which port?', team = 'api'): Promise<string> {
  const dir = path.join(workspaceOf(root, team), '.fed', 'signals', 'inbox')
  const find = () =>
    readdirSync(dir)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(path.join(dir, name), 'utf8')) as FiledSignal)
      .find((signal) => signal.subject === subject)
  return (await until(`the question '${subject}'`, find)).id
}
const answer = async (body: string, subject?: string) =>
  fedDone(root, ['reply', 'api', await question(subject), '--body', body])

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain it', api: undefined })
})

test('it waits for the answer and goes on with it, and the session that asked is not counted', async () => {
  const launched = startFed(root, [...launch('api:Which port?'), '--max-sessions', '1'])
  await until('it to wait', () => launched.stderr().includes(waiting))
  expect(await status()).toMatchObject({
    state: 'preparing',
    waitsFor: { to: 'api', subject: 'Which port?' },
  })
  expect(startsOf(workspace())).toHaveLength(1)
  await answer('It is eighty')
  expect(await launched.ended).toMatchObject({ code: 0 })
  expect(prompts()).toHaveLength(2)
  expect(prompts()[1]).toContain(
    'report from api\n\napi wrote:\n\n```text\nSubject: Re: Which port?\n\nIt is eighty',
  )
  expect(await inbox('meta')).not.toContainEqual(expect.objectContaining({ type: 'alert' }))
})

test('each of many questions is waited for, however few sessions there may be', async () => {
  const subjects = ['Which port?', 'Which host?', 'Which user?', 'Which key?']
  const launched = startFed(root, [...launch(...subjects.map((one) => `api:${one}`)), '--max-sessions', '1'])
  for (const subject of subjects) {
    await until('it to wait', () => launched.stderr().includes(`an answer of api: ${subject}`))
    await answer('yes', subject)
  }
  expect(await launched.ended).toMatchObject({ code: 0 })
  expect(startsOf(workspace())).toHaveLength(5)
})

test('who asks the same again and again does not do so for ever', async () => {
  const again = Array.from({ length: 9 }, () => 'port:Which port?')
  await fedDone(root, ['onboard', 'port', '--archetype', 'consultant', '--mission', 'Know the ports'])
  const expert = ['launch', '--team', 'port', '--agent', agent('consultant'), '--idle', '1h']
  const answering = startFed(root, expert)
  const { code, stdout } = await fed(root, [...launch(...again), '--max-sessions', '2'])
  expect([code, stdout]).toEqual([1, expect.stringContaining('ended 2 sessions without finishing')])
  expect(startsOf(workspace())).toHaveLength(3)
  answering.kill('SIGINT')
  await answering.ended
})

test('a launcher that is killed forgets nothing: the next one waits on', async () => {
  const first = startFed(root, launch('api:Which port?'))
  await until('it to wait', () => first.stderr().includes(waiting))
  first.kill('SIGKILL')
  await first.ended
  const second = startFed(root, launch('api:Which port?'))
  await until('it to wait', () => second.stderr().includes(waiting))
  expect(startsOf(workspace())).toHaveLength(1)
  await answer('eighty')
  expect(await second.ended).toMatchObject({ code: 0 })
  expect(startsOf(workspace())).toHaveLength(2)
})

test('without an answer in time meta says so, once, and the agent is started with that', async () => {
  configure({ questionTimeout: '1s' })
  expect(await fed(root, launch('api:Which port?'))).toMatchObject({ code: 0 })
  const alerts = (await inbox('docs')).filter(({ type }) => type === 'alert')
  expect(alerts).toMatchObject([{ from: 'meta', subject: 'No answer' }])
  expect(prompts()[1]).toContain("api has not answered your question 'Which port?'")
  // whoever looks later finds it said
  await fedDone(root, ['monitor'])
  expect((await inbox('docs')).filter(({ type }) => type === 'alert')).toHaveLength(1)
})

test('an agent that asks and is never answered ends with its sessions', async () => {
  configure({ questionTimeout: '200ms' })
  const asks = Array.from({ length: 9 }, (_, index) => `api:Which port of ${index}?`)
  expect(await fed(root, [...launch(...asks), '--max-sessions', '2'])).toMatchObject({ code: 1 })
  expect(startsOf(workspace())).toHaveLength(2)
})

test('where no launcher waits the monitor says that there is no answer', async () => {
  const first = startFed(root, launch('api:Which port?'))
  await until('it to wait', () => first.stderr().includes(waiting))
  first.kill('SIGKILL')
  await first.ended
  expect(await fed(root, ['monitor'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('waits for api'),
  })
  configure({ questionTimeout: '1ms' })
  await fed(root, ['monitor'])
  await fed(root, ['monitor'])
  expect(await inbox('docs')).toMatchObject([{ type: 'directive' }, { subject: 'No answer' }])
})

test('other mail is put before the agent meanwhile, and costs no session either', async () => {
  const launched = startFed(root, [...launch('api:Which port?', 'api:Which host?'), '--max-sessions', '1'])
  await until('it to wait', () => launched.stderr().includes(waiting))
  await fedDone(root, ['send', 'docs', '--from', 'api', '--type', 'question', '--subject', 'Which protocol?'])
  await until('another session', () => startsOf(workspace()).length === 2)
  await answer('tcp, 80')
  await answer('here', 'Which host?')
  expect(await launched.ended).toMatchObject({ code: 0 })
  expect(prompts()[1]).toContain('question from api\n\napi wrote:\n\n```text\nSubject: Which protocol?')
})

test('an answer of a program that knows only the specification counts', async () => {
  const launched = startFed(root, launch('api:Which port?'))
  await until('it to wait', () => launched.stderr().includes(waiting))
  await fedDone(root, ['send', 'docs', '--from', 'api', '--type', 'report', '--subject', 'Eighty'])
  expect(await launched.ended).toMatchObject({ code: 0 })
  expect(startsOf(workspace())).toHaveLength(2)
})

test('two questions to one team with the same beginning are answered each', async () => {
  const beginning = 'Which of the many ports that the gateway opens for the shop is meant when somebody says'
  const subjects = [`${beginning} the first?`, `${beginning} the last?`]
  const [first, last] = await Promise.all(
    subjects.map((subject) =>
      fedJson<FiledSignal>(root, [
        'send',
        'api',
        '--from',
        'docs',
        '--type',
        'question',
        '--subject',
        subject,
      ]),
    ),
  )
  expect((await status()).waitsFor).not.toBeNull()
  await fedDone(root, ['reply', 'api', (last as FiledSignal).id, '--body', '90'])
  expect((await status()).waitsFor).toMatchObject({ signal: first?.id })
  await fedDone(root, ['reply', 'api', (first as FiledSignal).id, '--body', '80'])
  expect((await status()).waitsFor).toBeNull()
})

test('what ends a launch ends a waiting one: a pause, a reset, an interruption, its time', async () => {
  const paused = startFed(root, launch('api:Which port?'))
  await until('it to wait', () => paused.stderr().includes(waiting))
  await fedDone(root, ['pause', 'docs'])
  expect(await paused.ended).toMatchObject({ code: 5, stdout: expect.stringContaining('paused') })
  await fedDone(root, ['resume', 'docs'])
  expect(await fed(root, [...launch(), '--timeout', '300ms'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('waits for an answer of api: Which port?'),
  })
  const interrupted = startFed(root, launch())
  await until('it to wait', () => interrupted.stderr().includes(waiting))
  interrupted.kill('SIGINT')
  expect(await interrupted.ended).toMatchObject({ code: 130 })
  const replaced = startFed(root, launch())
  await until('it to wait', () => replaced.stderr().includes(waiting))
  const anew = await fed(root, [
    'run',
    'Something else',
    '--team',
    'docs',
    '--reset',
    '--agent',
    agent('good'),
  ])
  expect(anew).toMatchObject({ code: 0 })
  expect(await replaced.ended).toMatchObject({ code: 5, stderr: expect.stringContaining('another mission') })
})
