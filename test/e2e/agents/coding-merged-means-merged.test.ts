// Proves that a coding team is complete only when its work is in its target: by its commits, by their patches, or by
// one commit that holds all of them; and that a refusal says what is missing. Fails when a word completes a team, when
// work that a person merged in one of the usual ways is not found, or when a paused team loses the word.
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { broughtBy, mergeProof } from '../../../src/platform/git/merge-proof.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { git } from '../../../src/platform/git/git.ts'
import type { Team } from '../../../src/federation/team.ts'
import { codingTeam, commitFile, noteTestsPassed } from '../../support/coding-team.ts'
import { fedDone } from '../../support/fed.ts'

let root: string
let workspace: string
let team: Team

/** Its second commit is another file. */
beforeEach(async () => {
  ;({ root, workspace } = await codingTeam())
  commitFile(workspace, 'src/more.ts', 'export const more = true\n')
  await prove()
  team = await new Federation(root).team('api')
})

async function prove(): Promise<void> {
  noteTestsPassed(workspace)
  const { state } = (await reported('tests-passed'), await reported('pr-opened'))
  if (state !== 'pr-open') throw new Error(`api is ${state}, not pr-open`)
}

async function reported(subject: string): Promise<{ readonly state: string }> {
  const opened = await new Federation(root).team('api')
  await opened.tell({ type: 'report', subject, body: '' })
  return opened.present()
}

/** The outcome of `merged`, with the proof or the reason. */
async function merged(): Promise<unknown> {
  const { entry } = await team.direct('merged', '')
  const { proof } = (entry?.evidence?.merge ?? {}) as { proof?: string | null }
  return entry?.outcome === 'accepted' ? proof : entry?.refusal?.message
}

const missing = (commits: string) =>
  `directive.merged needs that the work is merged (${commits} of fed/api cannot be found in main: ` +
  "'git cherry -v main fed/api' marks them with a plus, or a minus where white space alone differs)"

const commitOnMain = (name: string, text = name) => commitFile(root, name, text)
const inMain = (...args: string[]) => git(root, ...args)

describe('is found when it came', () => {
  test.each<[string, string, () => void]>([
    ['fast-forward', 'commits', () => inMain('merge', '--quiet', '--ff-only', 'fed/api')],
    [
      'by a merge, after the target moved on',
      'commits',
      () => {
        commitOnMain('other.ts')
        inMain('merge', '--quiet', '--no-ff', '--no-edit', 'fed/api')
      },
    ],
    [
      'commit by commit',
      'patches',
      () => {
        commitOnMain('other.ts')
        inMain('cherry-pick', 'main~1..fed/api')
        commitOnMain('later.ts')
      },
    ],
    [
      'as one commit',
      'squash',
      () => {
        inMain('merge', '--quiet', '--squash', 'fed/api')
        inMain('commit', '--quiet', '--message', 'All of it')
      },
    ],
    [
      'as one commit between others, while the target went on in the same file',
      'squash',
      () => {
        commitOnMain('other.ts')
        inMain('merge', '--quiet', '--squash', 'fed/api')
        inMain('commit', '--quiet', '--message', 'All of it')
        commitOnMain('src/app.ts', 'export const answer = 44\n')
        commitOnMain('later.ts')
      },
    ],
    [
      'commit by commit without one that changes nothing',
      'patches',
      () => {
        git(workspace, 'commit', '--quiet', '--allow-empty', '--message', 'Nothing')
        commitOnMain('other.ts')
        inMain('cherry-pick', 'fed/api~2', 'fed/api~1')
      },
    ],
  ])('%s', async (_how, proof, act) => {
    act()
    expect(await merged()).toBe(proof)
    expect(team.present().state).toBe('complete')
  })

  test('and its branch moved on to the target', async () => {
    inMain('merge', '--quiet', '--squash', 'fed/api')
    inMain('commit', '--quiet', '--message', 'All of it')
    git(workspace, 'reset', '--quiet', '--hard', 'main')
    expect(await merged()).toBe('squash')
  })
})

