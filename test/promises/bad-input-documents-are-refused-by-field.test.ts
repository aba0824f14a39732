// Proves that what people and other programs write outside of the inboxes (configuration, registry, workspaces,
// learning logs, session records) is refused with its file and its field, and left as
// it is; what can be passed over is told. Fails when a stack is shown, a problem is not named, or a file changes.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { fed, fedDone, newFederation, newFolder, workspaceOf, type Ended } from '../support/fed.ts'
import { someOf } from '../support/thorough.ts'

let root: string

beforeAll(async () => {
  root = await newFederation({ docs: 'Explain src/app.ts' })
})

/** Puts something in a file's place while `act` runs; what it is must be the same afterwards. */
async function inPlaceOf(
  file: string,
  make: (file: string) => unknown,
  act: () => Promise<void>,
): Promise<void> {
  const kept = existsSync(file) ? readFileSync(file) : undefined
  rmSync(file, { force: true })
  try {
    make(file)
    const before = execFileSync('ls', ['-ln', '--time-style=full-iso', path.dirname(file)])
    await act()
    expect(execFileSync('ls', ['-ln', '--time-style=full-iso', path.dirname(file)])).toEqual(before)
  } finally {
    rmSync(file, { recursive: true, force: true })
    if (kept !== undefined) writeFileSync(file, kept)
  }
}

function expectProblems(
  { code, stdout, stderr }: Ended,
  file: string,
  problems: readonly (string | RegExp)[],
): void {
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  const [head = '', ...rest] = stderr.trimEnd().split('\n')
  expect(head.startsWith(`fed: ${file} is not valid:`)).toBe(true)
  // one problem is told in the same line, several have a line each
  const lines =
    problems.length === 1 ? [` ${head.slice(`fed: ${file} is not valid:`.length)}`, ...rest] : rest
  expect(lines).toEqual(
    problems.map((problem) => expect.stringMatching(typeof problem === 'string' ? `^  ${problem}` : problem)),
  )
}

const write = (content: string | Buffer) => (file: string) => writeFileSync(file, content)
const json = (content: unknown) => write(JSON.stringify(content))
const config = () => path.join(root, 'federate.config.json')
const registry = () => path.join(root, '.fed', 'team-registry.json')
const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('the configuration', () => {
  test.each(
    someOf<[string, (file: string) => unknown, (string | RegExp)[]]>(
      [
        ['nothing', write(''), ['not JSON: empty']],
        ['a trailing comma', write('{"deliverable": "a.md",\n}'), ['not JSON: ']],
        ['a comment with an escape', write('// \u001B[2J\n{}'), ['not JSON: ']],
        ['UTF-16', write(Buffer.from('\uFEFF{}', 'utf16le')), ['not UTF-8 text']],
        ['a list', write('[]'), ['expected object, received array']],
        ['100,000 brackets', write(deep(100_000)), ['expected object, received array']],
        ['__proto__', write('{"__proto__":{"agentCommand":"x"}}'), ['__proto__: there is no such field']],
        [
          'keys with line breaks',
          json({ 'a\nfed: all is well': 1, 'b\u001B[2J': 2 }),
          ['a\\\\u000afed: all is well: there is no such field', 'b\\\\u001b'],
        ],
        [
          'several wrong values',
          json({
            agentCommand: ' ',
            deliverable: '../x',
            playbookSkill: '.',
            telemetry: { enabled: 1, collector: { endpoint: 'x' } },
          }),
          [
            'agentCommand: ',
            'telemetry.enabled: ',
            'telemetry.collector.endpoint: ',
            'playbookSkill: ',
            'deliverable: ',
          ],
        ],
        ['a folder', (file) => mkdirSync(file), ['a folder, not a regular file']],
        ['a pipe', (file) => execFileSync('mkfifo', [file]), ['not a regular file']],
        ['a link to a device without end', (file) => symlinkSync('/dev/zero', file), ['not a regular file']],
        ['a link to nothing', (file) => symlinkSync('nowhere', file), ['a symbolic link that leads nowhere']],
        ['a link to itself', (file) => symlinkSync(path.basename(file), file), ['a symbolic link']],
        [
          'a terabyte',
          (file) => (writeFileSync(file, ''), truncateSync(file, 2 ** 40)),
          ['1099511627776 bytes, more than 1048576'],
        ],
      ],
      5,
    ),
  )('that is or holds %s', async (_what, make, problems) => {
    await inPlaceOf(config(), make, async () => {
      for (const ended of await Promise.all([fed(root, ['status']), fed(root, ['monitor'])]))
        expectProblems(ended, config(), problems)
    })
  })

  test('may begin with a byte order mark, be a link, and name a field twice', async () => {
    const elsewhere = path.join(newFolder('config'), 'shared.json')
    writeFileSync(elsewhere, '\uFEFF{"deliverable":"a.md","deliverable":"b.md"}')
    await inPlaceOf(
      config(),
      (file) => symlinkSync(elsewhere, file),
      async () => {
        expect(JSON.parse(await fedDone(root, ['status', 'docs', '--json']))).toMatchObject({
          deliverable: 'b.md',
        })
      },
    )
  })
})

