// Proves that no command of fed's runs a program that somebody named to git after the federation was set up: in the
// repository's configuration, in what that includes, in a worktree's or a submodule's own, in attributes, hooks or the
// environment. Each way is shown to run its program by plain git in the same place. Fails when one of these programs
// runs, or when a command does not do its work because of it.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { branchWork } from '../../src/platform/git/branch-work.ts'
import { git } from '../../src/platform/git/git.ts'
import { broughtBy } from '../../src/platform/git/merge-proof.ts'
import { commitFile } from '../support/coding-team.ts'
import { newWalk, ranIn, touchAll, walk, type Step, type Walked } from '../support/every-git.ts'
import { agent, fed, fedDone, newFolder, type Ended } from '../support/fed.ts'
import { plainGit } from '../support/plain-git.ts'
import { marked, plain, programsIn, through } from '../support/ways-to-run-code.ts'
import { hasTerminals } from '../support/terminal.ts'

let walked: Walked
const { program, configure, ways } = programsIn(() => walked)

/** Of a commit, one like it with a signature. */
function signed(dir: string, commit: string): string {
  const text = plainGit(dir, 'cat-file', 'commit', commit)
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n'
  const { stdout } = spawnSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    cwd: dir,
    input: `${text.replace('\n\n', `\n${signature}\n`)}\n`,
    encoding: 'utf8',
  })
  return stdout.trim()
}

const files = ['cleaned', 'processed', 'smudged', 'attributed', 'lfs', 'included', 'conditional', 'own']

describe('named to git by', () => {
  const ranPlainly = new Map<string, readonly string[]>()
  let steps: Step[]
  let looks: readonly string[]

  beforeAll(async () => {
    const lines = (first: string, last: string) => `${first}\n${'line\n'.repeat(20)}${last}\n`
    walked = await newWalk({
      ...Object.fromEntries(files.map((file) => [`${file}.txt`, 'text\n'])),
      '.gitattributes':
        'attributed.txt filter=attributed\nconverted.txt diff=converted\n' +
        'compared.txt diff=compared\njoined.txt merge=joined\n',
      'converted.txt': 'before\n',
      'compared.txt': 'before\n',
      'joined.txt': lines('first', 'last'),
    })
    const { root, workspace } = walked
    commitFile(workspace, 'joined.txt', lines('first', 'of the team'))
    writeFileSync(path.join(workspace, 'converted.txt'), 'after\n')
    writeFileSync(path.join(workspace, 'compared.txt'), 'after\n')
    plainGit(workspace, 'commit', '--quiet', '--all', '--message', 'More')
    plainGit(workspace, 'update-ref', 'refs/heads/fed/api', signed(workspace, 'HEAD'))
    const main = plainGit(root, 'rev-parse', 'main')
    commitFile(root, 'joined.txt', lines('of main', 'last'))
    const ahead = plainGit(root, 'rev-parse', 'main')
    for (const { name, plant } of ways) plant(name)
    for (const { name, plain: use } of ways) {
      ranIn(walked)
      use(name)
      ranPlainly.set(name, ranIn(walked))
    }
    for (const ref of ['refs/planted']) git(root, 'update-ref', '-d', ref)
    if (!existsSync(path.join(workspace, 'smudged.txt'))) git(workspace, 'checkout-index', 'smudged.txt')
    touchAll(walked)
    ranIn(walked)
    // what the page shows, and a merge that is tried
    const question = { heads: ['refs/heads/fed/api'], target: 'refs/heads/main', start: main, before: main }
    const work = await branchWork(root, question)
    const brought = broughtBy(root, 'fed/api', ahead)
    looks = ranIn(walked)
    expect(work?.patch).toContain('+after')
    expect(brought).toContain('src/app.ts')
    git(root, 'reset', '--quiet', '--soft', main)
    git(root, 'checkout', '--quiet', 'HEAD', '--', 'joined.txt')
    ranIn(walked)
    const env = Object.assign({}, ...ways.map((way) => way.env?.(way.name) ?? {})) as Record<string, string>
    steps = await walk(walked, { env })
  })

  test.each(ways.map(({ name }) => name))(
    '%s, a program runs by plain git and by no command of fed’s',
    (name) => {
      if (hasTerminals || !/pager/i.test(name)) expect(ranPlainly.get(name)).toContain(marked(name))
      expect(looks).not.toContain(marked(name))
      const ran = steps.filter((step) => step.ran.includes(marked(name))).map(({ command }) => command)
      expect(ran).toEqual([])
    },
  )

  test('any of these ways, no program runs, and each command does its work', () => {
    expect(looks).toEqual([])
    expect(steps.flatMap(({ command, ran }) => ran.map((one) => `${command}: ${one}`))).toEqual([])
    const others = steps.filter(({ code, expected }) => code !== expected)
    expect(others).toMatchObject([{ command: 'doctor', code: 1 }])
    expect(others[0]?.stdout).toContain('names the filter cleaned, which fed')
  })
})

