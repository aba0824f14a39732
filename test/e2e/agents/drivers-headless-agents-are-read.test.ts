// A known agent that runs headless is a separate process that may do anything: its stream of JSON tells its session,
// its usage, its limits and that nobody is logged in; a reader finishes by fed's tools alone, and one that died is
// continued under its own session.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { fed, newFederation, pathWith, startFed, workspaceOf } from '../../support/fed.ts'
import { launchPosing, posing } from '../../support/posing-claude.ts'
import { mailOf, statusOf } from '../../support/standing.ts'
import { trust } from '../../support/allow-everything.ts'
import { until } from '../../support/until.ts'

let root: string
const command = (...more: string[]) => ['launch', '--team', 'docs', '--agent', 'claude', ...more]
const launch = (behaviours: readonly string[], ...more: string[]) => launchPosing(root, behaviours, ...more)

const session = (name: string) => path.join(workspaceOf(root, 'docs'), '.fed', 'sessions', name)
const read = (name: string) => JSON.parse(readFileSync(session(name), 'utf8')) as Record<string, unknown>
const lines = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const starts = () =>
  lines(path.join(workspaceOf(root, 'docs'), 'starts.jsonl')).flatMap(({ kind, args }) =>
    kind === 'start' ? [args as string[]] : [],
  )
const reports = (number = 1) => lines(session(`1-${number}.reports.jsonl`))

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain the answer' })
})

test('a reader without a command to run goes from preparing to complete, and its record says what it used', async () => {
  // within walls its own rules are for nobody
  expect(await launch(['good'], '--confinement', 'off')).toMatchObject({ code: 0 })
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete' })
  expect(read('1-1.json')).toMatchObject({ driver: 'exec-json', agent: 'claude' })
  const [args] = starts()
  const id = args?.[args.indexOf('--session-id') + 1]
  expect(args).toEqual(expect.arrayContaining(['--tools', 'Read,Grep,Glob', '--strict-mcp-config']))
  expect(reports()[0]).toMatchObject({ kind: 'session', id })
  expect(reports().at(-1)).toMatchObject({ kind: 'usage', usage: { tokens: 6000, cost: 0.06 } })
})

test('it is the same by the full path of its program, and another program is run by a path with blanks', async () => {
  const [dir = ''] = (posing('good').env.PATH ?? '').split(path.delimiter)
  const known = path.join(dir, 'claude')
  expect(
    await fed(root, ['launch', '--team', 'docs', '--agent', known, '--confinement', 'off']),
  ).toMatchObject({ code: 0 })
  expect(read('1-1.json')).toMatchObject({ driver: 'exec-json', agent: known })
  expect(starts()[0]).toEqual(expect.arrayContaining(['--tools', 'Read,Grep,Glob', '--strict-mcp-config']))
  const unknown = path.join(dir, 'my agent')
  writeFileSync(unknown, '#!/bin/sh\nexit 5\n', { mode: 0o755 })
  writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify({ agentCommand: unknown }))
  trust(root)
  expect(await fed(root, ['run', 'Explain more'])).toMatchObject({ code: 5 })
  expect(read('2-1.json')).toMatchObject({ driver: 'raw', agent: unknown })
})

describe('what goes wrong ends the session, is recorded, and the next one goes on with the agent’s session', () => {
  test.each([
    ['crash', { cause: 'ended', exitCode: 7 }, []],
    ['silent', { cause: 'silent' }, ['--max-silence', '5s']],
    ['half', { cause: 'ended', exitCode: 0 }, []],
  ])('%s', async (behaviour, end, options) => {
    await launch([behaviour, 'good'], '--max-sessions', '2', ...options)
    expect(read('1-1.end.json')).toMatchObject(end)
    const [first, second] = starts()
    const id = first?.[first.indexOf('--session-id') + 1]
    expect(second?.[second.indexOf('--resume') + 1]).toBe(id)
    expect(second).not.toContain('--session-id')
    expect(read('1-2.json')).toMatchObject({ resumes: id })
  })

  test('one whose launcher was killed', async () => {
    const launcher = startFed(root, command(), posing('silent', 'good'))
    const first = session('1-1.reports.jsonl')
    // it is there a moment before what it says
    await until('the first event', () => existsSync(first) && readFileSync(first, 'utf8').includes('\n'))
    launcher.kill('SIGKILL')
    await launcher.ended
    expect(await launch(['silent', 'good'])).toMatchObject({ code: 0 })
    expect(read('1-1.end.json')).toMatchObject({ cause: 'lost' })
    expect(starts()[1]).toContain('--resume')
  })

  test('one of which the agent knows nothing any more costs none of them, and the next begins anew', async () => {
    expect(await launch(['crash', 'forgotten', 'good'], '--max-sessions', '2')).toMatchObject({ code: 0 })
    expect(starts().map((args) => args.includes('--resume'))).toEqual([false, true, false])
  })

  test('a new mission does not get it', async () => {
    await launch(['crash'], '--max-sessions', '1')
    await fed(root, ['launch', '--team', 'docs', '--reset', '--agent', 'claude'], posing('good'))
    expect(starts()[1]).toContain('--session-id')
  })
})

test('a flood is kept, and what is no event harms nobody', async () => {
  const { code, stderr } = await launch(['flood'])
  expect(code).toBe(0)
  expect(readFileSync(session('1-1.log'), 'utf8')).toContain('word 1999')
  expect(stderr.length).toBeLessThan(400_000)
  expect(reports().length).toBeLessThan(200)
})

test('without an account it refuses once, in its own words, and the mission stays as it is', async () => {
  const { code, stderr } = await launch(['noaccount'])
  expect(code).toBe(5)
  expect(stderr).toContain('claude will not work here: Not logged in · Please run /login')
  expect(read('1-1.end.json')).toMatchObject({ cause: 'refused', exitCode: 1 })
  expect(existsSync(session('1-2.json'))).toBe(false)
  // nothing is lost, and nothing tries again before a person has seen to it
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'paused', finished: false })
  expect(await mailOf(root, 'meta')).toContainEqual(
    expect.objectContaining({
      type: 'alert',
      subject: 'Agent needs a person',
      body: expect.stringContaining(
        "see to it; then 'fed resume docs' and 'fed launch --team docs --agent claude' go on",
      ),
    }),
  )
})

test('one that says so in plain words, before any event, is understood as well', async () => {
  const copilot = `echo 'Error: No authentication information found.' >&2; exit 1`
  const env = { PATH: pathWith({ copilot }) }
  const { code, stderr } = await fed(root, ['launch', '--team', 'docs', '--agent', 'copilot'], { env })
  expect([code, stderr]).toEqual([5, expect.stringContaining('No authentication information found')])
  expect(read('1-1.end.json')).toMatchObject({ cause: 'refused', exitCode: 1 })
})

test.each([
  ['and ends', 'writing'],
  ['and reports a document all the same', 'improving'],
])('a reader whose own tool call wrote into the codebase %s: its mission fails', async (_, behaviour) => {
  // in a sandbox it could not
  expect(await launch([behaviour], '--confinement', 'off')).toMatchObject({ code: 1 })
  const status = await statusOf(root, 'docs')
  expect(status).toMatchObject({ state: 'failed', failure: { event: 'alert.codebase-modified' } })
  expect(status.failure?.reason).toContain('wrote src/app.ts')
  expect(status.failure?.reason).toContain(session('1-1.changes.patch'))
  expect(readFileSync(path.join(root, 'src', 'app.ts'), 'utf8')).toContain('// improved')
})
