// Proves that progress is plain lines for a file and one repainted line for a person. It fails when control
// characters reach a log, when a line overflows the terminal, or when NO_COLOR or --quiet is not honoured.
import { spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Progress } from '../../../src/agents/sessions/supervise.ts'
import { activityOf } from '../../../src/apps/cli/agent-activity.ts'
import { openLiveLines } from '../../../src/apps/cli/live-lines.ts'
import { LiveTable } from '../../../src/apps/cli/live-table.ts'
import { clip, table } from '../../../src/apps/cli/output.ts'
import { formatDuration, parseDuration } from '../../../src/apps/cli/parse-duration.ts'
import { columnsOf, manyLines } from '../../../src/apps/cli/plain-text.ts'
import { screensOf } from '../../support/screen.ts'
import { agent, builtFed, fed, newFederation, pathWith } from '../../support/fed.ts'

const launch = ['launch', '--team', 'docs', '--agent', agent('good')]
const escape = '\u001B'

test('without a terminal it is plain lines', async () => {
  const root = await newFederation({ docs: 'Explain it' })
  const { stdout, stderr } = await fed(root, launch)
  expect(stderr).not.toContain(escape)
  expect(stderr).not.toContain('\r')
  const states = [...stderr.matchAll(/^\[[\dhms. ]+\] docs (\w+)$/gm)].map(([, state]) => state)
  expect(states).toEqual(expect.arrayContaining(['preparing', 'complete']))
  expect(stderr).toMatch(
    /^\[[\dhms. ]+\] docs session 1 of .*good\.mjs', (?:confined|open: .*), output in .*1-1\.log$/m,
  )
  expect(stdout).toMatch(/^\/\S+deliverable\.md\n/)
})

