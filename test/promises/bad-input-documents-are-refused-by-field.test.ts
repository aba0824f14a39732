// Proves that what people and other programs write into the configuration and the registry is refused with its file
// and its field, and left as it is. Fails when a stack is shown, a problem is not named, or a file changes.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { fed, fedDone, newFederation, newFolder, type Ended } from '../support/fed.ts'
import { json, inPlaceOf, nested, write } from '../support/in-place-of.ts'
import { someOf } from '../support/thorough.ts'

let root: string

beforeAll(async () => {
  root = await newFederation({ docs: 'Explain src/app.ts' })
})

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

const config = () => path.join(root, 'federate.config.json')
const registry = () => path.join(root, '.fed', 'team-registry.json')

describe('the configuration', () => {
  test.each(
    someOf<[string, (file: string) => unknown, (string | RegExp)[]]>(
      [
        ['nothing', write(''), ['not JSON: empty']],
        ['a trailing comma', write('{"deliverable": "a.md",\n}'), ['not JSON: ']],
        ['a comment with an escape', write('// \u001B[2J\n{}'), ['not JSON: ']],
        ['UTF-16', write(Buffer.from('\uFEFF{}', 'utf16le')), ['not UTF-8 text']],
        ['a list', write('[]'), ['expected object, received array']],
        ['100,000 brackets', write(nested(100_000)), ['expected object, received array']],
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
        ['a pipe', (file) => execFileSync('mkfifo', [file]), ['a pipe or a device, not a regular file']],
        [
          'a link to a device without end',
          (file) => symlinkSync('/dev/zero', file),
          ['a pipe or a device, not a regular file'],
        ],
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
    const text = JSON.stringify(valid()).replace('{', `{"extra":${nested(50_000)},`)
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
