// Proves that what a coding team shows as its work was committed in this very mission, on its own branch, towards the
// branch that the mission was given for; and that a mission begins at that branch's present commit, with everything
// that was there before kept. Fails when an earlier mission's commits count, when others' commits count, when a
// mission begins at an old commit, or when work is lost.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import { git, gitOrNothing } from '../../../src/platform/git/git.ts'
import type { FiledSignal, HistoryEntry, TeamStatus } from '../../../src/index.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import { commitFile } from '../../support/coding-team.ts'
import { agent, fed, fedDone, fedJson, newFederation, newRepository } from '../../support/fed.ts'

let root: string
let workspace: string

beforeEach(() => {
  root = newRepository()
  workspace = path.join(root, '.fed', 'worktrees', 'api')
})

const run = (mission: string, name: string, ...rest: string[]) =>
  fed(root, ['run', mission, '--team', 'api', '--archetype', 'coding', '--agent', name, ...rest])
const status = () => fedJson<TeamStatus>(root, ['status', 'api'])
const merge = () => git(root, 'merge', '--quiet', '--no-edit', 'fed/api')
const complete = () => fedDone(root, ['send', 'api', '--type', 'directive', '--subject', 'merged'])
const committed = async () => {
  const team = await new Federation(root).team('api')
  await team.tell({ type: 'report', subject: 'plan-ready', body: 'Change it' })
  const { entry } = await team.tell({ type: 'report', subject: 'changes-committed' })
  return entry?.refusal?.message ?? entry?.to
}

describe('an agent that commits nothing', () => {
  test.each([
    ['after a mission that was merged', true],
    ['after a mission that was not', false],
  ])('gets nowhere %s', async (_when, isMerged) => {
    expect((await run('Answer one', agent('coding'))).code).toBe(0)
    const first = git(root, 'rev-parse', 'fed/api')
    if (isMerged) {
      merge()
      await complete()
      await fed(root, ['monitor'])
    }
    commitFile(root, 'later.ts', 'later\n')
    await run('Answer two', agent('idle-coder'), '--max-sessions', '1', '--reset')
    const history = await fedJson<HistoryEntry[]>(root, ['history', 'api'])
    const refused = history.find(({ event }) => event === 'report.changes-committed')
    expect(refused?.refusal?.message).toContain('nothing was committed on it since the mission began')
    expect(await status()).toMatchObject({ missionNumber: 2, state: 'failed' })
    expect(git(root, 'rev-parse', 'fed/api')).toBe(git(root, 'rev-parse', 'main'))
    const kept = git(root, 'for-each-ref', '--format=%(objectname)', 'refs/fed/rescue')
    expect(kept).toBe(isMerged ? '' : first)
  })
})

describe('does not count', () => {
  beforeEach(async () => {
    root = await newFederation()
    workspace = path.join(root, '.fed', 'worktrees', 'api')
    const team = await new Federation(root).onboard({ domain: 'api', archetype: 'coding' })
    commitFile(workspace, 'early.ts', 'before the mission\n')
    await beginMission(team, 'Change the answer')
  })

  test('what was committed before the mission', async () => {
    expect(await committed()).toContain('nothing was committed on it since the mission began')
  })

  test('what others committed on the target, and the branch took over', async () => {
    commitFile(root, 'theirs.ts', 'theirs\n')
    git(workspace, 'merge', '--quiet', '--no-edit', 'main')
    git(workspace, 'reset', '--quiet', '--hard', 'main')
    expect(await committed()).toContain('nothing was committed on it since the mission began')
  })

  test('a commit that changes no file', async () => {
    git(workspace, 'reset', '--quiet', '--hard', 'main')
    git(workspace, 'commit', '--quiet', '--allow-empty', '--message', 'Done')
    expect(await committed()).toContain('its commits change no file')
  })

  test("the target's last commit under another message", async () => {
    git(workspace, 'reset', '--quiet', '--hard', 'main')
    git(workspace, 'commit', '--quiet', '--amend', '--message', 'My work')
    expect(await committed()).toContain('its commits change no file')
  })

  test('what an earlier branch held and the target has as one commit', async () => {
    git(root, 'merge', '--quiet', '--squash', 'fed/api')
    git(root, 'commit', '--quiet', '--message', 'All of it')
    git(workspace, 'commit', '--quiet', '--allow-empty', '--message', 'Done')
    expect(await committed()).toContain('its commits change no file')
  })

  test('a commit that changes no file, upon what was there before', async () => {
    git(workspace, 'commit', '--quiet', '--allow-empty', '--message', 'Done')
    expect(await committed()).toContain('its commits change no file')
  })

  test.each(['--assume-unchanged', '--skip-worktree'])('a change that %s hides', async (flag) => {
    commitFile(workspace, 'new.ts', 'new\n')
    git(workspace, 'update-index', flag, 'new.ts')
    writeFileSync(path.join(workspace, 'new.ts'), 'newer\n')
    expect(await committed()).toContain('new.ts')
  })

  test('work that was taken away before the tests', async () => {
    commitFile(workspace, 'new.ts', 'new\n')
    expect(await committed()).toBe('testing')
    git(workspace, 'reset', '--quiet', '--hard', 'main')
    const { code, stderr } = await fed(root, ['report', 'tests-passed', '--team', 'api', '--run', 'true'])
    expect([code, stderr]).toEqual([5, expect.stringContaining('nothing was committed on it since')])
  })

  test('but work of this mission does', async () => {
    commitFile(workspace, 'new.ts', 'new\n')
    expect(await committed()).toBe('testing')
  })
})

