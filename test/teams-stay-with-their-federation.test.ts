// Proves that a federation knows where it lies: moved, it refuses until the doctor has corrected what names the old
// place; copied, it never acts on the original, and can begin anew. Fails when a command in a copy writes into the
// original, when a repair takes over worktrees of somebody else, or when a link to the federation counts as a copy.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { examine, treat } from '../src/doctor/examine.ts'
import { isProblem } from '../src/doctor/finding.ts'
import { Federation } from '../src/federation/federation.ts'
import { git } from '../src/codebase/git.ts'
import { DisplacedError } from '../src/index.ts'
import { federationLayout } from '../src/protocol/layout.ts'
import { beginAnew, settleHere } from '../src/teams/change-home.ts'
import { homeOf } from '../src/teams/federation-home.ts'
import { initialize } from '../src/teams/init.ts'
import { findRoot } from '../src/teams/root.ts'
import { everythingIn } from './support/damaged-federation.ts'
import { agent, fed, fedDone, fedJson, newFolder, startFed, workspaceOf } from './support/fed.ts'
import { newFederation } from './support/federation.ts'
import { interrupted } from './support/interrupted-calls.ts'
import { everyCall, someOf } from './support/thorough.ts'
import { until } from './support/until.ts'

/** A federation with a reader `docs` and a coding team `api` whose work is not committed, in a folder of its own. */
async function withTeams(): Promise<string> {
  const root = path.join(newFolder('place'), 'first')
  renameSync(newFederation(), root)
  // it was set up where the test's template put it, without teams, which names no place
  const federation = new Federation(root)
  await federation.onboard({ domain: 'docs', archetype: 'deliverable' })
  await federation.onboard({ domain: 'api', archetype: 'coding' })
  await send(federation, 'Explain it')
  writeFileSync(path.join(worktreeOf(root), 'draft.ts'), 'export {}\n')
  return root
}

const send = (federation: Federation, subject: string) =>
  federation.send({ from: 'meta', to: 'docs', type: 'directive', subject, body: 'x' })

const worktreeOf = (root: string) => path.join(root, '.fed', 'worktrees', 'api')
const beside = (root: string, name: string) => path.join(path.dirname(root), name)
const copyAll = (from: string, to: string) => execFileSync('cp', ['-a', from, to])
const subjectsOf = (root: string) =>
  new Federation(root, { use: 'read' })
    .mailbox('docs')
    .all()
    .map(({ subject }) => subject)
const errorsIn = async (root: string) => (await examine(root)).filter(({ severity }) => severity === 'error')
const worktreesOf = (root: string) =>
  git(root, 'worktree', 'list')
    .split('\n')
    .map((line) => line.split(/\s/, 1)[0])

let root: string
beforeEach(async () => {
  root = await withTeams()
})

