// Proves that scripts can tell from the exit code alone what happened, and people from one plain message.
// It fails when a mistake is taken for success, gets another code, prints a stack, or dirties the standard output.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { fed, newFederation, newFolder, newRepository, startFed } from '../../support/fed.ts'
import { someOf } from '../../support/thorough.ts'

let root: string
const elsewhere = newFolder('no-repository')
const bare = newRepository('empty')

beforeAll(async () => {
  root = await newFederation({ docs: undefined })
})

/** Runs a command that must fail: words on the standard error, nothing on the standard output. */
async function failure(cwd: string, args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await fed(cwd, args, { env })
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^fed: \S/)
  expect(stderr).not.toMatch(/\n\s+at |unexpected|undefined|\[object/)
  return { code, stderr }
}

describe('wrong usage is 2', () => {
  const long = 'a'.repeat(65)
  test.each(
    someOf<[string[], RegExp]>(
      [
        [['frobnicate'], /unknown command 'frobnicate'/],
        [['statsu'], /Did you mean status\?/],
        [['status', '--frobnicate'], /unknown option '--frobnicate'/],
        [['run'], /missing required argument 'mission'/],
        [['onboard', 'api', '--archetype', 'painter'], /no archetype 'painter'; there are deliverable, /],
        [['onboard', 'docs', '--archetype', 'deliverable'], /team 'docs' exists already/],
        [['onboard', '../x', '--archetype', 'deliverable'], /'\.\.\/x' is not a team id/],
        [['onboard', 'meta', '--archetype', 'deliverable'], /coordinator's own address/],
        [['onboard', '_a', '--archetype', 'deliverable'], /'_a' is not a team id/],
        [['onboard', long, '--archetype', 'deliverable'], /longer than 64 characters/],
        [['onboard', '', '--archetype', 'deliverable'], /'' is not a team id/],
        [['onboard', 'api', '--archetype', 'deliverable', '--placement', 'moon'], /Allowed choices are/],
        [['run', 'Explain it', '--team', '../../x'], /is not a team id/],
        [['send', 'docs', '--subject', 'x'], /--type <type>' not specified/],
        [['send', 'docs', '--type', 'order', '--subject', 'x'], /Allowed choices are directive, question/],
        [['send', 'docs', '--type', 'report', '--subject', ' '], /subject: a signal needs one/],
        [['send', 'docs', '--type', 'report', '--subject', 'a'.repeat(201)], /longer than 200 characters/],
        [['send', '../x', '--type', 'report', '--subject', 'x'], /to: is neither a team id nor meta/],
        [
          ['send', 'docs', '--type', 'report', '--subject', 'x', '--body', 'a', '--body-file', 'b'],
          /--body and --body-file: give one of them/,
        ],
        [
          ['send', 'docs', '--type', 'report', '--subject', 'x', '--body-file', 'no-such-file'],
          /--body-file: ENOENT.*no-such-file/,
        ],
        [['launch'], /which team\? name it/],
        [['launch', 'docs', '--all'], /name the teams, or say --team, --teams or --all; not both/],
        [['launch', 'meta'], /meta is the coordinator, no team/],
        [['launch', '--team', 'docs', '--all'], /cannot be used with/],
        [['launch', '--team', 'docs', '--timeout', 'soon'], /give a duration such as/],
        [['launch', '--team', 'docs', '--timeout', '9999h'], /at most 24 days/],
        [['launch', '--team', 'docs', '--max-sessions', '0'], /whole number from 1/],
        [['launch', '--team', 'docs,api'], /'docs,api' is not a team id/],
        [['launch', '--team', 'meta'], /meta is the coordinator, no team; 'fed inbox meta' shows its mail/],
        [['status', 'meta'], /meta is the coordinator, no team/],
        [['pause', 'meta'], /meta is the coordinator, no team/],
        [
          ['run', 'Explain it', '--team', 'docs', '--archetype', 'coding'],
          /team 'docs' is a deliverable team/,
        ],
        [['run', 'Explain it', '--team', 'docs', '--agent', 'node "x'], /a quote has no end in: node "x/],
        [['report', 'tests-passed', '--team', 'docs', '--run', ' '], /--run: the command is empty/],
        [['report', 'tests-passed', '--team', 'docs', '--run', "node 'x"], /a quote has no end in: node 'x/],
        [
          ['report', 'tests-passed', '--team', 'docs', '--run', 'node --version && node --version'],
          /--run: there is no shell, so '&&' has no meaning; put the commands into a script/,
        ],
        [
          ['report', 'tests-passed', '--team', 'docs', '--run', 'node --version > log'],
          /so '>' has no meaning/,
        ],
        [['history'], /which team\?/],
        [['report', 'files-read'], /which team\?/],
        [['learn', 'x', '--team', 'docs', '--confidence', 'total'], /Allowed choices are low, medium, high/],
        [['status', '--dir', '/no/such/folder'], /--dir: there is no folder \/no\/such\/folder/],
      ],
      14,
    ),
  )('fed %j', async (args, message) => {
    const { code, stderr } = await failure(root, args)
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })

  test('without a command it shows what there is', async () => {
    const { code, stdout, stderr } = await fed(root, [])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('fed run "Document the architecture of this repository"')
  })

  test.each([[['init']], [['run', 'Explain it']]])('outside of a git repository: fed %j', async (args) => {
    const { code, stderr } = await failure(elsewhere, args)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("is not inside a git repository; run 'git init'"),
    ])
  })

  test('a configuration lists all its problems', async () => {
    const broken = newRepository()
    const config = { agentCommand: 7, colour: 'red', chatConfig: { teamId: 'x' } }
    writeFileSync(path.join(broken, 'federate.config.json'), JSON.stringify(config))
    for (const command of [['status'], ['init'], ['run', 'Explain it']]) {
      const { code, stderr } = await failure(broken, command)
      expect(code).toBe(2)
      expect(stderr).toContain('federate.config.json is not valid')
      for (const field of ['agentCommand', 'colour', 'chatConfig.teamId', 'chatConfig.channelId'])
        expect(stderr).toContain(field)
    }
  })
})

describe('what is not there is 4', () => {
  test.each(
    someOf<[string[], RegExp]>(
      [
        [['status', 'nobody'], /no team 'nobody' in this federation; it has docs/],
        [['history', 'nobody'], /no team 'nobody'/],
        [['inbox', 'nobody'], /no team 'nobody'/],
        [['launch', '--team', 'nobody'], /no team 'nobody'/],
        [['pause', 'nobody'], /no team 'nobody'/],
        [['send', 'nobody', '--type', 'report', '--subject', 'x'], /no team 'nobody'/],
        [['read', 'docs', 'abcd'], /no signal 'abcd' in the inbox of 'docs'/],
        [['ack', 'meta', 'abcd'], /no signal 'abcd'/],
        [['reply', 'meta', 'abcd', '--body', 'x'], /no signal 'abcd'/],
      ],
      4,
    ),
  )('fed %j', async (args, message) => {
    const { code, stderr } = await failure(root, args)
    expect(stderr).toMatch(message)
    expect(code).toBe(4)
  })

  test('no federation', async () => {
    for (const [cwd, env] of [
      [elsewhere, {}],
      [bare, {}],
      [root, { FED_ROOT: elsewhere }],
    ] as const) {
      const { code, stderr } = await failure(cwd, ['status'], env)
      expect([code, stderr]).toEqual([4, expect.stringContaining("set one up with 'fed init'")])
    }
  })
})

describe('what is refused is 5', () => {
  test.each(
    someOf<[string[], RegExp]>(
      [
        [['launch', '--team', 'docs'], /docs has no mission; 'fed send docs/],
        [['resume', 'docs'], /docs is not paused; 'fed pause docs'/],
        [['restore', 'docs'], /docs is not archived/],
        [
          ['report', 'files-read', '--team', 'docs'],
          /preparing does not take report\.files-read; preparing takes /,
        ],
        [['report', 'mission-planned', '--team', 'docs'], /needs that the team has a mission/],
        [
          ['report', 'tests-passed', '--team', 'docs', '--run', "node --eval '' ';'"],
          /no state of a deliverable team takes report\.tests-passed/,
        ],
        [['report', 'lunch', '--team', 'docs'], /no state of a deliverable team takes report\.lunch/],
      ],
      4,
    ),
  )('fed %j', async (args, message) => {
    const { code, stderr } = await failure(root, args)
    expect(stderr).toMatch(message)
    expect(code).toBe(5)
  })
})

test('every command has a help with an example', async () => {
  const { code, stdout } = await fed(root, ['--help'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('Start here:')])
  const names = [...stdout.matchAll(/^ {2}([a-z-]+) \[options\]/gm)].map(([, name]) => name as string)
  expect(names).toEqual(expect.arrayContaining(['run', 'init', 'onboard', 'launch', 'status', 'send']))
  const helps = await Promise.all(names.map((name) => fed(root, [name, '--help'])))
  for (const help of helps) {
    expect([help.code, help.stderr]).toEqual([0, ''])
    expect(help.stdout).toMatch(/\nExample:\n {2}fed /)
    expect(help.stdout).toContain('--json')
  }
})

test('--version is the package’s', async () => {
  expect(await fed(elsewhere, ['--version'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  })
})

test('a reader that goes away is no error', async () => {
  for (let count = 0; count < 3; count += 1) {
    const running = startFed(root, ['monitor', '--watch', '--interval', '1ms'])
    running.closeOutput()
    const { code, stderr } = await running.ended
    expect([code, stderr]).toEqual([0, ''])
  }
})
