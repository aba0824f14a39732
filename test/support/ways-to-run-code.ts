import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { touchAll, type Walked } from './every-git.ts'
import { newFolder } from './fed.ts'
import { plainGit } from './plain-git.ts'

/** A way in which git is told of a program that it runs. */
interface Way {
  readonly name: string
  /** Names the program where git finds it. */
  readonly plant: (name: string) => void
  /** A use of plain git that runs it. */
  readonly plain: (name: string) => void
  readonly env?: (name: string) => Record<string, string>
}

/** Plain git, whatever it ends with. */
export function plain(
  cwd: string,
  args: readonly string[],
  { input = '', env = {} }: { readonly input?: string; readonly env?: Record<string, string> } = {},
): void {
  spawnSync('git', args, { cwd, input, env: { ...process.env, GIT_TERMINAL_PROMPT: '0', ...env } })
}

/** The name under which a program leaves its mark. */
export const marked = (name: string) => name.replaceAll(/\W+/g, '-')

/** A filter's end: what comes is what goes. */
export const through = 'exec cat'

/** Programs that leave marks, and every way in which one is named to git, in the place that `walked` gives when they are planted. */
export function programsIn(walked: () => Walked) {
  const programs = newFolder('programs')

  /** A program that leaves a mark of its name. */
  function program(name: string, rest = 'exit 1'): string {
    const file = path.join(programs, name.replaceAll(/\W+/g, '-'))
    writeFileSync(file, `#!/bin/sh\ntouch '${path.join(walked().marks, path.basename(file))}'\n${rest}\n`)
    chmodSync(file, 0o755)
    return file
  }

  const common = () => path.join(walked().root, '.git')
  const configure = (text: string) => appendFileSync(path.join(common(), 'config'), `${text}\n`)

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
        touchAll(walked())
        plain(walked().workspace, ['status', '--porcelain'])
      },
    }
  }

  /** A filter that a file names, which the repository's configuration includes. */
  function including(name: string, file: string, section: string): Way {
    const plant = (which: string) => {
      const included = path.join(programs, `${file}.config`)
      writeFileSync(included, filterText(file, 'clean', which))
      configure(`${section}\n\tpath = ${included}`)
    }
    return cleaning(name, plant, file)
  }

  function variable(name: string, use: (env: Record<string, string>) => void): Way {
    const env = (which: string) => ({ [name]: program(which) })
    return { name, plant: () => undefined, plain: (which) => use(env(which)), env }
  }

  const filterText = (file: string, part: string, name: string) =>
    `[filter "${file}"]\n\t${part} = ${program(name, part === 'process' ? 'exit 1' : through)}`
  const inRoot = (...args: string[]) => plain(walked().root, args)
  const inTree = (...args: string[]) => plain(walked().workspace, args)
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
      plain(walked().workspace, ['diff', ...range, 'converted.txt'], { env }),
    ),
    setting('diff.<driver>.textconv', '[diff "converted"]\n\ttextconv = %', () =>
      inTree('diff', '--no-ext-diff', ...range, 'converted.txt'),
    ),
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
        rmSync(path.join(walked().workspace, 'smudged.txt'))
        inTree('checkout-index', 'smudged.txt')
      },
    },
    {
      name: 'a filter that the worktree’s own .gitattributes uses',
      plant: (name) => configure(filterText('attributed', 'clean', name)),
      plain: () => {
        touchAll(walked())
        inTree('status')
      },
    },
    cleaning(
      'a filter under the name of Git LFS',
      (name) => configure(filterText('lfs', 'clean', name)),
      'lfs',
    ),
    including('include.path', 'included', '[include]'),
    including('includeIf', 'conditional', '[includeIf "onbranch:fed/**"]'),
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
    variable('GIT_EDITOR', (env) => plain(walked().root, ['config', '--edit'], { env })),
    setting('credential.helper', '[credential]\n\thelper = %', () =>
      plain(walked().root, ['credential', 'fill'], credential),
    ),
    setting('core.askPass', '[core]\n\taskPass = %', () =>
      plain(walked().root, ['credential', 'fill'], credential),
    ),
    variable('GIT_ASKPASS', (env) => plain(walked().root, ['credential', 'fill'], { ...credential, env })),
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
    variable('GIT_SSH_COMMAND', (env) => plain(walked().root, ['ls-remote', 'ssh'], { env })),
    setting(
      'core.gitProxy',
      '[core]\n\tgitProxy = %\n[remote "proxied"]\n\turl = git://code.example/shop\n\tpromisor = true\n',
      () => inRoot('ls-remote', 'proxied'),
    ),
    {
      name: 'remote.<remote>.uploadpack',
      plant: (name) =>
        configure(
          `[remote "packed"]\n\turl = ${walked().root}\n\tuploadpack = ${program(name)}\n\tpromisor = true`,
        ),
      plain: () => inRoot('ls-remote', 'packed'),
    },
    {
      name: 'an object that only a remote has',
      plant: (name) => {
        configure(
          `[protocol "ext"]\n\tallow = always\n[remote "promised"]\n\turl = "ext::${program(name)} %S"\n\tpromisor = true`,
        )
        const blob = plainGit(walked().root, 'rev-parse', 'HEAD~2:old.txt')
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
        writeFileSync(
          path.join(common(), 'objects', 'info', 'alternates'),
          `${path.join(other, 'objects')}\n`,
        )
      },
      plain: () => inRoot('rev-list', '--alternate-refs', '--max-count=1', 'HEAD'),
    },
    setting('trailer.<name>.command', '[trailer "planted"]\n\tkey = Planted\n\tcommand = %', () =>
      plain(walked().root, ['interpret-trailers', '--trailer', 'planted=1'], { input: 'A message\n' }),
    ),
  ]

  /** git with a terminal, for which alone it starts a pager. */
  function atTerminal(command: string, env: Record<string, string> = {}): void {
    spawnSync('script', ['-qefc', `git ${command} -1 2>/dev/null || git ${command}`, '/dev/null'], {
      cwd: walked().root,
      env: { ...process.env, TERM: 'xterm', SHELL: '/bin/sh', ...env },
    })
  }

  return { program, configure, ways }
}