describe('a copy', () => {
  let copy: string
  let before: Map<string, string>
  beforeEach(() => {
    copy = beside(root, 'second')
    copyAll(root, copy)
    before = everythingIn(root)
  })

  const acting = [
    ['send', 'docs', '--type', 'question', '--subject', 'x'],
    ['pause', 'docs'],
    ['monitor'],
    ['launch', 'docs'],
    ['run', 'Explain it again'],
    ['init'],
    ['onboard', 'site', '--archetype', 'deliverable'],
    ['offboard', 'docs'],
    ['learn', 'It is small', '--team', 'docs'],
    ['dashboard'],
    ['chat'],
    ['archive', 'docs'],
    ['skills', 'sync'],
  ]

  test('refuses what would act on the original, from wherever in it', async () => {
    for (const args of someOf(acting, 4)) {
      const { code, stdout, stderr } = await fed(copy, args)
      expect({ args, code, stdout }).toEqual({ args, code: 5, stdout: '' })
      expect(stderr).toBe(
        `fed: ${copy} is a copy: its federation and its teams live in ${root}; nothing was changed: work there, or 'fed init --anew' begins a federation of its own here, and keeps what came along in .fed/copied\n`,
      )
    }
    for (const inside of [worktreeOf(copy), workspaceOf(copy, 'docs')])
      expect((await fed(inside, ['alert', 'information-missing', '--body', 'x'])).code).toBe(5)
    expect(everythingIn(root)).toEqual(before)
  })

  test('is read as it is, and says what it is', async () => {
    await send(new Federation(root), 'Only in the original')
    const { code, stdout, stderr } = await fed(copy, ['inbox', 'docs', '--json'])
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^fed: .* is a copy: /)])
    expect(JSON.parse(stdout)).toMatchObject([{ subject: 'Explain it' }])
    const read = new Federation(copy, { use: 'read' })
    expect((await read.team('docs').status()).team).toBe('docs')
    for (const write of [
      () => read.registry.update(() => undefined),
      () => read.registry.updateEntries((e) => e),
    ])
      expect(write).toThrow(DisplacedError)
  })

  test('is named by the doctor, who leaves both as they are', async () => {
    const own = everythingIn(copy)
    const { fixed, findings } = await treat(copy)
    expect(fixed).toEqual([])
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      { area: 'federation', message: expect.stringContaining('is a copy: ') },
    ])
    expect(everythingIn(copy)).toEqual(own)
    expect(everythingIn(root)).toEqual(before)
  })

  test('of hard links is one as well', () => {
    const linked = beside(root, 'linked')
    execFileSync('cp', ['-al', root, linked])
    expect(() => new Federation(linked)).toThrow('is a copy: ')
  })

  test('begins anew, and nothing of the original, nor a worktree of a person, is touched', async () => {
    const own = beside(root, 'own')
    git(root, 'worktree', 'add', '--quiet', own)
    rmSync(copy, { recursive: true })
    copyAll(root, copy)
    before = everythingIn(root)
    await fedDone(copy, ['init', '--anew', '--yes'])
    const kept = path.join(
      copy,
      '.fed',
      'copied',
      readdirSync(path.join(copy, '.fed', 'copied'))[0] as string,
    )
    const keptWorktree = path.join(kept, 'worktrees', 'api')
    expect(worktreesOf(copy).toSorted()).toEqual([copy, keptWorktree, own].toSorted())
    expect(git(keptWorktree, 'status', '--porcelain', '--branch')).toBe('## HEAD (no branch)\n?? draft.ts')
    expect(new Federation(copy).registry.read().teams).toEqual([])
    const { actor } = await new Federation(copy).onboard({ domain: 'api', archetype: 'coding' })
    expect(actor.workspace).toBe(worktreeOf(copy))
    expect(await errorsIn(copy)).toEqual([])
    expect(everythingIn(root)).toEqual(before)
    expect(readFileSync(path.join(own, '.git'), 'utf8')).toContain(root)
    expect(await fed(copy, ['init', '--anew'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no copy'),
    })
  })

  test('begins anew however often that is killed', async () => {
    const { first, stride } = everyCall(5)
    for (let call = first, goesOn = true; goesOn; call += stride) {
      const target = beside(root, `killed-${call}`)
      copyAll(root, target)
      goesOn = await interrupted({ call, when: 'before' }, async () => void beginAnew(target))
      if (homeOf(target).kind === 'here') initialize(target)
      else beginAnew(target)
      const [kept] = readdirSync(federationLayout(target).copied)
      const worktree = path.join(federationLayout(target).copied, kept as string, 'worktrees', 'api')
      expect(git(worktree, 'status', '--porcelain')).toBe('?? draft.ts')
      expect(worktreesOf(target)).toEqual([target, worktree])
      expect(new Federation(target).registry.read().teams).toEqual([])
    }
    expect(everythingIn(root)).toEqual(before)
  })

  test('of a worktree shares its git with the original, and does not begin anew', async () => {
    const side = beside(root, 'side')
    git(root, 'worktree', 'add', '--quiet', side)
    const federation = new Federation(findRoot(sideFederation(side)).root)
    await federation.onboard({ domain: 'notes', archetype: 'deliverable' })
    const other = beside(root, 'other')
    copyAll(side, other)
    expect(() => beginAnew(other)).toThrow(`has the git of ${side}`)
  })

  /** A person's own worktree is a federation of its own. */
  function sideFederation(side: string): string {
    writeFileSync(path.join(side, 'federate.config.json'), '{}')
    return side
  }
})

