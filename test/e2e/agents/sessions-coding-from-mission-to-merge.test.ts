// Proves that a coding team does a whole task with an agent that knows nothing but `fed` and git: branch, commits,
// tests that fail, tests that pass, a pull request, a review that asks for more, the merge; and that a mission that
// failed can be begun again and loses nothing that was there. It fails when a step needs help, is skipped, or costs work.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import type { FiledSignal, HistoryEntry, Offboarded, TeamStatus } from '../../../src/index.ts'
import { commitFile } from '../../support/coding-team.ts'
import { agent, fed, fedDone, fedJson, newRepository } from '../../support/fed.ts'

let root: string
let workspace: string
const run = ['run', 'The answer must be right', '--team', 'api', '--archetype', 'coding']
const launch = ['launch', '--team', 'api', '--agent', agent('coding')]
const status = () => fedJson<TeamStatus>(root, ['status', 'api'])
const order = (subject: string, ...rest: string[]) =>
  fedDone(root, ['send', 'api', '--type', 'directive', '--subject', subject, ...rest])
const runs = () =>
  readFileSync(path.join(workspace, '.fed', 'test-runs.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { commit: string; exitCode: number; log: string })
const log = (range: string) => git(root, 'log', '--reverse', '--format=%s', range).split('\n')

beforeEach(() => {
  root = newRepository()
  workspace = path.join(root, '.fed', 'worktrees', 'api')
})

async function movesOf(): Promise<string[]> {
  const history = await fedJson<HistoryEntry[]>(root, ['history', 'api'])
  return history.flatMap(({ event, outcome, from, to }) =>
    outcome === 'accepted' ? [`${event}: ${from} → ${to}`] : [`${event} ${outcome}`],
  )
}

test('a mission becomes a merged change', async () => {
  const { code, stdout } = await fed(root, [...run, '--agent', agent('coding')])
  expect([code, stdout]).toEqual([
    0,
    "api is pr-open and waits for somebody else; 'fed status api' shows what it accepts\n",
  ])
  expect(await movesOf()).toEqual([
    'directive.the-answer-must-be-right: preparing → preparing',
    'report.plan-ready: preparing → implementing',
    'report.changes-committed: implementing → testing',
    'report.tests-passed refused',
    'report.tests-failed: testing → implementing',
    'report.changes-committed: implementing → testing',
    'report.tests-passed: testing → testing',
    'report.pr-opened: testing → pr-open',
  ])
  const news = await fedJson<FiledSignal[]>(root, ['inbox', 'meta', '--all'])
  expect(news.find(({ subject }) => subject === 'api: testing to pr-open')?.body).toContain(
    'https://code.example/shop/pull/1',
  )
  expect(log('main..fed/api')).toEqual(['Answer wrong', 'Answer right'])
  expect(runs().map(({ exitCode }) => exitCode)).toEqual([1, 0])
  expect(readFileSync(String(runs()[0]?.log), 'utf8')).toBe('right is missing\n')
  expect(runs()[1]?.commit).toBe(git(root, 'rev-parse', 'fed/api'))

  await order('changes-requested', '--body', 'Make it short')
  expect((await fed(root, launch)).code).toBe(0)
  expect(await status()).toMatchObject({ state: 'pr-open', finished: false })
  expect((await movesOf()).slice(-4)).toEqual([
    'directive.changes-requested: pr-open → implementing',
    'report.changes-committed: implementing → testing',
    'report.tests-passed: testing → testing',
    'report.pr-opened: testing → pr-open',
  ])
  expect(git(workspace, 'show', 'HEAD:src/app.ts')).toBe("export const answer = 'right short'")
  expect(git(workspace, 'status', '--porcelain')).toBe('')
  expect(git(root, 'status', '--porcelain', '--untracked-files=no')).toBe('')

  git(root, 'merge', '--quiet', '--no-ff', '--no-edit', 'fed/api')
  await order('merged')
  await fed(root, ['monitor'])
  expect(await status()).toMatchObject({ state: 'complete', finished: true, status: 'active' })
  const told = await fedJson<FiledSignal[]>(root, ['inbox', 'meta', '--all'])
  expect(told.filter(({ subject }) => subject === 'api: pr-open to complete')).toHaveLength(1)

  expect(await fedJson<Offboarded>(root, ['offboard', 'api'])).toMatchObject({ rescued: [] })
  expect(git(root, 'branch', '--list', 'fed/*')).toBe('')
  expect(git(root, 'for-each-ref', 'refs/fed')).toBe('')
  expect(existsSync(workspace)).toBe(false)
  expect(readFileSync(path.join(root, 'src', 'app.ts'), 'utf8')).toContain('right short')
})

test('a mission that failed begins again at its target, and what branch and worktree held is kept', async () => {
  const failing = await fed(root, [...run, '--agent', 'true', '--max-sessions', '1'])
  expect([failing.code, (await status()).state]).toEqual([1, 'failed'])
  const work = commitFile(workspace, 'half.ts', 'half\n')
  writeFileSync(path.join(workspace, 'notes.txt'), 'not committed\n')
  const before = readdirSync(path.join(workspace, '.fed', 'sessions'))

  const again = await fed(root, [...launch, '--reset'])
  expect([again.code, await status()]).toMatchObject([0, { state: 'pr-open', missionNumber: 2 }])
  const main = git(root, 'rev-parse', '--short=12', 'main')
  expect(again.stderr).toContain(
    `fed/api begins at ${main} of main; what it held before is kept as refs/fed/rescue/api/1`,
  )
  expect((await status()).mission?.body).toBe('The answer must be right')
  const kept = path.join(workspace, '.fed', 'missions', '1')
  expect(readdirSync(path.join(kept, 'sessions'))).toEqual(expect.arrayContaining(before))
  expect(readdirSync(kept)).toContain('1.json')
  expect(git(workspace, 'branch', '--show-current')).toBe('fed/api')
  expect(log('main..fed/api')).toEqual(['Answer wrong', 'Answer right'])
  expect(existsSync(path.join(workspace, 'notes.txt'))).toBe(false)
  const rescued = 'refs/fed/rescue/api/1'
  expect(git(root, 'for-each-ref', '--format=%(refname)', 'refs/fed/rescue')).toBe(rescued)
  expect(git(root, 'rev-parse', `${rescued}~1`)).toBe(work)
  expect(git(root, 'show', `${rescued}:notes.txt`)).toBe('not committed')
})
