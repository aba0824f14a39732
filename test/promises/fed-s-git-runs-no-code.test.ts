// Proves that no command of fed's runs a program that somebody named to git after the federation was set up: in the
// repository's configuration, in what that includes, in a worktree's or a submodule's own, in attributes, hooks or the
// environment. Each way is shown to run its program by plain git in the same place. Fails when one of these programs
// runs, or when a command does not do its work because of it.
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { branchWork } from '../../src/platform/git/branch-work.ts'
import { git } from '../../src/platform/git/git.ts'
import { broughtBy } from '../../src/platform/git/merge-proof.ts'
import { commitFile } from '../support/coding-team.ts'
import { newWalk, ranIn, touchAll, walk, type Step, type Walked } from '../support/every-git.ts'
import { fed, fedDone, newFolder, type Ended } from '../support/fed.ts'
import { plainGit } from '../support/plain-git.ts'
import { hasTerminals } from '../support/terminal.ts'

const programs = newFolder('programs')
let walked: Walked

/** A program that leaves a mark of its name. */
function program(name: string, rest = 'exit 1'): string {
  const file = path.join(programs, name.replaceAll(/\W+/g, '-'))
  writeFileSync(file, `#!/bin/sh\ntouch '${path.join(walked.marks, path.basename(file))}'\n${rest}\n`)
  chmodSync(file, 0o755)
  return file
}

const marked = (name: string) => name.replaceAll(/\W+/g, '-')
const common = () => path.join(walked.root, '.git')
const configure = (text: string) => appendFileSync(path.join(common(), 'config'), `${text}\n`)
const through = 'exec cat'

/** Plain git, whatever it ends with. */
function plain(
  cwd: string,
  args: readonly string[],
  { input = '', env = {} }: { readonly input?: string; readonly env?: Record<string, string> } = {},
): void {
  spawnSync('git', args, { cwd, input, env: { ...process.env, GIT_TERMINAL_PROMPT: '0', ...env } })
}

interface Way {
  readonly name: string
  /** Names the program where git finds it. */
  readonly plant: (name: string) => void
  /** A use of plain git that runs it. */
  readonly plain: (name: string) => void
  readonly env?: (name: string) => Record<string, string>
}

/** Settings of the repository's configuration; in `text` the percent sign stands for the program. */
function setting(name: string, text: string, use: () => void, rest?: string): Way {
  return { name, plant: () => configure(text.replaceAll('%', program(name, rest))), plain: use }
}

/** A filter of a file `<file>.txt`, and a look of git's that takes the file in. */
function cleaning(name: string, plant: (name: string) => void, file: string): Way {
  return {
    name,
    plant: (which) => {
      plant(which)
      appendFileSync(path.join(common(), 'info', 'attributes'), `${file}.txt filter=${file}\n`)
    },
    plain: () => {
      touchAll(walked)
      plain(walked.workspace, ['status', '--porcelain'])
    },
  }
}

function variable(name: string, use: (env: Record<string, string>) => void): Way {
  const env = (which: string) => ({ [name]: program(which) })
  return { name, plant: () => undefined, plain: (which) => use(env(which)), env }
}

const filterText = (file: string, part: string, name: string) =>
  `[filter "${file}"]\n\t${part} = ${program(name, part === 'process' ? 'exit 1' : through)}`
const inRoot = (...args: string[]) => plain(walked.root, args)
const inTree = (...args: string[]) => plain(walked.workspace, args)
const credential = { input: 'protocol=https\nhost=code.example\n\n' }
const range = ['HEAD~1', 'HEAD', '--']

