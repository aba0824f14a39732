// The example of the documents: a `review` archetype reads a coding team's branch by a function of its own, and its
// verdict reaches that team. It fails when a verdict holds for a commit that nobody read, when a function that fails or
// never ends stops the team, or when the history does not say what was found.
import { cpSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { codingTeam, commitFile } from '../../support/coding-team.ts'
import { fed, fedDone, fedJson } from '../../support/fed.ts'
import { addHook, change, configureHook } from '../../support/hook.ts'
import { git } from '../../../src/platform/git/git.ts'
import { mailOf, statusOf } from '../../support/standing.ts'
import { someOf } from '../../support/thorough.ts'

const fixture = fileURLToPath(new URL('../../fixtures/review/hooks', import.meta.url))
let root: string
let workspace: string

beforeEach(async () => {
  ;({ root, workspace } = await codingTeam())
  cpSync(fixture, path.join(root, 'hooks'), { recursive: true })
  configureHook(root, 'hooks/fed.ts')
})

const begin = (mission: string) =>
  fedDone(root, ['onboard', 'reviewers', '--archetype', 'review', '--mission', mission])
const report = (subject: string, body = '') =>
  fed(root, ['report', subject, '--team', 'reviewers', ...(body === '' ? [] : ['--body', body])])

interface Entry {
  readonly event: string
  readonly evidence?: { readonly own?: unknown }
}

test('a verdict is for the commit that was read, and reaches the team whose branch it was', async () => {
  await begin('Review the branch of api before it is merged')
  expect(await report('branch-read')).toMatchObject({ code: 0 })
  const head = commitFile(workspace, 'src/app.ts', 'export const answer = 44\n')
  expect(await report('approved')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('the branch still ends with the commit that was read'),
  })
  await report('branch-read')
  expect(await report('changes-requested', 'The answer is 42')).toMatchObject({ code: 0 })
  expect(await statusOf(root, 'reviewers')).toMatchObject({ state: 'returned', finished: true })
  expect(await mailOf(root, 'api')).toContainEqual(
    expect.objectContaining({
      type: 'report',
      from: 'reviewers',
      subject: 'Review: changes requested',
      body: 'The answer is 42',
    }),
  )
  const history = await fedJson<Entry[]>(root, ['history', 'reviewers'])
  expect(history.find(({ event }) => event === 'report.changes-requested')?.evidence?.own).toEqual({
    reviewed: { value: { team: 'api', head } },
  })
  expect(git(workspace, 'rev-parse', 'HEAD')).toBe(head)
})

test('a mission that names no team with a branch has nothing to be read', async () => {
  await begin('Review what was done')
  expect(await report('branch-read')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('the mission names a team that has a branch'),
  })
})

const failing: readonly (readonly [body: string, fault: RegExp])[] = [
  ["throw new Error('no network')", /^hooks\/fed\.ts:\d+: no network$/],
  ['throw Object.create(null)', /without words/],
  ["throw new Error('\\u001b[2J' + 'x'.repeat(1_000_000))", /\\u001b\[2Jx{100,600}…$/],
  ['process.exit(0)', /process\.exit/],
  ["process.kill(process.pid, 'SIGTERM')", /kills its own process/],
  ['throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })', /nobody can look at/],
  [
    "import('node:worker_threads').then(({ parentPort }) => { parentPort?.postMessage(null); parentPort?.postMessage({ kind: 'returned', value: 1n }) }); throw new Error('after that')",
    /after that/,
  ],
  [
    "JSON.stringify = (() => '1') as never; JSON.parse = (() => { const a: any = {}; a.a = a; return a }) as never; throw new Error('no JSON')",
    /no JSON/,
  ],
  ['return () => 1', /is no JSON/],
  ['return 1n', /BigInt/],
  ["return 'x'.repeat(20_000)", /more than 16384 characters/],
]
const endless: typeof failing = [
  ['return new Promise(() => undefined)', /did not end within 5 s/],
  ['while (true);', /did not end within 5 s/],
  ['return { toJSON() { while (true); } }', /did not end within 5 s/],
]

test('a function that fails refuses, and the refusal and the history say why', async () => {
  let before = 'reviewed: ({ others }) => {'
  const failWith = (body: string) => {
    const after = `reviewed: ({ others }) => {\n          if (others) ${body}`
    change(root, 'fed.ts', before, after)
    before = after
  }
  await begin('Review the branch of api')
  for (const [body, fault] of [...someOf(failing, 3), ...someOf(endless, 1)]) {
    failWith(body)
    expect(await report('branch-read'), body).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('(reviewed failed: '),
    })
    const history = await fedJson<Entry[]>(root, ['history', 'reviewers'])
    expect(history.at(-1)?.evidence?.own).toEqual({ reviewed: { fault: expect.stringMatching(fault) } })
  }
  expect(await fed(root, ['pause', 'reviewers'])).toMatchObject({ code: 0 })
})

test('what a function prints is no result', async () => {
  change(
    root,
    'fed.ts',
    'reviewed: ({ others }) => {',
    "reviewed: ({ others }) => {\n          console.log('no JSON')",
  )
  await begin('Review the branch of api')
  expect(await fedJson(root, ['report', 'branch-read', '--team', 'reviewers'])).toMatchObject({
    outcome: 'accepted',
  })
})

test("damage of a team that a mission names is not the reviewers'", async () => {
  await begin('Review the branch of api')
  for (const name of ['lifecycle.json', 'lifecycle.d']) {
    const file = path.join(workspace, '.fed', name)
    rmSync(file, { recursive: true })
    symlinkSync(name, file)
  }
  expect(await report('branch-read')).toMatchObject({ code: 0 })
})

test.each(['nope', 'reviewers'])('a verdict for %s, which it does not reach, comes to meta', async (to) => {
  change(root, 'review-machine.ts', "to: context.of ?? 'meta'", `to: '${to}'`)
  await begin('Review the branch of api')
  await report('branch-read')
  expect(await report('approved', 'fine')).toMatchObject({ code: 0 })
  expect(await mailOf(root, 'meta')).toContainEqual(
    expect.objectContaining({ from: 'reviewers', body: expect.stringContaining(`For '${to}', which is`) }),
  )
})

test('everything that is wrong with an archetype is told in one round, evidence too', async () => {
  addHook(
    root,
    `import { defineHook } from 'fed/hook'
import { review } from './hooks/review-machine.ts'
export default defineHook({
  archetypes: {
    review: {
      machine: review,
      description: 'Reviews',
      evidence: { other: () => true },
      milestones: [{ state: 'nowhere', subject: 'approved', task: 'approve' }],
    },
  },
})
`,
  )
  const { code, stderr } = await fed(root, ['onboard', 'reviewers', '--archetype', 'review'])
  expect(code).toBe(2)
  for (const words of ['own.reviewed', 'no guard asks for own.other', "there is no state 'nowhere'"])
    expect(stderr).toContain(words)
})