/** What commands of fed's end with, by their first words; none of them runs a planted program. */
async function given(...commands: readonly (readonly string[])[]): Promise<Ended[]> {
  const ended: Ended[] = []
  for (const command of commands) {
    touchAll(walked)
    ranIn(walked)
    ended.push(await fed(walked.root, command))
    expect([command, ranIn(walked)]).toEqual([command, []])
  }
  return ended
}

const committed = ['report', 'changes-committed', '--team', 'api']

describe('a worktree’s .git that leads to a repository of somebody else’s', () => {
  test.each(['a file', 'a folder'])('as %s runs nothing, and its work counts for nothing', async (kind) => {
    walked = await newWalk()
    const { root, workspace } = walked
    const foreign = path.join(newFolder('foreign'), 'shop')
    plainGit(root, 'clone', '--quiet', root, foreign)
    plainGit(foreign, 'config', 'core.fsmonitor', program('foreign'))
    const file = path.join(workspace, '.git')
    rmSync(file)
    if (kind === 'a file') writeFileSync(file, `gitdir: ${path.join(foreign, '.git')}\n`)
    else cpSync(path.join(foreign, '.git'), file, { recursive: true })
    plain(workspace, ['status'])
    expect(ranIn(walked)).toEqual(['foreign'])

    const [status, report, doctor, launch, , offboard] = await given(
      ['status', 'api'],
      committed,
      ['doctor'],
      [
        'launch',
        '--team',
        'api',
        '--max-sessions',
        '1',
        '--confinement',
        'auto',
        '--agent',
        agent('crashing'),
      ],
      ['archive', 'api'],
      ['offboard', 'api'],
    )
    expect(status?.code).toBe(0)
    expect(report).toMatchObject({ code: 5, stderr: expect.stringContaining('git knows no commit there') })
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('its .git leads to') })
    expect(launch?.stderr).toContain('its .git leads to')
    expect(offboard).toMatchObject({ code: 0, stdout: expect.stringContaining('refs/fed/rescue/api/1') })
  })
})

test('a submodule with a configuration of its own runs nothing, and what is uncommitted in it counts', async () => {
  walked = await newWalk()
  const { workspace } = walked
  const inner = path.join(workspace, 'inner')
  mkdirSync(inner)
  plainGit(inner, 'init', '--quiet', '--initial-branch=main')
  for (const [key, value] of [
    ['user.name', 'A'],
    ['user.email', 'a@example.org'],
  ] as const)
    plainGit(inner, 'config', key, value)
  const kept = commitFile(inner, 'inner.txt', 'text\n')
  writeFileSync(
    path.join(workspace, '.gitmodules'),
    `[submodule "inner"]\n\tpath = inner\n\turl = ${inner}\n`,
  )
  plainGit(workspace, '-c', 'advice.addEmbeddedRepo=false', 'add', '--all')
  plainGit(workspace, 'commit', '--quiet', '--message', 'A submodule')
  commitFile(inner, 'more.txt', 'text\n')
  configure(`[submodule "inner"]\n\turl = ${inner}\n\tupdate = !${program('update', 'exit 0')}`)
  plainGit(inner, 'config', 'core.fsmonitor', program('monitor'))
  plainGit(inner, 'config', 'filter.inner.clean', program('filter', through))
  writeFileSync(path.join(inner, '.git', 'info', 'attributes'), '* filter=inner\n')
  plain(workspace, ['submodule', 'update'])
  touchInner()
  plain(workspace, ['status'])
  expect(ranIn(walked)).toEqual(['filter', 'monitor', 'update'])

  const looks: readonly (readonly string[])[] = [['status', 'api'], committed, ['doctor']]
  touchInner()
  const [, ahead] = await given(...looks)
  expect(ahead).toMatchObject({ code: 5, stderr: expect.stringContaining('inner') })
  plainGit(inner, 'checkout', '--quiet', kept)
  writeFileSync(path.join(inner, 'inner.txt'), 'other text\n')
  const [, uncommitted] = await given(...looks)
  expect(uncommitted).toMatchObject({ code: 5, stderr: expect.stringContaining('inner') })
  writeFileSync(path.join(inner, 'inner.txt'), 'text\n')
  touchInner()
  const [, clean] = await given(...looks, ['archive', 'api'], ['offboard', 'api'])
  expect(clean?.code).toBe(0)

  function touchInner(): void {
    const now = new Date()
    utimesSync(path.join(inner, 'inner.txt'), now, now)
  }
})

test.each([
  ['another work tree', () => `[core]\n\tworktree = ${newFolder('elsewhere')}`],
  ['none', () => '[core]\n\tbare = true'],
])('a configuration that says that the repository has %s changes nothing', async (_what, text) => {
  walked = await newWalk()
  const { root } = walked
  configure(text())
  const asked = spawnSync('git', ['rev-parse', '--show-toplevel'], { cwd: root, encoding: 'utf8' })
  expect(asked.stdout.trim()).not.toBe(root)
  const ended = await given(['status'], committed, ['doctor'], ['onboard', 'more', '--archetype', 'coding'])
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  await fedDone(root, ['launch', '--team', 'docs', '--max-sessions', '1', '--confinement', 'off'])
})