describe('the registry', () => {
  const valid = () =>
    JSON.parse(readFileSync(registry(), 'utf8')) as { teams: Record<string, unknown>[]; commit: unknown }

  test.each(
    someOf<[string, (whole: ReturnType<typeof valid>) => unknown, (string | RegExp)[]]>(
      [
        [
          'a team twice',
          (whole) => ({ ...whole, teams: [...whole.teams, ...whole.teams] }),
          ["teams.1.domainId: 'docs' is another team's already"],
        ],
        [
          'a team id that is a path',
          (whole) => ({ ...whole, teams: [{ ...whole.teams[0], domainId: '../../etc' }] }),
          ['teams.0.domainId: is not a team id'],
        ],
        [
          'meta as a team',
          (whole) => ({ ...whole, teams: [{ ...whole.teams[0], domainId: 'meta' }] }),
          ['teams.0.domainId: is not a team id'],
        ],
        [
          'a location that depends on the folder',
          (whole) => ({ ...whole, teams: [{ ...whole.teams[0], location: '.fed' }] }),
          ['teams.0.location: is not an absolute path'],
        ],
        [
          'a lockVersion that no number follows',
          (whole) => ({ ...whole, lockVersion: Number.MAX_SAFE_INTEGER }),
          ['lockVersion: is too large to count on from'],
        ],
        [
          'a lockVersion that is no integer',
          (whole) => ({ ...whole, lockVersion: 1.5 }),
          ['lockVersion: is not an integer'],
        ],
        ['a negative lockVersion', (whole) => ({ ...whole, lockVersion: -1 }), ['lockVersion: is negative']],
        [
          'times that are none, and no teams',
          () => ({ lastUpdated: 'now', lockVersion: 1 }),
          ['lastUpdated: is not an ISO 8601 timestamp', 'teams: is missing'],
        ],
        [
          'a status that is none',
          (whole) => ({ ...whole, teams: [{ ...whole.teams[0], status: 'asleep' }] }),
          ['teams.0.status: '],
        ],
        ['nothing', () => null, ['expected object, received null']],
      ],
      5,
    ),
  )('that holds %s', async (_what, change, problems) => {
    const text = JSON.stringify(change(valid()))
    await inPlaceOf(registry(), write(text), async () => {
      const send = ['send', 'docs', '--type', 'report', '--subject', 'x']
      for (const ended of await Promise.all([fed(root, ['status']), fed(root, send)]))
        expectProblems(ended, registry(), problems)
    })
  })

  test('that nests an unknown field without an end is refused before it is written again', async () => {
    const text = JSON.stringify(valid()).replace('{', `{"extra":${deep(50_000)},`)
    await inPlaceOf(registry(), write(text), async () => {
      expectProblems(await fed(root, ['pause', 'docs']), registry(), ['is nested deeper than 100 levels'])
    })
  })

  test.each(
    someOf<[string, (file: string) => unknown]>(
      [
        ['a folder', (file) => mkdirSync(file)],
        ['zeros', write(Buffer.alloc(500))],
        ['half of it', write('{"lastUpdated": "2026-01-01T00:0')],
        ['UTF-16', write(Buffer.from('{}', 'utf16le'))],
      ],
      5,
    ),
  )('that is %s is named as damaged', async (_what, make) => {
    await inPlaceOf(registry(), make, async () => {
      const { code, stdout, stderr } = await fed(root, ['status'])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^fed: \S+team-registry\.json is damaged: [^\n]+ Nothing was changed: [^\n]+\n$/)
    })
  })
})

describe('a workspace', () => {
  const identity = () => path.join(workspaceOf(root, 'docs'), '.fed', 'team.json')

  test.each(
    someOf<[string, (file: string) => unknown, string]>(
      [
        ['no JSON', write('{"team": '), 'not JSON: '],
        [
          'wrong fields',
          json({ team: '../x', root: 'here' }),
          'team: is not a team id; archetype: is missing; root: is not an absolute path',
        ],
        ['a folder', (file) => mkdirSync(file), 'it is a folder, not a regular file'],
        ['a pipe', (file) => execFileSync('mkfifo', [file]), 'it is not a regular file'],
        [
          'a link to a device without end',
          (file) => symlinkSync('/dev/zero', file),
          'it is not a regular file',
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
      deep(10_000),
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
