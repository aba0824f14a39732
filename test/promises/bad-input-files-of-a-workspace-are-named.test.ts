// Proves that what people and other programs write into the files of a workspace (its identity, session records, the
// learning log) is refused with the file's name and left as it is, and that what can be passed over is told. Fails
// when a stack is shown, a file is not named or changes, or other teams are held up.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { lastSession, recordSession } from '../../src/agents/sessions/session-record.ts'
import { fed, fedDone, newFederation, newFolder, workspaceOf } from '../support/fed.ts'
import { inPlaceOf, json, nested, write } from '../support/in-place-of.ts'
import { anySession } from '../support/session-record.ts'
import { someOf } from '../support/thorough.ts'

let root: string

beforeAll(async () => {
  root = await newFederation({ docs: 'Explain src/app.ts' })
})

test('a session number to which fed never counts is passed over', () => {
  const dir = newFolder('sessions')
  recordSession(dir, anySession)
  for (const name of ['1-9007199254740991', '0-1']) writeFileSync(path.join(dir, `${name}.json`), '{}')
  expect(lastSession(dir)).toMatchObject({ mission: 1, number: 1 })
})

describe('a workspace', () => {
  const identity = () => path.join(workspaceOf(root, 'docs'), '.fed', 'team.json')

  test.each(
    someOf<[string, (file: string) => unknown, string]>(
      [
        ['no JSON', write('{"team": '), 'not JSON: '],
        [
          'wrong fields',
          json({ format: 'fed-team-1', team: '../x', root: 'here' }),
          'team: is not a team id; archetype: is missing; root: is not an absolute path',
        ],
        ['a folder', (file) => mkdirSync(file), 'it is a folder, not a regular file'],
        ['a pipe', (file) => execFileSync('mkfifo', [file]), 'it is a pipe or a device, not a regular file'],
        [
          'a link to a device without end',
          (file) => symlinkSync('/dev/zero', file),
          'it is a symbolic link, not a regular file',
        ],
      ],
      5,
    ),
  )('whose team.json is or holds %s is named, and the federation works on', async (_what, make, reason) => {
    await inPlaceOf(identity(), make, async () => {
      const { code, stdout, stderr } = await fed(workspaceOf(root, 'docs'), ['status'])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr.split('\n')).toHaveLength(2)
      expect(stderr).toContain(`${identity()} is damaged: ${reason}`)
      expect(await fed(root, ['status', 'docs'])).toMatchObject({ code: 0 })
    })
  })

  test.each(
    someOf<[string, (file: string) => unknown]>(
      [
        ['no JSON', write('{')],
        ['wrong fields', json({ mission: 0, agent: 7 })],
        ['a folder', (file) => mkdirSync(file)],
      ],
      5,
    ),
  )('whose session record is or holds %s: its status says so in one line', async (_what, make) => {
    const sessions = path.join(workspaceOf(root, 'docs'), '.fed', 'sessions')
    mkdirSync(sessions, { recursive: true })
    const record = path.join(sessions, '1-1.json')
    await inPlaceOf(record, make, async () => {
      const { code, stdout, stderr } = await fed(root, ['status', 'docs'])
      expect({ isFailure: code === 1 || code === 2, stdout }).toEqual({ isFailure: true, stdout: '' })
      expect(stderr).toMatch(/^fed: [^\n]*1-1\.json[^\n]*\n$/)
      expect(stderr).not.toContain('unexpected')
    })
  })
})

describe('a learning log', () => {
  const log = () => path.join(workspaceOf(root, 'docs'), '.fed', 'learnings.jsonl')

  test('with bad lines shows the others and names the first', async () => {
    await fedDone(root, ['learn', 'First', '--team', 'docs'])
    const bad = [
      '{"half": ',
      '{"timestamp":"now"}',
      'null',
      nested(10_000),
      '\u001B[2J\u0000',
      '{"__proto__":1}',
    ]
    appendFileSync(log(), `${bad.join('\n')}\n`)
    appendFileSync(log(), Buffer.from([0xff, 0xfe, 0x0a]))
    await fedDone(root, ['learn', 'Last', '--team', 'docs'])
    const { code, stdout, stderr } = await fed(root, ['learnings', 'docs', '--json'])
    expect(code).toBe(0)
    expect((JSON.parse(stdout) as { content: string }[]).map(({ content }) => content)).toEqual([
      'First',
      'Last',
    ])
    expect(stderr).toMatch(/^\S+learnings\.jsonl: 7 lines are no finding and passed over; line 2: [^\n]+\n$/)
    expect(await fed(root, ['learnings', 'docs', '--quiet', '--json'])).toMatchObject({ code: 0, stderr: '' })
  })

  test.each(
    someOf<[string, (file: string) => unknown]>(
      [
        ['a folder', (file) => mkdirSync(file)],
        ['a pipe', (file) => execFileSync('mkfifo', [file])],
        ['a link to itself', (file) => symlinkSync(path.basename(file), file)],
      ],
      5,
    ),
  )('that is %s is named, by reading and by writing', async (_what, make) => {
    await inPlaceOf(log(), make, async () => {
      for (const args of [
        ['learnings', 'docs'],
        ['learn', 'x', '--team', 'docs'],
      ]) {
        const { code, stdout, stderr } = await fed(root, args)
        expect({ isFailure: code === 1 || code === 2, stdout }).toEqual({ isFailure: true, stdout: '' })
        expect(stderr).toMatch(/^fed: \S+learnings\.jsonl[^\n]+\n$/)
        expect(stderr).not.toContain('unexpected')
      }
    })
  })
})