describe('a mission is given for', () => {
  const target = async () => {
    const { base } = (await new Federation(root).team('api')).present().context as { base?: unknown }
    return base
  }
  const onboard = (...rest: string[]) =>
    fed(root, ['onboard', 'api', '--archetype', 'coding', '--mission', 'Change it', ...rest])
  const tip = (branch: string) => git(root, 'rev-parse', branch)

  beforeEach(async () => {
    root = await newFederation()
    git(root, 'branch', 'release')
    git(root, 'branch', 'develop')
    commitFile(root, 'newer.ts', 'newer\n')
  })

  test('the branch that was checked out when the team was onboarded', async () => {
    await fedDone(root, ['onboard', 'api', '--archetype', 'coding'])
    git(root, 'switch', '--quiet', 'release')
    await fedDone(root, ['send', 'api', '--type', 'directive', '--subject', 'Change it'])
    await fed(root, ['monitor'])
    expect(await target()).toEqual({ target: 'main', start: tip('main'), tip: tip('main') })
  })

  test('the one that the configuration names, unless one is named for the team', async () => {
    writeFileSync(path.join(root, 'federate.config.json'), '{ "target": "develop" }\n')
    expect((await onboard()).code).toBe(0)
    expect(await target()).toEqual({ target: 'develop', start: tip('develop'), tip: tip('develop') })
    const reset = ['run', 'Change more', '--team', 'api', '--reset', '--agent', 'true', '--max-sessions', '1']
    await fed(root, [...reset, '--into', 'release'])
    expect(await target()).toMatchObject({ target: 'release' })
    expect(await fedDone(root, ['status', 'api'])).toContain(
      'mission: Change more, to be merged into release\n',
    )
    expect(tip('fed/api')).toBe(tip('release'))
  })

  test.each([
    [
      'nowhere',
      /^fed: --into nowhere: there is no such branch in \S+; its branches are develop, main, release\n$/,
    ],
    ['main~1', /^fed: --into main~1: it is no name of a branch\n$/],
    [
      'fed/api',
      /^fed: --into fed\/api: it is the branch on which api works; name the one into which it is merged\n$/,
    ],
  ])('no branch that is none: %s', async (name, words) => {
    const { code, stderr } = await onboard('--into', name)
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)])
    expect(existsSync(path.join(root, '.fed', 'worktrees', 'api'))).toBe(false)
  })

  test('no commit without a branch', async () => {
    git(root, 'switch', '--quiet', '--detach')
    const { code, stderr } = await onboard()
    expect([code, stderr]).toEqual([2, expect.stringContaining('has no branch checked out')])
    expect((await onboard('--into', 'main')).code).toBe(0)
  })

  test('no other target than it was begun for', async () => {
    expect((await onboard('--into', 'release')).code).toBe(0)
    const again = await fed(root, ['run', 'Change it', '--team', 'api', '--into', 'main', '--agent', 'true'])
    expect([again.code, again.stderr]).toEqual([
      5,
      expect.stringContaining('its work goes into release, not main'),
    ])
  })

  test('a target that is gone by then, and meta hears why it is not begun', async () => {
    await fedDone(root, ['onboard', 'api', '--archetype', 'coding', '--into', 'release'])
    git(root, 'branch', '--quiet', '-D', 'release')
    const { code, stderr } = await fed(root, ['run', 'Change it', '--team', 'api', '--agent', 'true'])
    expect([code, stderr]).toEqual([5, expect.stringContaining('git knows no branch release, the target')])
    const news = await fedJson<FiledSignal[]>(root, ['inbox', 'meta', '--all'])
    expect(news.map(({ subject }) => subject)).toContain('Refused: Change it')
  })
})

