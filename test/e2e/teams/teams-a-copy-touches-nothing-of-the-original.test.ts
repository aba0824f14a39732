// Proves that a copied federation never acts on the original, and can begin anew. Fails when a command in a copy writes
// into the original, or when beginning anew takes over worktrees of somebody else.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
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
import { repairAll } from '../../../src/apps/doctor/examine.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { UsageError } from '../../../src/errors/fed-error.ts'
import { git } from '../../../src/platform/git/git.ts'
import { DisplacedError } from '../../../src/index.ts'
import { federationLayout } from '../../../src/protocol/folder-layout.ts'
import { beginAnew } from '../../../src/federation/after-move-or-copy.ts'
import { homeOf } from '../../../src/federation/federation-home.ts'
import { initialize } from '../../../src/federation/onboarding/set-up.ts'
import { findRoot } from '../../../src/federation/root.ts'
import { everythingIn } from '../../support/damaged-federation.ts'
import { fed, fedDone, newFolder, newRepository, workspaceOf } from '../../support/fed.ts'
import { interrupted } from '../../support/interrupted-calls.ts'
import { everyCall, someOf } from '../../support/thorough.ts'
import {
  withTeams,
  send,
  worktreeOf,
  beside,
  copyAll,
  errorsIn,
  worktreesOf,
} from '../../support/settled-federation.ts'

const preload = (name: string) => fileURLToPath(new URL(`../../support/preload/${name}`, import.meta.url))

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
    expect((await (await read.team('docs')).status()).team).toBe('docs')
    for (const write of [
      () => read.registry.update(() => undefined),
      () => read.registry.updateEntries((e) => e),
    ])
      expect(write).toThrow(DisplacedError)
  })

  test('is named by the doctor, who leaves both as they are', async () => {
    const own = everythingIn(copy)
    const { fixed, findings } = await repairAll(copy)
    expect(fixed).toEqual([])
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      { area: 'federation', message: expect.stringContaining('is a copy: ') },
    ])
    expect(everythingIn(copy)).toEqual(own)
    expect(everythingIn(root)).toEqual(before)
  })

  test.each(['here', 'anywhere'])('is known where %s no record says where it lies', async (where) => {
    rmSync(federationLayout(copy).record)
    if (where === 'anywhere') rmSync(federationLayout(root).record)
    before = everythingIn(root)
    for (const args of [['pause', 'docs'], ['init'], ['monitor']])
      expect(await fed(copy, args)).toMatchObject({
        code: 5,
        stderr: expect.stringContaining(`${copy} is a copy: `),
      })
    await fedDone(copy, ['init', '--anew', '--yes'])
    expect(new Federation(copy).registry.read().teams).toEqual([])
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
      // the process that stands for a dead one lives, and so would its claim
      for (const name of readdirSync(federationLayout(target).fed))
        if (name.startsWith('.beginning-anew.')) rmSync(path.join(federationLayout(target).fed, name))
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

  test('begins anew where the original is not there', async () => {
    renameSync(root, beside(root, 'elsewhere'))
    await fedDone(copy, ['init', '--anew', '--yes'])
    await new Federation(copy).onboard({ domain: 'api', archetype: 'coding' })
    expect(await errorsIn(copy)).toEqual([])
  })

  test('begins anew once, however many do it at the same time', async () => {
    const { first, stride } = everyCall(3)
    for (let call = first, goesOn = true; goesOn; call += stride) {
      const target = beside(root, `shared-${call}`)
      copyAll(root, target)
      let other: ReturnType<typeof fed> | undefined
      const meanwhile = () => {
        other = fed(target, ['init', '--anew', '--yes'])
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
      }
      goesOn = await interrupted({ call, when: 'before', meanwhile }, async () => {
        try {
          beginAnew(target)
        } catch (error) {
          if (!(error instanceof UsageError)) throw error
        }
      })
      // whoever is late finds no copy
      expect((await other)?.stderr ?? '').toMatch(/^$|what came along is kept in|is no copy/)
      initialize(target)
      const [kept, ...more] = readdirSync(federationLayout(target).copied) as [string, ...string[]]
      expect(more).toEqual([])
      expect(readdirSync(path.join(federationLayout(target).copied, kept)).toSorted()).toEqual(
        readdirSync(path.join(root, '.fed'))
          .filter((name) => name !== 'federation.json')
          .toSorted(),
      )
      expect(await errorsIn(target)).toEqual([])
    }
    expect(everythingIn(root)).toEqual(before)
  })

  test('does not begin anew where its .fed is the original itself', async () => {
    const linked = newRepository()
    symlinkSync(path.join(root, '.fed'), path.join(linked, '.fed'))
    expect(await fed(linked, ['init', '--anew', '--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('.fed is a symbolic link'),
    })
    expect(everythingIn(root)).toEqual(before)
  })

  test.each([
    ['worktrees', () => path.dirname(worktreeOf(root))],
    ['one worktree', () => worktreeOf(root)],
  ])('begins anew without the original’s where links lead to %s', async (_what, place) => {
    rmSync(copy, { recursive: true })
    const outside = beside(root, 'outside')
    renameSync(place(), outside)
    symlinkSync(outside, place())
    git(root, 'worktree', 'repair', worktreeOf(root))
    copyAll(root, copy)
    before = new Map([...everythingIn(root), ...everythingIn(outside)])
    await fedDone(copy, ['init', '--anew', '--yes'])
    expect(new Map([...everythingIn(root), ...everythingIn(outside)])).toEqual(before)
    expect(git(worktreeOf(root), 'branch', '--show-current')).toBe('fed/api')
    const { actor } = await new Federation(copy).onboard({ domain: 'api', archetype: 'coding' })
    expect(actor.workspace).toBe(worktreeOf(copy))
  })

  test.each([
    ['has no hard links', { NODE_OPTIONS: `--require=${preload('no-hard-links.cjs')}` }, []],
    ['says something else already', {}, ['--description', 'Another']],
  ])('is as it was where what begins anew %s', async (_what, env, options) => {
    const own = everythingIn(copy)
    expect(await fed(copy, ['init', '--anew', '--yes', ...options], { env })).toMatchObject({ code: 2 })
    expect(everythingIn(copy)).toEqual(own)
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

// only root can give a folder to somebody else
test.runIf(process.getuid?.() === 0)('where nobody can look for the original, nothing is done', async () => {
  const copy = path.join(newFolder('other'), 'second')
  copyAll(root, copy)
  execFileSync('chown', ['-R', '65534:65534', copy])
  for (let dir = path.dirname(copy); dir.startsWith(os.tmpdir()); dir = path.dirname(dir))
    chmodSync(dir, statSync(dir).mode | 0o011)
  chmodSync(path.dirname(root), 0o700)
  const env = {
    NODE_OPTIONS: `--require=${preload('unprivileged.cjs')}`,
  }
  const { code, stderr } = await fed(copy, ['send', 'docs', '--type', 'report', '--subject', 'x'], { env })
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining('where nobody can look whether it is still there (EACCES'),
  ])
})
