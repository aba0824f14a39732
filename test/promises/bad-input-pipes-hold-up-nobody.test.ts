// Proves that a pipe, a link or a folder under a name that fed opens where agents can write holds up no launch: what
// lies there is told by its name, or what it would have held is left out. It fails when a command waits for the
// other end of a pipe beyond its time, or writes through a link.
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  agent,
  fed,
  fedDone,
  fedJson,
  newFederation,
  newFolder,
  newRepository,
  startFed,
  workspaceOf,
} from '../support/fed.ts'
import { gitWith } from '../../src/platform/git/git.ts'
import { until } from '../support/until.ts'
import { someOf } from '../support/thorough.ts'

const own = (root: string, ...names: string[]) => path.join(workspaceOf(root, 'docs'), '.fed', ...names)
const launch = (...more: string[]) => ['launch', '--team', 'docs', '--timeout', '200s', ...more]
const good = ['--agent', agent('good')]

type Place = (file: string, root: string) => void
const things: readonly (readonly [name: string, place: Place, words: RegExp])[] = [
  ['a pipe', (file) => execFileSync('mkfifo', [file]), /is a (socket or a )?pipe/],
  ['a link', (file, root) => symlinkSync(path.join(root, 'src', 'app.ts'), file), /is a symbolic link/],
  ['a folder', (file) => mkdirSync(file), /is a folder/],
]

/** Puts something there and sees that the source stays what it is. */
function lay(root: string, file: string, place: Place): () => void {
  mkdirSync(path.dirname(file), { recursive: true })
  rmSync(file, { force: true })
  place(file, root)
  const source = path.join(root, 'src', 'app.ts')
  const before = readFileSync(source, 'utf8')
  return () => expect(readFileSync(source, 'utf8')).toBe(before)
}

// each kind costs a dozen launches
describe.each(someOf(things, 1))('%s', (_, place, words) => {
  test.each(['1-1.log', '1-1.prompt.md', '1-1.reports.jsonl'])(
    'as %s of a session: the launch says so, and the next one goes on',
    async (name) => {
      const root = await newFederation({ docs: 'Document the source' })
      const file = own(root, 'sessions', name)
      const isUntouched = lay(root, file, place)
      const refused = await fed(root, launch(...good))
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(words)])
      expect(refused.stderr.trim().split('\n').at(-1)).toMatch(/^fed: .*; move it away, and give the/)
      expect(refused.stderr).toContain(file)
      isUntouched()
      // what an agent reported is asked for again
      if (name.includes('reports')) rmSync(file, { recursive: true })
      await fedDone(root, launch(...good))
      expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ state: 'complete' })
      isUntouched()
    },
  )

  test.each([
    ['the times of a log', (root: string) => own(root, 'sessions', '1-1.times')],
    ['the wire', (root: string) => path.join(root, '.fed', 'inspection', 'wire.jsonl')],
  ])('as %s: the launch goes on without', async (__, fileIn) => {
    const root = await newFederation({ docs: 'Document the source' })
    const isUntouched = lay(root, fileIn(root), place)
    await fedDone(root, launch(...good), { env: { FED_INSPECT: '1' } })
    isUntouched()
  })

  test.each(['facts', 'clock', 'history'])(
    "as %s in the survey's cache: the survey does without",
    async (name) => {
      const root = await newFederation({ docs: 'Document the source' })
      await fedDone(root, launch())
      const cache = execFileSync('find', [path.join(root, '.fed'), '-name', name])
        .toString()
        .trim()
      expect(cache).not.toBe('')
      const isUntouched = lay(root, cache, place)
      await fedDone(root, launch('--reset'))
      isUntouched()
    },
  )

  test('as the learning log: a finding is not logged, and the agent hears why', async () => {
    const root = await newFederation({ docs: 'Document the source' })
    const isUntouched = lay(root, own(root, 'learnings.jsonl'), place)
    const learned = await fed(root, ['learn', '--team', 'docs', '--category', 'pattern', 'A constant'])
    expect([learned.code, learned.stderr]).toEqual([2, expect.stringMatching(words)])
    isUntouched()
  })

  test('as the log of a detached launch: it is not begun', async () => {
    const root = await newFederation({ docs: 'Document the source' })
    const isUntouched = lay(root, path.join(root, '.fed', 'launch.log'), place)
    const launched = await fed(root, launch(...good, '--detach'))
    expect([launched.code, launched.stderr]).toEqual([2, expect.stringMatching(words)])
    expect(existsSync(own(root, 'sessions'))).toBe(false)
    isUntouched()
  })

  test('put there while an agent works, it ends the session in words', async () => {
    const root = await newFederation({ docs: 'Document the source' })
    const launcher = startFed(root, launch('--agent', agent('waiting')))
    await until('its log', () => existsSync(own(root, 'sessions', '1-1.log')))
    // its log is open already
    for (const name of readdirSync(own(root, 'sessions')).filter((one) => /log$|times$/.test(one)))
      lay(root, own(root, 'sessions', name), place)
    launcher.kill('SIGINT')
    expect((await launcher.ended).code).toBe(130)
    expect(lstatSync(own(root, 'sessions', '1-1.log')).isFile()).toBe(false)
  })
})

const folders: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['sessions', launch(...good)],
  ['missions', launch('--reset', ...good)],
  ['signals/archive', ['archive-signals', 'docs', '--older-than', '0s']],
]

test.each(someOf(folders, 1))(
  'a link as the folder %s that leads out of the workspace is refused, and nothing is put there',
  async (name, command) => {
    const root = await newFederation({ docs: 'Document the source' })
    const elsewhere = newFolder('elsewhere')
    rmSync(own(root, name), { recursive: true, force: true })
    symlinkSync(elsewhere, own(root, name))
    const { code, stderr } = await fed(root, command)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`${own(root, name)} is a symbolic link, and fed keeps a folder there`),
    ])
    expect(readdirSync(elsewhere)).toEqual([])
    rmSync(own(root, name))
    await fedDone(root, command)
  },
)

test('a pipe that git opens in a work tree holds up no look at it, and is named', () => {
  const root = newRepository()
  const pipe = path.join(root, 'sub', '.gitignore')
  mkdirSync(path.dirname(pipe))
  execFileSync('mkfifo', [pipe])
  // the command is named, whatever stands before it
  for (const before of [[], ['-c', 'core.quotePath=false'], ['--literal-pathspecs']])
    expect(() => gitWith(root, [...before, 'status', '--porcelain'], { longestMs: 500 })).toThrow(
      `git status in ${root} gave no answer within 0.5 s; it waits at ${pipe}, which is a pipe: move it away and ask again`,
    )
})
