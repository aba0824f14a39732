// Proves that an agent cannot write the codebase where walls stand, and can do everything else: its job by commands
// and by tools, write at home and in its workspace, be ended in its time. It fails when a file of the codebase or its
// repository changes, or when something that was held is left behind.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import { unless } from '../../../src/errors/unless.ts'
import { personsFolder } from '../../../src/platform/storage/persons-folder.ts'
import { isSystemError } from '../../../src/platform/storage/system-error.ts'
import {
  agent,
  fed,
  fedDone,
  fedJson,
  newFederation,
  newRepository,
  pathWith,
  startFed,
  workspaceOf,
} from '../../support/fed.ts'
import { newReaderInWorktree } from '../../support/reader-in-worktree.ts'
import { hasWalls } from '../../support/walls.ts'
import { mailOf, statusOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'
import { someOf } from '../../support/thorough.ts'

const sessionsIn = (workspace: string) => path.join(workspace, '.fed', 'sessions')
const sessionIn = (workspace: string) =>
  JSON.parse(readFileSync(path.join(sessionsIn(workspace), '1-1.json'), 'utf8')) as Record<string, unknown>
const sessions = (root: string) => sessionsIn(workspaceOf(root, 'docs'))
const sessionOf = (root: string) => sessionIn(workspaceOf(root, 'docs'))
const notesOf = (workspace: string) =>
  readFileSync(path.join(workspace, 'starts.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const launchDocs = (...more: string[]) => ['launch', '--team', 'docs', ...more]

/** Whether a process runs that has this word on its command line. */
const runsWith = (word: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) =>
      (unless(isSystemError, () => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').includes(word),
    )

describe.runIf(hasWalls)('where walls stand', () => {
  test('whatever it tries, nothing of the codebase is written, and it still does its job by tools', async () => {
    const root = await newFederation({ docs: 'Document the source' })
    const before = [git(root, 'status', '--porcelain'), git(root, 'rev-parse', 'HEAD')]
    const launched = await fed(root, launchDocs('--agent', agent('held')))
    expect([launched.code, launched.stderr.includes('codebase changed')]).toEqual([0, false])
    const answers = notesOf(workspaceOf(root, 'docs')).filter(({ kind }) => kind === 'attempt')
    expect(Object.fromEntries(answers.map(({ attempt, answer }) => [attempt, answer]))).toEqual({
      ...{ edit: 'EROFS', create: 'EROFS', remove: 'EROFS', move: 'EROFS', configure: 'EROFS' },
      ...{ around: 'EROFS', commit: 128, home: 'done', temporary: 'done', workspace: 'done' },
    })
    expect([git(root, 'status', '--porcelain'), git(root, 'rev-parse', 'HEAD')]).toEqual(before)
    expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete' })
    expect(launched.stderr).toMatch(/session 1 of .*, confined, output in /)
    expect(await fedDone(root, ['status', 'docs'])).toContain('over, confined;')
    expect(sessionOf(root)).toMatchObject({
      open: null,
      command: [process.execPath, expect.stringContaining('held')],
    })
  })

  test('a signal that it sends is one file in two mailboxes, as outside', async () => {
    const root = await newFederation({ docs: 'Document the source' })
    await fedDone(root, launchDocs('--confinement', 'on', '--agent', agent('typing')))
    const outbox = path.join(workspaceOf(root, 'docs'), '.fed', 'signals', 'outbox')
    // a move of its team may be told by several processes at once, each with a file of its own
    const sent = readdirSync(outbox).filter((name) => /^(?!.*-to-).*\.json$/.test(name))
    const linked = sent.filter((name) => statSync(path.join(outbox, name)).nlink === 2)
    expect(sent.length).toBeGreaterThanOrEqual(4)
    expect(linked).toEqual(sent)
  })

  test('an agent that is talked to hears and is heard', async () => {
    const root = await newFederation({ docs: 'Document the source' })
    await fedDone(root, launchDocs('--agent', `acp:${agent('acp', 'good')}`))
    expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete' })
    expect(sessionOf(root)).toMatchObject({ driver: 'acp', open: null })
  })

  test('a reader in a worktree of its own writes its document there, and nothing in the codebase', async () => {
    const root = await newReaderInWorktree()
    await fedDone(root, launchDocs('--agent', agent('held')))
    expect(git(root, 'status', '--porcelain')).not.toMatch(/app|notes/)
    const answers = notesOf(path.join(root, '.fed', 'worktrees', 'docs'))
    expect(answers).toContainEqual(expect.objectContaining({ attempt: 'edit', answer: 'EROFS' }))
    expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete' })
  })

  test.each(someOf(['interrupted', 'paused'], 1))(
    'when it is %s, it has time to end, and all of it does',
    async (how) => {
      const root = await newFederation({ docs: 'Document the source' })
      const launcher = startFed(root, launchDocs('--agent', agent('held', 'waits')))
      const log = path.join(sessions(root), '1-1.log')
      const held = await until('the agent at work', () => {
        const said = existsSync(log) ? /ready (\S+)\n/.exec(readFileSync(log, 'utf8')) : null
        return said?.[1]
      })
      expect(runsWith(held)).toBe(true)
      if (how === 'paused') await fedDone(root, ['pause', 'docs'])
      else launcher.kill('SIGINT')
      expect((await launcher.ended).code).toBe(how === 'paused' ? 5 : 130)
      expect(runsWith(held)).toBe(false)
      expect(notesOf(workspaceOf(root, 'docs'))).toContainEqual(expect.objectContaining({ kind: 'goodbye' }))
      const end = JSON.parse(readFileSync(path.join(sessions(root), '1-1.end.json'), 'utf8')) as object
      expect(end).toMatchObject({ cause: how, exitCode: 3 })
    },
  )

  test.each([
    ['silent', 130, 'preparing', 'report', 'was mounted read-only for its agent'],
    ['claiming', 5, 'paused', 'question', 'its agent says that it did, although'],
  ])(
    'a person changes the codebase meanwhile, and the agent is %s',
    async (behaviour, code, state, type, words) => {
      const root = await newFederation({ docs: 'Document the source' })
      const program = fileURLToPath(new URL('../../agents/stream-json.mjs', import.meta.url))
      const env = { PATH: pathWith({ claude: `exec '${process.execPath}' '${program}' ${behaviour} "$@"` }) }
      const launcher = startFed(root, launchDocs('--agent', 'claude'), { env })
      const reports = path.join(sessions(root), '1-1.reports.jsonl')
      const awaited = behaviour === 'claiming' ? /"wrote"/ : /"session"/
      await until('its words', () => existsSync(reports) && awaited.test(readFileSync(reports, 'utf8')))
      writeFileSync(path.join(root, 'src', 'app.ts'), '// by hand\n')
      launcher.kill('SIGINT')
      const ended = await launcher.ended
      expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(words)])
      expect(await statusOf(root, 'docs')).toMatchObject({ state })
      const mail = await mailOf(root, 'meta')
      expect(mail).toContainEqual(expect.objectContaining({ type, body: expect.stringContaining(words) }))
      expect(existsSync(path.join(sessions(root), '1-1.changes.patch'))).toBe(true)
    },
  )

  test('a team that changes code is held too', async () => {
    const root = await newFederation()
    await fedDone(root, ['onboard', 'api', '--archetype', 'coding', '--mission', 'Add a port'])
    const workspace = path.join(root, '.fed', 'worktrees', 'api')
    const launch = ['launch', '--team', 'api', '--max-sessions', '1', '--agent', agent('crashing')]
    expect((await fed(root, launch)).stderr).toContain('confined')
    expect(sessionIn(workspace)).toMatchObject({ open: null })
  })

  test('what an agent leaves in its home is there for its team alone, and goes with the team', async () => {
    const root = await newFederation({ docs: 'Document the source' })
    await fedDone(root, launchDocs('--agent', agent('held')))
    const homes = path.join(personsFolder('cache'), 'homes')
    const left = () => (existsSync(homes) ? readdirSync(homes).map((name) => path.join(homes, name)) : [])
    const isOurs = (home: string) => existsSync(path.join(home, `.left-by-${path.basename(root)}`))
    expect(left().filter(isOurs)).toHaveLength(1)
    await fedDone(root, ['archive', 'docs'])
    await fedDone(root, ['offboard', 'docs'])
    expect(left().filter(isOurs)).toEqual([])
  })

  test('never means never', async () => {
    const root = await newFederation({ docs: 'Document the source' })
    await fedDone(root, launchDocs('--confinement', 'off', '--agent', agent('good')))
    const why = 'confinement is off; set it to auto'
    expect(sessionOf(root)).toMatchObject({ open: why })
    const { session } = await fedJson<{ session: object }>(root, ['status', 'docs'])
    expect(session).toMatchObject({ hold: `open: ${why}` })
  })

  test('where the home folder lies in the codebase no walls are raised', async () => {
    const root = await newFederation({ docs: 'Document the source' })
    const env = { HOME: path.join(root, 'src') }
    const refused = await fed(root, launchDocs('--confinement', 'on', '--agent', agent('good')), { env })
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('the home folder lies in')])
    await fedDone(root, launchDocs('--agent', agent('good')), { env })
    expect(sessionOf(root)).toMatchObject({ open: expect.stringContaining('the home folder lies in') })
  })
})