const ways: readonly Way[] = [
  setting('core.fsmonitor', '[core]\n\tfsmonitor = %', () => inRoot('status')),
  {
    name: 'a hook',
    plant: (name) => {
      const hooks = path.join(common(), 'hooks')
      mkdirSync(hooks, { recursive: true })
      for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction'])
        cpSync(program(name, 'exit 0'), path.join(hooks, hook))
    },
    plain: () => inRoot('update-ref', 'refs/planted', 'HEAD'),
  },
  {
    name: 'the hook of a collection of garbage',
    plant: (name) => {
      cpSync(program(name), path.join(common(), 'hooks', 'pre-auto-gc'))
      configure('[gc]\n\tauto = 1')
      // git counts the names in this folder
      for (const digit of ['0', '1', '2']) {
        mkdirSync(path.join(common(), 'objects', '17'), { recursive: true })
        writeFileSync(path.join(common(), 'objects', '17', digit.repeat(38)), '')
      }
    },
    plain: () => inRoot('gc', '--auto'),
  },
  {
    name: 'core.hooksPath of a worktree',
    plant: (name) => {
      const hooks = newFolder('hooks')
      for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction'])
        cpSync(program(name, 'exit 0'), path.join(hooks, hook))
      configure('[extensions]\n\tworktreeConfig = true')
      const own = path.join(common(), 'worktrees', 'api', 'config.worktree')
      appendFileSync(own, `[core]\n\thooksPath = ${hooks}\n`)
    },
    plain: () => inTree('update-ref', 'refs/planted', 'HEAD'),
  },
  setting('diff.external', '[diff]\n\texternal = %', () => inTree('diff', ...range, 'converted.txt')),
  variable('GIT_EXTERNAL_DIFF', (env) =>
    plain(walked.workspace, ['diff', ...range, 'converted.txt'], { env }),
  ),
  {
    ...setting('diff.<driver>.textconv', '[diff "converted"]\n\ttextconv = %', () =>
      inTree('diff', '--no-ext-diff', ...range, 'converted.txt'),
    ),
  },
  setting('diff.<driver>.command', '[diff "compared"]\n\tcommand = %', () =>
    inTree('diff', ...range, 'compared.txt'),
  ),
  cleaning('filter.<filter>.clean', (name) => configure(filterText('cleaned', 'clean', name)), 'cleaned'),
  cleaning(
    'filter.<filter>.process',
    (name) => configure(filterText('processed', 'process', name)),
    'processed',
  ),
  {
    name: 'filter.<filter>.smudge',
    plant: (name) => {
      configure(filterText('smudged', 'smudge', name))
      appendFileSync(path.join(common(), 'info', 'attributes'), 'smudged.txt filter=smudged\n')
    },
    plain: () => {
      rmSync(path.join(walked.workspace, 'smudged.txt'))
      inTree('checkout-index', 'smudged.txt')
    },
  },
  {
    name: 'a filter that the worktree’s own .gitattributes uses',
    plant: (name) => configure(filterText('attributed', 'clean', name)),
    plain: () => {
      touchAll(walked)
      inTree('status')
    },
  },
  cleaning(
    'a filter under the name of Git LFS',
    (name) => configure(filterText('lfs', 'clean', name)),
    'lfs',
  ),
  cleaning(
    'include.path',
    (name) => {
      const file = path.join(programs, 'included.config')
      writeFileSync(file, filterText('included', 'clean', name))
      configure(`[include]\n\tpath = ${file}`)
    },
    'included',
  ),
  cleaning(
    'includeIf',
    (name) => {
      const file = path.join(programs, 'conditional.config')
      writeFileSync(file, filterText('conditional', 'clean', name))
      configure(`[includeIf "onbranch:fed/**"]\n\tpath = ${file}`)
    },
    'conditional',
  ),
  cleaning(
    'extensions.worktreeConfig',
    (name) =>
      appendFileSync(
        path.join(common(), 'worktrees', 'api', 'config.worktree'),
        `${filterText('own', 'clean', name)}\n`,
      ),
    'own',
  ),
  setting('merge.<driver>.driver', '[merge "joined"]\n\tdriver = %', () =>
    inRoot('merge-tree', '--write-tree', 'main', 'fed/api'),
  ),
  setting('alias.<name>', '[alias]\n\tplanted = !%', () => inRoot('planted')),
  setting('core.pager', '[core]\n\tpager = %', () => atTerminal('branch'), through),
  setting('pager.<command>', '[pager]\n\tlog = %', () => atTerminal('log'), through),
  variable('GIT_PAGER', (env) => atTerminal('log', env)),
  setting('core.editor', '[core]\n\teditor = %', () => inRoot('config', '--edit')),
  variable('GIT_EDITOR', (env) => plain(walked.root, ['config', '--edit'], { env })),
  setting('credential.helper', '[credential]\n\thelper = %', () =>
    plain(walked.root, ['credential', 'fill'], credential),
  ),
  setting('core.askPass', '[core]\n\taskPass = %', () =>
    plain(walked.root, ['credential', 'fill'], credential),
  ),
  variable('GIT_ASKPASS', (env) => plain(walked.root, ['credential', 'fill'], { ...credential, env })),
  setting(
    'ext::',
    '[protocol "ext"]\n\tallow = always\n[remote "ext"]\n\turl = "ext::% %%S"\n\tpromisor = true\n',
    () => inRoot('ls-remote', 'ext'),
  ),
  setting(
    'core.sshCommand',
    '[core]\n\tsshCommand = %\n[remote "ssh"]\n\turl = ssh://code.example/shop\n\tpromisor = true\n',
    () => inRoot('ls-remote', 'ssh'),
  ),
  variable('GIT_SSH_COMMAND', (env) => plain(walked.root, ['ls-remote', 'ssh'], { env })),
  setting(
    'core.gitProxy',
    '[core]\n\tgitProxy = %\n[remote "proxied"]\n\turl = git://code.example/shop\n\tpromisor = true\n',
    () => inRoot('ls-remote', 'proxied'),
  ),
  {
    name: 'remote.<remote>.uploadpack',
    plant: (name) =>
      configure(
        `[remote "packed"]\n\turl = ${walked.root}\n\tuploadpack = ${program(name)}\n\tpromisor = true`,
      ),
    plain: () => inRoot('ls-remote', 'packed'),
  },
  {
    name: 'an object that only a remote has',
    plant: (name) => {
      configure(
        `[protocol "ext"]\n\tallow = always\n[remote "promised"]\n\turl = "ext::${program(name)} %S"\n\tpromisor = true`,
      )
      const blob = plainGit(walked.root, 'rev-parse', 'HEAD~2:old.txt')
      rmSync(path.join(common(), 'objects', blob.slice(0, 2), blob.slice(2)))
    },
    plain: () => inRoot('log', '--patch', 'main', '--', 'old.txt'),
  },
  {
    name: 'gpg.program for log.showSignature',
    plant: (name) => configure(`[gpg]\n\tprogram = ${program(name)}\n[log]\n\tshowSignature = true`),
    plain: () => inRoot('log', '-1', 'fed/api'),
  },
  {
    name: 'gpg.program for commit.gpgSign and tag.gpgSign',
    plant: (name) =>
      configure(
        `[commit]\n\tgpgSign = true\n[tag]\n\tgpgSign = true\n[gpg]\n\tformat = x509\n[gpg "x509"]\n\tprogram = ${program(name)}`,
      ),
    plain: () => inRoot('tag', '--message', 'Signed', 'planted'),
  },
  {
    name: 'core.alternateRefsCommand',
    plant: (name) => {
      const other = path.join(newFolder('other'), '.git')
      plainGit(path.dirname(other), 'init', '--quiet')
      configure(`[core]\n\talternateRefsCommand = ${program(name)}`)
      writeFileSync(path.join(common(), 'objects', 'info', 'alternates'), `${path.join(other, 'objects')}\n`)
    },
    plain: () => inRoot('rev-list', '--alternate-refs', '--max-count=1', 'HEAD'),
  },
  setting('trailer.<name>.command', '[trailer "planted"]\n\tkey = Planted\n\tcommand = %', () =>
    plain(walked.root, ['interpret-trailers', '--trailer', 'planted=1'], { input: 'A message\n' }),
  ),
]

/** git with a terminal, for which alone it starts a pager. */
function atTerminal(command: string, env: Record<string, string> = {}): void {
  spawnSync('script', ['-qefc', `git ${command} -1 2>/dev/null || git ${command}`, '/dev/null'], {
    cwd: walked.root,
    env: { ...process.env, TERM: 'xterm', SHELL: '/bin/sh', ...env },
  })
}

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

    const [status, report, doctor, , offboard] = await given(
      ['status', 'api'],
      committed,
      ['doctor'],
      ['archive', 'api'],
      ['offboard', 'api'],
    )
    expect(status?.code).toBe(0)
    expect(report).toMatchObject({ code: 5, stderr: expect.stringContaining('git knows no commit there') })
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('its .git leads to') })
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
  await fedDone(root, ['launch', '--team', 'docs', '--max-sessions', '1', '--sandbox', 'off'])
})