// macOS and BSD have another `script`
describe.runIf(process.platform === 'linux' && spawnSync('script', ['--version']).status === 0)(
  'at a terminal',
  () => {
    async function atTerminal(env: Record<string, string>, ...more: string[]): Promise<string> {
      const root = await newFederation({ docs: 'Explain it' })
      const quoted = [process.execPath, builtFed, ...launch, ...more]
        .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
        .join(' ')
      const { status, stdout } = spawnSync('script', ['-qec', `stty cols 40; ${quoted}`, '/dev/null'], {
        cwd: root,
        encoding: 'utf8',
        env: { PATH: pathWith({}), FED_DURABILITY: 'process', TERM: 'xterm', ...env },
      })
      expect(status).toBe(0)
      return stdout
    }

    test('it is one line that changes, and a line for each state that is over', async () => {
      const shown = await atTerminal({})
      const painted = shown.split(`\r${escape}[2K`).slice(1)
      expect(painted.length).toBeGreaterThan(5)
      for (const line of painted.filter((one) => !one.includes('\n'))) {
        expect(stripVTControlCharacters(line).length).toBeLessThan(40)
      }
      expect(shown).toContain('✓ docs preparing')
      expect(shown).toContain('· docs session 1 of ')
      expect(shown).toContain(`${escape}[1m`)
      expect(shown).toMatch(/\[2K\/\S+deliverable\.md\r\n/)
    })

    test('of several it is a table, of which nothing is left but how each ended', async () => {
      const root = await newFederation({ docs: 'Explain it', api: 'Explain it', shop: 'Explain it' })
      const command = [process.execPath, builtFed, 'launch', '--all', '--agent', agent('good')]
        .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
        .join(' ')
      const { stdout: shown } = spawnSync(
        'script',
        ['-qec', `stty rows 4 cols 50; ${command}`, '/dev/null'],
        {
          cwd: root,
          encoding: 'utf8',
          env: {
            PATH: pathWith({}),
            FED_DURABILITY: 'process',
            TERM: 'xterm',
            FED_TELEMETRY_ENABLED: 'false',
          },
        },
      )
      const pictures = screensOf(shown)
      // the window has room for two lines of it
      const isLive = (line: string) => /^(?:[⠁-⣿·] \w+ +[a-z]+ +\d.* session 1|and \d more: )/.test(line)
      const live = pictures.map((lines) => lines.filter(isLive).length)
      expect([Math.max(...live), live.at(-1)]).toEqual([
        expect.toSatisfy((most) => most === 1 || most === 2),
        0,
      ])
      const last = pictures.at(-1) ?? []
      const ended = last.filter((line) => line.startsWith('✓'))
      expect(ended.map((line) => line.replace(/ [\d.]+m?s.*$/, '')).toSorted()).toEqual(
        ['api', 'docs', 'shop'].map((team) => `✓ ${team} complete`),
      )
      expect(last.filter((line) => line.endsWith('deliverable.md'))).toHaveLength(3)
    })

    test('NO_COLOR takes the colours, a dumb terminal everything, --quiet the progress', async () => {
      const plain = await atTerminal({ NO_COLOR: '1' })
      expect(plain).toContain('✓ docs preparing')
      for (const colour of [1, 2, 22]) expect(plain).not.toContain(`${escape}[${colour}m`)
      expect(await atTerminal({ TERM: 'dumb' })).not.toContain(escape)
      expect(await atTerminal({}, '--quiet')).toMatch(/^\/\S+deliverable\.md\r\n[^\n]*\r\n$/)
    })
  },
)

test.each([
  ['reading src/app.ts', 'reading src/app.ts'],
  ['\u001B[31mred\u001B[0m\ttab\u0007 \u202Ereversed', 'red tab reversed'],
  [
    '{"type":"assistant","message":{"content":[{"type":"text","text":"I read\\nthe code"}]}}',
    'I read the code',
  ],
  ['{"type":"assistant","message":{"content":[{"type":"tool_use","input":{"command":"ls"}}]}}', 'ls'],
  ['{"type":"item.completed","item":{"type":"agent_message","text":"Done"}}', 'Done'],
  ['{"type":"system","session":7}', ''],
  ['{ not JSON', '{ not JSON'],
  [`${'{"item":'.repeat(9)}"deep"${'}'.repeat(9)}`, ''],
])('an agent that prints %j is shown as %j', (line, shown) => {
  expect(activityOf(line)).toBe(shown)
})

test('what others wrote neither moves the cursor nor makes rows', () => {
  const nasty = 'a\u001B]0;title\u0007\u001B[2J\u009B2Jb\r\nc\u202Ed'
  const rows = [
    ['x', nasty],
    [nasty, 'y'],
  ]
  expect(table(rows)).toBe('x       ab c d\nab c d  y')
  expect(manyLines(`${nasty}\n\te`)).toBe('ab\ncd\n\te')
})

test('a text is clipped to the columns that it takes', () => {
  expect(clip('one two', 3)).toBe('one')
  expect(clip('漢字かな', 5)).toBe('漢字')
  expect(clip('⠋ ✓ x', 4)).toBe('⠋ ✓ ')
  expect(clip('one', -1)).toBe('')
  expect(clip('✅ ⚡ done', 5)).toBe('✅ ⚡')
  expect(columnsOf('⭐ ✓')).toBe(4)
})

describe('in a window of another size', () => {
  const { columns, rows } = process.stderr
  afterEach(() => {
    vi.restoreAllMocks()
    Object.assign(process.stderr, { columns, rows })
  })

  test('live lines are wiped whole when it became narrower, however wide their characters', () => {
    process.stderr.columns = 40
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const lines = openLiveLines()
    lines.paint(['漢字漢字漢字漢字漢字漢', 'plain'])
    process.stderr.columns = 11
    lines.end()
    // five wide characters fit into eleven columns, so that the first line takes three rows
    expect(String(write.mock.lastCall?.[0]).split(`${escape}[1A`)).toHaveLength(4)
  })

  test('a table has one line where there is only one row', () => {
    process.stderr.rows = 1
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const live = new LiveTable(['docs', 'api'])
    for (const team of ['docs', 'api']) live.show(team, { kind: 'state', state: 'preparing' } as Progress)
    const painted = write.mock.calls.map(([text]) => String(text))
    for (const team of ['docs', 'api']) live.end(team)
    expect(painted.at(-1)).toContain('docs')
    expect(painted.join('')).not.toContain('\n')
  })
})

test.each([
  ['500ms', 500, '0.5s'],
  ['30s', 30_000, '30s'],
  ['59.99', 59_990, '59s'],
  ['90s', 90_000, '1m 30s'],
  ['119.9s', 119_900, '1m 59s'],
  ['2h', 7_200_000, '2h 0m'],
  ['0.07h', 252_000, '4m 12s'],
  ['1.1ms', 2, '0.0s'],
])('%s is %d milliseconds, said as %s', (text, milliseconds, said) => {
  expect(parseDuration(text)).toBe(milliseconds)
  expect(formatDuration(milliseconds)).toBe(said)
})