/** A PATH with what the test needs, and nothing that makes walls but what is given. */
const withoutWalls = (programs: Readonly<Record<string, string>> = {}) => {
  const [own] = pathWith({
    git: 'exec /usr/bin/git "$@"',
    node: `exec ${process.execPath} "$@"`,
    ...programs,
  }).split(path.delimiter)
  return { PATH: own as string }
}

describe.each(
  someOf(
    [
      ['there is none', withoutWalls(), "there is no 'bwrap' on the PATH"],
      [
        'it does not work',
        withoutWalls({ bwrap: 'echo "bwrap: no namespaces for you" >&2; exit 1' }),
        'bwrap does not work here (bwrap: no namespaces for you)',
      ],
      [
        'it holds nothing',
        withoutWalls({ bwrap: 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"' }),
        'bwrap does not work here',
      ],
    ],
    1,
  ),
)('where %s', (_, env, why) => {
  test('it is refused in one sentence, before anything is set up or begins', async () => {
    const empty = newRepository()
    const run = await fed(empty, ['run', 'Document it', '--confinement', 'on', '--agent', agent('good')], {
      env,
    })
    expect([run.code, run.stdout, run.stderr]).toEqual([5, '', expect.stringContaining(why)])
    expect(run.stderr).toMatch(/^fed: confinement is on, and cannot be had: [^\n]*\n$/)
    expect(existsSync(path.join(empty, '.fed'))).toBe(false)

    const root = await newFederation({ docs: 'Document the source' })
    for (const more of [[], ['--reset'], ['--detach']]) {
      const launched = await fed(root, launchDocs('--confinement', 'on', ...more, '--agent', agent('good')), {
        env,
      })
      expect([launched.code, launched.stderr]).toEqual([5, run.stderr])
    }
    expect(existsSync(sessions(root))).toBe(false)
  })

  test('an agent is open, and whoever launches it is told why', async () => {
    const root = await newFederation({ docs: 'Document the source' })
    const { code, stderr } = await fed(root, launchDocs('--agent', agent('good')), { env })
    expect([code, stderr]).toEqual([0, expect.stringContaining(`open: ${why}`)])
    expect(sessionOf(root)).toMatchObject({ open: expect.stringContaining(why) })
  })
})