describe('is refused', () => {
  test('when nothing was merged, whatever word says so', async () => {
    expect(await merged()).toBe(missing('2 commits'))
    expect(team.present().state).toBe('pr-open')
    const [alert] = team.actor.world.mailboxOf('meta')?.all().slice(-1) ?? []
    expect(alert).toMatchObject({ type: 'alert', subject: 'Refused: merged' })
  })

  test('when a part of it is missing', async () => {
    // picked within the same second onto the same commit it would be the very commit
    commitOnMain('other.ts')
    inMain('cherry-pick', 'fed/api~1')
    expect(await merged()).toBe(missing('2 commits'))
  })

  test('when its branch was set back to the target', async () => {
    git(workspace, 'reset', '--quiet', '--hard', 'main')
    expect(await merged()).toBe(missing('2 commits'))
  })

  test('when more was committed after the merge', async () => {
    inMain('merge', '--quiet', '--ff-only', 'fed/api')
    commitFile(workspace, 'late.ts', 'late\n')
    expect(await merged()).toBe(missing('1 commit'))
  })

  test('when a merge commit hides what no patch shows', async () => {
    commitOnMain('other.ts')
    git(workspace, 'merge', '--quiet', '--no-commit', '--no-ff', 'main')
    writeFileSync(path.join(workspace, 'hidden.ts'), 'hidden\n')
    git(workspace, 'add', '.')
    git(workspace, 'commit', '--quiet', '--no-edit')
    inMain('cherry-pick', 'main~1..fed/api~1')
    expect(await merged()).toContain('of fed/api cannot be found in main')
  })

  test('when one commit has all of it and something else as well', async () => {
    inMain('merge', '--quiet', '--squash', 'fed/api')
    writeFileSync(path.join(root, 'src', 'app.ts'), 'export const answer = 0\n')
    inMain('commit', '--quiet', '--all', '--message', 'All of it, and changed')
    expect(await merged()).toContain('cannot be found in main')
  })

  test('when it is merged into another branch than the target', async () => {
    inMain('branch', 'release', 'fed/api')
    expect(await merged()).toBe(missing('2 commits'))
  })

  test('when a replacement in this clone says that it is merged', async () => {
    inMain('replace', '--graft', 'main', 'fed/api')
    expect(await merged()).toBe(missing('2 commits'))
  })

  test('when only patches from before the mission are found', () => {
    const start = commitOnMain('old.ts')
    git(workspace, 'reset', '--quiet', '--hard', 'main')
    git(workspace, 'commit', '--quiet', '--amend', '--message', 'My work')
    const work = git(workspace, 'rev-parse', 'HEAD')
    commitOnMain('later.ts')
    const question = { work, target: git(root, 'rev-parse', 'main'), start }
    expect(mergeProof(root, question)).toBeNull()
  })

  test.each([
    ['at another depth', 'if ready:\n    stop()\ngo()\n', null],
    ['as it is', 'if ready:\n    stop()\n    go()\n', 'patches'],
  ])('unless its white space came too: a line %s', (_how, there, proof) => {
    const start = commitOnMain('run.py', 'if ready:\n    stop()\n')
    git(workspace, 'reset', '--quiet', '--hard', 'main')
    const work = commitFile(workspace, 'run.py', 'if ready:\n    stop()\n    go()\n')
    commitOnMain('other.ts')
    const target = commitOnMain('run.py', there)
    expect(mergeProof(root, { work, target, start })).toBe(proof)
  })

  test('when the target is gone', async () => {
    inMain('switch', '--quiet', '--create', 'other')
    inMain('branch', '--quiet', '-D', 'main')
    expect(await merged()).toContain("git does not know the target or the team's commit any more")
    expect(team.present().state).toBe('pr-open')
  })
})