describe('before the first session', () => {
  const launch = () => fed(root, ['launch', '--team', 'api', '--agent', 'true', '--max-sessions', '1'])

  beforeEach(async () => {
    root = await newFederation()
    workspace = path.join(root, '.fed', 'worktrees', 'api')
    const team = await new Federation(root).onboard({ domain: 'api', archetype: 'coding' })
    commitFile(root, 'newer.ts', 'newer\n')
    await beginMission(team, 'Change the answer')
  })

  test('the branch begins where the target is, and nothing that was there is lost', async () => {
    commitFile(root, 'conflict.ts', 'ours\n')
    git(workspace, 'switch', '--quiet', '--detach')
    const loose = commitFile(workspace, 'conflict.ts', 'theirs\n')
    expect(gitOrNothing(workspace, 'rebase', '--quiet', 'main')).toBeUndefined()
    writeFileSync(path.join(workspace, 'notes.txt'), 'notes\n')
    await launch()
    expect(git(workspace, 'symbolic-ref', '--short', 'HEAD')).toBe('fed/api')
    expect(git(workspace, 'rev-parse', 'HEAD')).toBe(git(root, 'rev-parse', 'main'))
    expect(git(workspace, 'status', '--porcelain')).toBe('')
    const kept = git(root, 'for-each-ref', '--format=%(refname)', 'refs/fed/rescue/api').split('\n')
    expect(kept.map((ref) => gitOrNothing(root, 'show', `${ref}:notes.txt`))).toContain('notes')
    expect(kept.map((ref) => git(root, 'rev-list', ref)).join()).toContain(loose)
  })

  test('a file that git ignored, and that the target has by now, is kept', async () => {
    writeFileSync(path.join(root, '.git', 'info', 'exclude'), '*.local\n')
    writeFileSync(path.join(workspace, 'cfg.local'), 'only copy\n')
    writeFileSync(path.join(root, 'cfg.local'), 'shared\n')
    git(root, 'add', '--force', 'cfg.local')
    git(root, 'commit', '--quiet', '--message', 'Share it')
    await launch()
    expect(readFileSync(path.join(workspace, 'cfg.local'), 'utf8')).toBe('shared\n')
    const kept = git(root, 'for-each-ref', '--format=%(refname)', 'refs/fed/rescue/api').split('\n')
    expect(kept.map((ref) => gitOrNothing(root, 'show', `${ref}:cfg.local`))).toContain('only copy')
  })

  test('what stands in place of commits keeps nothing from being kept', async () => {
    const loose = commitFile(workspace, 'loose.ts', 'loose\n')
    git(workspace, 'checkout', '--quiet', '-B', 'fed/api', 'main~1')
    git(workspace, 'switch', '--quiet', '--detach', loose)
    git(root, 'replace', '--graft', 'main', 'main~1', loose)
    await launch()
    const kept = git(root, 'for-each-ref', '--format=%(refname)', 'refs/fed/rescue/api')
    expect(kept).not.toBe('')
    expect(git(root, 'rev-list', ...kept.split('\n'))).toContain(loose)
  })

  test('a branch on which the mission has got on by hand stays as it is', async () => {
    const own = commitFile(workspace, 'own.ts', 'own\n')
    writeFileSync(path.join(workspace, 'half.ts'), 'half\n')
    await launch()
    expect(git(root, 'rev-parse', 'fed/api')).toBe(own)
    expect(readFileSync(path.join(workspace, 'half.ts'), 'utf8')).toBe('half\n')
    expect(git(root, 'for-each-ref', 'refs/fed/rescue')).toBe('')
  })

  test('what a session left uncommitted is there for the next', async () => {
    await launch()
    writeFileSync(path.join(workspace, 'half.ts'), 'half\n')
    await launch()
    expect(existsSync(path.join(workspace, 'half.ts'))).toBe(true)
  })

  test('an earlier mission cannot say that it has begun', async () => {
    await launch()
    const first = commitFile(workspace, 'first.ts', 'first\n')
    const sessions = path.join(workspace, '.fed', 'sessions')
    for (const name of readdirSync(sessions).filter((one) => one.startsWith('1-begun')))
      cpSync(path.join(sessions, name), path.join(sessions, name.replace('1', '2')))
    const team = await new Federation(root).team('api')
    await team.reset()
    await beginMission(team, 'Change the question')
    await launch()
    expect(git(root, 'rev-parse', 'fed/api')).toBe(git(root, 'rev-parse', 'main'))
    expect(git(root, 'for-each-ref', '--format=%(objectname)', 'refs/fed/rescue')).toBe(first)
  })

  test('it is refused while something in the worktree could not be kept', async () => {
    git(workspace, 'init', '--quiet', 'nested')
    writeFileSync(path.join(workspace, 'nested', 'file.ts'), '')
    const { code, stderr } = await launch()
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining('nested/ in it is a repository of its own, whose commits would be lost'),
    ])
    expect(existsSync(path.join(workspace, 'nested', 'file.ts'))).toBe(true)
  })
})
