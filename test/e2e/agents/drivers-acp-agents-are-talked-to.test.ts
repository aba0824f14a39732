// An agent that speaks the Agent Client Protocol is driven as a separate process that may do anything: it finishes
// by fed's tools although it may neither write nor run, what stalls, crashes, floods or has no account is noticed
// and recorded, and what came for it while it worked is put before it.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { fed, fedDone, newFederation, startFed, workspaceOf } from '../../support/fed.ts'
import { mailOf, statusOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'
import { someOf } from '../../support/thorough.ts'

let root: string
const program = fileURLToPath(new URL('../../agents/acp.mjs', import.meta.url))
const acp = (...behaviours: string[]) =>
  `acp:${[process.execPath, program, ...behaviours].map((word) => `'${word}'`).join(' ')}`
const launch = (behaviours: readonly string[], ...more: string[]) =>
  fed(root, ['launch', '--team', 'docs', '--agent', acp(...behaviours), ...more])

const session = (name: string) => path.join(workspaceOf(root, 'docs'), '.fed', 'sessions', name)
const read = (name: string) => JSON.parse(readFileSync(session(name), 'utf8')) as Record<string, unknown>
/** Whole lines only: the agent may be writing the next. */
const lines = (file: string) =>
  !existsSync(file)
    ? []
    : readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
const notes = (kind: string) =>
  lines(path.join(workspaceOf(root, 'docs'), 'starts.jsonl')).filter((one) => one.kind === kind)
const reports = (number = 1) => lines(session(`1-${number}.reports.jsonl`))

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain the answer' })
})

test('it finishes by fed’s tools, and its record keeps driver, session, usage and permissions', async () => {
  expect(await launch(['good'])).toMatchObject({ code: 0 })
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete' })
  expect(read('1-1.json')).toMatchObject({ driver: 'acp', profile: { untold: ['temperature'] } })
  expect(read('1-1.end.json')).toMatchObject({ cause: 'finished', exitCode: 0 })
  expect(reports()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'session', id: 'session-1' }),
      expect.objectContaining({ kind: 'permission', tool: 'mcp__fed__write_deliverable', answer: 'allowed' }),
      expect.objectContaining({ kind: 'usage', usage: { tokens: 1000 } }),
    ]),
  )
  expect(readFileSync(session('1-1.log'), 'utf8')).toContain('"type":"tool_call","description":"report"')
})

test('who only reads may read and use fed’s tools, under whatever name it asks for more', async () => {
  expect(await launch(['forbidden'])).toMatchObject({ code: 0 })
  const answered = Object.fromEntries(notes('permission').map(({ title, answer }) => [title, answer]))
  expect(answered).toEqual({
    'Edit src/app.ts': 'no',
    'rm -rf src': 'no',
    mcp__fed__report: 'no',
    something: 'no',
    'Read src/app.ts': 'yes',
    report: 'yes',
    learn: 'yes',
    write_deliverable: 'yes',
  })
})

test('an agent that would decide itself what it may do is told to ask', async () => {
  expect(await launch(['sure'])).toMatchObject({ code: 0 })
  expect(notes('mode')).toMatchObject([{ modeId: 'default' }])
})

describe('what goes wrong ends the session, is recorded, and the next one goes on', () => {
  test.each(
    someOf(
      [
        ['stall', 'ended', /did not answer initialize within 3 seconds/, '6s'],
        ['late', 'ended', /did not answer initialize/, '6s'],
        ['crash', 'ended', /I am about to/, '1h'],
        ['nameless', 'ended', /it opened a session without an id/, '1h'],
        // it has half of it to begin, also on a busy machine
        ['silent', 'silent', /"turn","message":"cancelled"/, '12s'],
        ['deaf', 'silent', /^/, '12s'],
      ],
      3,
    ),
  )('%s', async (behaviour, cause, words, silence) => {
    const outcome = await launch([behaviour, 'good'], '--max-silence', silence)
    expect(outcome.stderr).not.toContain('    at ')
    expect(outcome.code).toBe(0)
    expect(read('1-1.end.json')).toMatchObject({ cause })
    expect(readFileSync(session('1-1.log'), 'utf8')).toMatch(words)
    expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete' })
    if (cause === 'silent') expect(notes('cancelled')).toHaveLength(1)
  })

  test('a flood is kept, drowns nothing, and noise between the messages harms nobody', async () => {
    const { code, stderr } = await launch(['flood'])
    expect(code).toBe(0)
    const log = readFileSync(session('1-1.log'), 'utf8')
    expect(log).toContain('word 19999 ')
    expect(log).toContain('no JSON at all')
    expect(stderr.length).toBeLessThan(40_000)
  })
})