describe('a submodule that git is told to ignore', () => {
  let start: string

  /** Commits what is staged, with a commit of the submodule: any will do. */
  const commitSubmodule = (at: string) => {
    git(workspace, 'update-index', '--add', '--cacheinfo', `160000,${at},lib`)
    git(workspace, 'commit', '--quiet', '--message', 'Newer submodule')
    return git(workspace, 'rev-parse', 'HEAD')
  }

  beforeEach(() => {
    start = commitOnMain('.gitmodules', '[submodule "lib"]\npath = lib\nurl = ./lib\nignore = all\n')
    git(workspace, 'reset', '--quiet', '--hard', 'main')
  })

  test('is missing in a patch without it', () => {
    writeFileSync(path.join(workspace, 'new.ts'), 'new\n')
    git(workspace, 'add', 'new.ts')
    const work = commitSubmodule(start)
    expect(mergeProof(root, { work, target: commitOnMain('new.ts', 'new\n'), start })).toBeNull()
  })

  test('is work, and found where it came as one commit', () => {
    const work = commitSubmodule(commitSubmodule(start))
    expect(broughtBy(root, work, start)).toEqual(['lib'])
    inMain('merge', '--quiet', '--squash', work)
    inMain('commit', '--quiet', '--message', 'All of it')
    expect(mergeProof(root, { work, target: git(root, 'rev-parse', 'main'), start })).toBe('squash')
  })
})

test.each(['evil', 'ev=il'])('a merge driver %s of the repository is not run to find out', async (name) => {
  const mark = path.join(root, 'driver-ran')
  inMain('config', `merge.${name}.driver`, `touch ${mark}`)
  commitFile(workspace, '.gitattributes', `* merge=${name}\n`)
  await fedDone(root, ['send', 'api', '--type', 'directive', '--subject', 'changes-requested'])
  await reported('changes-committed')
  await prove()
  commitOnMain('src/app.ts', 'export const answer = 44\n')
  commitOnMain('.gitattributes', `* merge=${name}\n`)
  expect(await merged()).toContain('cannot be found in main')
  expect(existsSync(mark)).toBe(false)
})

test('no setting of the repository passes for a merge', async () => {
  commitOnMain('src/more.ts', 'export const more = true\n')
  for (const answer of [44, 45]) commitOnMain('src/app.ts', `export const answer = ${answer}\n`)
  inMain('config', 'merge.renormalize', 'true')
  inMain('config', 'filter.x.clean', 'git show main:src/app.ts')
  inMain('config', 'filter.x.smudge', 'cat')
  writeFileSync(path.join(root, '.git', 'info', 'attributes'), 'src/app.ts filter=x\n')
  expect(await merged()).toContain('cannot be found in main')
})

test.each(['merged', 'changes-requested'])('while the team is paused, %s waits', async (subject) => {
  inMain('merge', '--quiet', '--ff-only', 'fed/api')
  await team.pause()
  expect((await team.direct(subject, 'Shorter')).entry).toBeUndefined()
  expect(team.present().state).toBe('paused')
  await team.resume()
  expect(team.present().state).toBe(subject === 'merged' ? 'complete' : 'implementing')
})

test.each([
  { first: 'Log it too', second: 'merged', state: 'implementing' },
  { first: 'merged', second: 'Log it too', state: 'complete' },
])('of $first and $second, which wait, the first counts and the other is refused', async (waiting) => {
  inMain('merge', '--quiet', '--ff-only', 'fed/api')
  await team.pause()
  await team.direct(waiting.first, '')
  await team.direct(waiting.second, '')
  await team.resume()
  expect(team.present().state).toBe(waiting.state)
  const alert = { type: 'alert', subject: `Refused: ${waiting.second}` }
  expect(team.actor.world.mailboxOf('meta')?.all()).toContainEqual(expect.objectContaining(alert))
})