describe('a federation that was moved', () => {
  let moved: string
  beforeEach(() => {
    moved = beside(root, 'second')
    renameSync(root, moved)
  })

  test('refuses to act, is read all the same, and goes on when the doctor has corrected it', async () => {
    const { code, stderr } = await fed(worktreeOf(moved), ['report', 'plan-ready', '--body', 'x'])
    expect([code, stderr]).toEqual([
      5,
      `fed: this federation was moved: it was set up in ${root}, and lies in ${moved} now; nothing was changed: 'fed doctor --fix' corrects what names the old place; of a copy, 'fed init --anew' makes a new one\n`,
    ])
    expect((await fed(moved, ['init'])).code).toBe(5)
    expect(await fedJson(moved, ['status'])).toMatchObject([{ team: 'docs' }, { team: 'api' }])
    expect(await errorsIn(moved)).toMatchObject([{ area: 'federation', repair: expect.any(Function) }])
    await fedDone(moved, ['doctor', '--fix'])
    expect(worktreesOf(moved)).toEqual([moved, worktreeOf(moved)])
    expect(git(worktreeOf(moved), 'status', '--porcelain', '--branch')).toBe('## fed/api\n?? draft.ts')
    expect(new Federation(moved).registry.read().teams.map(({ location }) => location)).toEqual([
      workspaceOf(moved, 'docs'),
      worktreeOf(moved),
    ])
    await fedDone(moved, ['launch', 'docs', '--agent', agent('good')])
    expect(await fedJson(moved, ['status', 'docs'])).toMatchObject({ state: 'complete', healthy: true })
    expect(existsSync(root)).toBe(false)
  })

  test('nothing but what names the old place is rewritten', () => {
    const before = everythingIn(moved)
    settleHere(moved)
    const changed = [...everythingIn(moved)].flatMap(([file, text]) =>
      before.get(file) === text ? [] : [file],
    )
    expect(changed.toSorted()).toEqual([
      '.fed/federation.json',
      '.fed/team-registry.d/4.json',
      '.fed/team-registry.json',
      '.fed/teams/docs/.fed/team.json',
      '.fed/worktrees/api/.fed/team.json',
      '.fed/worktrees/api/.git',
      '.git/worktrees/api/gitdir',
    ])
  })

  test('is corrected however often that is killed', async () => {
    const { first, stride } = everyCall(5)
    const target = beside(root, 'target')
    for (let call = first, goesOn = true; goesOn; call += stride) {
      rmSync(target, { recursive: true, force: true })
      copyAll(moved, target)
      goesOn = await interrupted({ call, when: 'before' }, async () => void settleHere(target))
      if (goesOn) settleHere(target)
      expect(await errorsIn(target)).toEqual([])
      expect(worktreesOf(target)).toEqual([target, worktreeOf(target)])
      expect(new Federation(target).mailbox('docs').all()).toHaveLength(1)
    }
  })

  test('a worktree of a person finds it again, and what has taken its old place stays as it is', async () => {
    renameSync(moved, root)
    const own = beside(root, 'own')
    git(root, 'worktree', 'add', '--quiet', own)
    renameSync(root, moved)
    // another federation is made where it was
    renameSync(await withTeams(), root)
    settleHere(root)
    const before = everythingIn(root)
    expect(await fedJson(moved, ['doctor', '--fix'])).toMatchObject({ healthy: true })
    expect(git(own, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('own')
    expect(everythingIn(root)).toEqual(before)
    await send(new Federation(root), 'Here')
    await send(new Federation(moved), 'There')
    expect([subjectsOf(root), subjectsOf(moved)]).toEqual([
      ['Explain it', 'Here'],
      ['Explain it', 'There'],
    ])
  })

  test('takes nothing over from a repository that it was copied from', () => {
    renameSync(moved, root)
    const own = beside(root, 'own')
    git(root, 'worktree', 'add', '--quiet', own)
    copyAll(root, moved)
    rmSync(path.join(root, '.fed'), { recursive: true })
    const before = [...everythingIn(root), ...everythingIn(own)]
    expect(settleHere(moved)).toBe(2)
    expect([...everythingIn(root), ...everythingIn(own)]).toEqual(before)
    expect(git(worktreeOf(moved), 'status', '--porcelain')).toBe('?? draft.ts')
  })

  test('while a watch and a launch go on, both say so', async () => {
    renameSync(moved, root)
    const watch = startFed(root, ['monitor', '--watch', '--interval', '20ms'])
    await until('a cycle', () => watch.stdout().includes('docs'))
    const launch = startFed(root, ['launch', 'docs', '--agent', agent('waiting')])
    await until('an agent', () => launch.stderr().includes('session 1'))
    renameSync(root, moved)
    await until('what is wrong', () =>
      watch.stderr().includes('the federation was moved or removed meanwhile'),
    )
    watch.kill('SIGINT')
    launch.kill('SIGINT')
    const { stderr } = await launch.ended
    expect(stderr).toContain('fed: ')
    expect(stderr).not.toMatch(/unexpected|\n {4}at /)
    await watch.ended
    await fedDone(moved, ['doctor', '--fix'])
    expect(await fedJson(moved, ['status', 'docs'])).toMatchObject({ state: 'preparing' })
  })
})

test('reached by a link, or with a link in its old place, it is the same', async () => {
  const link = beside(root, 'link')
  symlinkSync(root, link)
  await fedDone(link, ['send', 'docs', '--type', 'report', '--subject', 'By link'])
  await fedDone(root, ['onboard', 'site', '--archetype', 'deliverable', '--dir', link])
  expect(findRoot(link).root).toBe(root)
  const away = beside(root, 'away')
  renameSync(root, away)
  symlinkSync(away, root)
  await send(new Federation(findRoot(away).root), 'From away')
  expect(await errorsIn(away)).toEqual([])
  // what was onboarded by the link names the folder itself
  rmSync(link)
  expect(new Federation(root).registry.entry('site').location).toBe(workspaceOf(root, 'site'))
})

test('without teams it names no place, and is at home where it is copied to', async () => {
  const template = newFederation()
  const copies = ['one', 'two'].map((name) => {
    const copy = path.join(newFolder('copies'), name)
    copyAll(template, copy)
    return copy
  })
  for (const copy of copies) await new Federation(copy).onboard({ domain: 'docs', archetype: 'deliverable' })
  const records = copies.map(
    (copy) => JSON.parse(readFileSync(federationLayout(copy).record, 'utf8')) as object,
  )
  expect(records).toMatchObject(copies.map((copy) => ({ root: copy })))
  for (const copy of copies) expect(await errorsIn(copy)).toEqual([])
})

const damages: readonly (readonly [what: string, damage: (file: string) => unknown, code: number])[] = [
  ['no JSON', (file) => writeFileSync(file, '{'), 2],
  ['without a root', (file) => writeFileSync(file, '{"id":1,"root":"."}'), 2],
  ['a folder', (file) => mkdirSync(file), 2],
  ['a link', (file) => symlinkSync('/etc/passwd', file), 2],
  ['a pipe', (file) => execFileSync('mkfifo', [file]), 2],
  ['gone', () => undefined, 0],
]

test('a record that is damaged or gone is written anew by the doctor', async () => {
  const file = federationLayout(root).record
  for (const [what, damage, code] of someOf(damages, 3)) {
    rmSync(file)
    damage(file)
    const sent = await fed(root, ['send', 'docs', '--type', 'report', '--subject', 'x'])
    expect([what, sent.code]).toEqual([what, code])
    const { fixed, findings } = await treat(root)
    expect(fixed).toMatchObject([{ area: 'federation', message: expect.stringMatching(/^written anew/) }])
    expect(findings.filter(isProblem)).toEqual([])
    expect(new Federation(root).home).toEqual({ kind: 'here' })
  }
})

// only root can give a folder to somebody else
test.runIf(process.getuid?.() === 0)('where nobody can look for the original, nothing is done', async () => {
  const copy = path.join(newFolder('other'), 'second')
  copyAll(root, copy)
  execFileSync('chown', ['-R', '65534:65534', copy])
  for (let dir = path.dirname(copy); dir.startsWith(os.tmpdir()); dir = path.dirname(dir))
    chmodSync(dir, statSync(dir).mode | 0o011)
  chmodSync(path.dirname(root), 0o700)
  const env = {
    NODE_OPTIONS: `--require=${fileURLToPath(new URL('support/preload/unprivileged.cjs', import.meta.url))}`,
  }
  const { code, stderr } = await fed(copy, ['send', 'docs', '--type', 'report', '--subject', 'x'], { env })
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining('where nobody can look whether it is still there (EACCES'),
  ])
})