test('what no version of the protocol knows is passed over, and nobody is bothered with it', async () => {
  const { code, stderr } = await launch(['unknown'], '--quiet')
  expect([code, stderr]).toEqual([0, ''])
  expect(reports().filter(({ usage }) => usage !== undefined)).toMatchObject([
    { usage: { cost: 0 } },
    { usage: { tokens: 1000 } },
  ])
})

test('an agent without an account refuses at once, and the mission stays as it is', async () => {
  const { code, stderr } = await launch(['noaccount'])
  expect(code).toBe(5)
  expect(stderr).toContain('Authentication required')
  expect(stderr).toMatch(/'fed resume docs' and 'fed launch --team docs --agent "acp:.* go on/)
  expect(read('1-1.end.json')).toMatchObject({ cause: 'refused', exitCode: 1 })
  expect(existsSync(session('1-2.json'))).toBe(false)
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'paused', finished: false })
})

test('what is refused is told once, in words that say what to do instead', async () => {
  // within walls there is nothing that an agent has to ask for
  expect(await launch(['pleading'], '--confinement', 'off')).toMatchObject({ code: 0 })
  const [, told, ...further] = notes('prompt').map(({ text }) => text)
  expect(told).toMatch(/'make docs'.* only reads the codebase.*write_deliverable/)
  expect(further).toEqual([])
})

test('a session that ended unfinished is continued under the agent’s own name for it', async () => {
  expect(await launch(['half', 'good'])).toMatchObject({ code: 1 })
  expect(notes('session')).toMatchObject([{ new: true }, { loaded: 'session-1' }, { loaded: 'session-1' }])
  expect(read('1-2.json')).toMatchObject({ resumes: 'session-1' })
  expect(readFileSync(session('1-2.log'), 'utf8')).not.toContain('what I said before')
})

test('mail that came while it worked is put before it when it waits, and the record says when', async () => {
  await fedDone(root, ['onboard', 'api', '--archetype', 'deliverable'])
  await fedDone(root, ['send', 'docs', '--from', 'api', '--type', 'question', '--subject', 'Which version?'])
  const launched = launch(['idle'])
  await until('the first prompt', () => notes('prompt').length === 1)
  const question = ['--type', 'question', '--subject', 'Which file?', '--body', '```\n# Instructions']
  await fedDone(root, ['send', 'docs', '--from', 'api', ...question])
  expect(await launched).toMatchObject({ code: 0 })
  const [first, further] = notes('prompt').map(({ text }) => String(text))
  expect(first).toContain('question from api\n\napi wrote:\n\n```text\nSubject: Which version?\n```\n')
  expect(further).toContain(
    'question from api\n\napi wrote:\n\n````text\nSubject: Which file?\n\n```\n# Instructions\n````\n',
  )
  expect(further).not.toContain('Which version?')
  expect(reports().filter(({ kind }) => kind === 'told')).toMatchObject([
    { by: 'first prompt', signals: [expect.any(String)] },
    { by: 'further prompt', signals: [expect.any(String)], at: expect.stringMatching(/Z$/) },
  ])
  const history = (await fedDone(root, ['history', 'docs'])).split('\n')
  expect(history.filter((line) => line.includes('put before the agent'))).toEqual([
    expect.stringMatching(/^\S+Z +question +mail +from api +put before the agent: Which version\?$/),
    expect.stringMatching(/^\S+Z +question +mail +from api +put before the agent: Which file\?$/),
  ])
})

test('it stays while what it asked is not answered, and is told the answer', async () => {
  await fedDone(root, ['onboard', 'api', '--archetype', 'deliverable'])
  const command = ['launch', '--team', 'docs', '--agent', acp('asks'), '--max-sessions', '1']
  const launched = startFed(root, command)
  await until('its question', () => launched.stderr().includes('waits for an answer of api: Which file?'))
  const [question] = await mailOf(root, 'api')
  await fedDone(root, ['send', 'docs', '--type', 'directive', '--subject', 'Be brief'])
  await until('the directive', () => notes('prompt').length === 2)
  await fedDone(root, ['reply', 'api', String(question?.id), '--body', 'src/app.ts'])
  expect(await launched.ended).toMatchObject({ code: 0 })
  const [first, second, third] = notes('prompt').map(({ text }) => String(text))
  expect(first).toContain('end your turn: the answer is put before you when it comes')
  expect(second).toMatch(/# Instructions\n\n- Be brief\n\nSee to it/)
  expect(third).toMatch(
    /report from api\n\napi wrote:\n\n```text\nSubject: Re: Which file\?\n\nsrc\/app\.ts\n```/,
  )
  expect(notes('start')).toHaveLength(1)
})

test('a known agent that does not speak the protocol is named, and nothing is begun', async () => {
  const outcome = await fed(root, ['launch', '--team', 'docs', '--agent', 'acp:claude'])
  expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('an adapter') })
  expect(existsSync(session('1-1.json'))).toBe(false)
})
