// Proves that where the federation configures checks, tests count as passed only when fed itself ran all of them,
// as the root's configuration defines them now, on a fresh checkout of this very commit. It fails when another
// command, another definition, another commit, what lies in the agent's worktree, or a signal by hand passes.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import { checkoutsIn, commitFiles, configure, nodeCommand } from '../../support/checks.ts'
import { codingTeam } from '../../support/coding-team.ts'
import { fed, fedDone, fedJson, newFolder, systemPath } from '../../support/fed.ts'

let root: string
let workspace: string
let temporary: string

beforeEach(async () => {
  ;({ root, workspace } = await codingTeam())
  temporary = newFolder('temporary')
})

const head = () => git(workspace, 'rev-parse', 'HEAD')
const short = (commit: string) => commit.slice(0, 12)
const report = ['report', 'tests-passed', '--team', 'api']
const settings = () => ({ env: { TMPDIR: temporary } })
const passing = (...more: string[]) => fedDone(root, [...report, ...more], settings())
const logs = () => path.join(root, '.fed', 'checks', 'api', head())
const checkouts = () => checkoutsIn(temporary)

interface Status {
  readonly state: string
  readonly checks: {
    readonly commit: string
    readonly configured: readonly {
      readonly name: string
      readonly result: { readonly passed: boolean } | null
    }[]
    readonly unpinned: { readonly command: string } | null
  }
}
const status = () => fedJson<Status>(root, ['status', 'api'])

async function refusal(...more: string[]): Promise<string> {
  const { code, stdout, stderr } = await fed(root, [...report, '--quiet', ...more], settings())
  expect([code, stdout]).toEqual([5, ''])
  expect(stderr).toMatch(/^fed: [^\n]+\n$/)
  return stderr
}

test('all of them are run on a fresh checkout, told as they begin, and recorded under the root', async () => {
  const look = nodeCommand(`import { execFileSync } from 'node:child_process'
    import { readFileSync } from 'node:fs'
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
    const acting = Object.keys(process.env).filter((name) => /^FED_(TEAM|ROOT|WORKSPACE)$/.test(name))
    console.log(JSON.stringify([process.cwd(), commit, readFileSync('src/app.ts', 'utf8'), acting]))`)
  configure(root, {
    checks: [
      { name: 'look', run: look },
      { name: 'unit', run: nodeCommand('') },
    ],
  })
  const { code, stderr } = await fed(root, report, { env: { TMPDIR: temporary, FED_TEAM: 'api' } })
  expect(code).toBe(0)
  expect(stderr).toMatch(/^· look: .*\n\[.*\]\n· unit: .*\n$/)
  const [cwd, commit, text, acting] = JSON.parse(readFileSync(path.join(logs(), 'look.1.log'), 'utf8'))
  expect([commit, text, acting]).toEqual([head(), 'export const answer = 43\n', []])
  expect(path.dirname(path.dirname(cwd as string))).toBe(temporary)
  expect(checkouts()).toEqual([])
  expect(JSON.parse(readFileSync(path.join(logs(), 'unit.1.json'), 'utf8'))).toMatchObject({
    passed: true,
    exitCode: 0,
    commit: head(),
  })
  expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(2)
  await fedDone(root, ['report', 'pr-opened', '--team', 'api'])
  expect((await status()).state).toBe('pr-open')
})

test('a program that lies ignored in the agent’s worktree takes no part', async () => {
  const files = {
    'src/app.js': 'syntax error(\n',
    'package.json': JSON.stringify({ name: 'app', version: '1.0.0', scripts: { test: 'check' } }),
    'tool/package.json': JSON.stringify({ name: 'tool', version: '1.0.0', bin: { check: 'check.js' } }),
    'tool/check.js':
      "#!/usr/bin/env node\nrequire('child_process').execFileSync(process.execPath, ['--check', 'src/app.js'])\n",
    '.gitignore': 'node_modules\n',
  }
  commitFiles(workspace, files)
  const bin = path.join(workspace, 'node_modules', '.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(path.join(bin, 'check'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  // where nothing is configured that is enough
  await passing('--run', 'npm test')
  expect(await fedDone(root, ['history', 'api'])).toContain("unpinned check: 'npm test' exited 0")
  configure(root, {
    checks: [{ name: 'unit', run: 'npm test' }],
    setup: {
      run: nodeCommand(
        "import { mkdirSync, symlinkSync } from 'node:fs'\nmkdirSync('node_modules/.bin', { recursive: true })\nsymlinkSync('../../tool/check.js', 'node_modules/.bin/check')",
      ),
    },
  })
  expect(await refusal()).toContain("check unit ('npm test') exited 1 on")
  commitFiles(workspace, { 'src/app.js': 'let correct\n' })
  await passing()
})

describe('is refused', () => {
  test('after one of them failed, with its exit code and where its output is; the others ran', async () => {
    const failing = nodeCommand("console.log('expected 42'); process.exit(3)")
    configure(root, {
      checks: [
        { name: 'lint', run: failing },
        { name: 'unit', run: nodeCommand('') },
      ],
    })
    const log = path.join(logs(), 'lint.1.log')
    expect(await refusal()).toContain(
      `(check lint ('${failing}') exited 3 on ${short(head())}; its output is in ${log})`,
    )
    expect(readFileSync(log, 'utf8')).toBe('expected 42\n')
    expect((await status()).checks.configured.map(({ result }) => result?.passed)).toEqual([false, true])
  })

  test('a signal by hand while results are missing, with the command that runs them', async () => {
    const mark = path.join(newFolder('mark'), 'ran')
    configure(root, {
      checks: [
        {
          name: 'unit',
          run: nodeCommand(`import { appendFileSync } from 'node:fs'\nappendFileSync('${mark}', '.')`),
        },
      ],
    })
    const { code, stderr } = await fed(root, [
      ...['send', 'api', '--type', 'report', '--subject', 'tests-passed', '--from', 'api', '--body', ''],
    ])
    expect([code, stderr]).toEqual([0, ''])
    await fed(root, ['monitor'])
    const history = await fedDone(root, ['history', 'api'])
    expect(history).toContain('did not run on')
    expect(history).toContain("'fed report tests-passed --team api' runs it")
    expect(existsSync(mark)).toBe(false)
    await passing()
    // by hand it counts once the results are there, and nothing is run again
    await fedDone(root, [
      'send',
      'api',
      '--type',
      'report',
      '--subject',
      'tests-passed',
      '--from',
      'api',
      '--body',
      'again',
    ])
    await passing()
    expect(readFileSync(mark, 'utf8')).toBe('.')
  })

  test('a command of the agent’s own beside them', async () => {
    configure(root, { checks: [{ name: 'unit', run: nodeCommand('process.exit(1)') }] })
    expect(await fed(root, [...report, '--run', 'true'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--run counts nothing here: the federation'),
    })
    expect(existsSync(path.join(workspace, '.fed', 'test-runs.jsonl'))).toBe(false)
  })

  test('what passed by another definition, another setup, or on another commit', async () => {
    const unit = { name: 'unit', run: nodeCommand('') }
    configure(root, { checks: [unit] })
    await passing()
    let count = 0
    const byHand = async () => {
      const args = ['send', 'api', '--type', 'report', '--subject', 'tests-passed', '--from', 'api']
      await fedDone(root, [...args, '--body', `${(count += 1)}`])
      await fed(root, ['monitor'])
      return (await fedDone(root, ['history', 'api'])).trimEnd().split('\n').at(-1)
    }
    expect(await byHand()).toContain('checks passed on')
    configure(root, { checks: [{ ...unit, timeout: '9m' }] })
    expect(await byHand()).toContain('did not run on')
    configure(root, { checks: [unit], setup: { run: 'true' } })
    expect(await byHand()).toContain('did not run on')
    configure(root, { checks: [{ ...unit, protects: ['test/**'] }], setup: undefined })
    expect(await byHand()).toContain('checks passed on')
    commitFiles(workspace, { 'later.ts': '' })
    expect(await byHand()).toContain('did not run on')
  })

  test('by what the worktree’s copy of the configuration says', async () => {
    configure(root, { checks: [{ name: 'unit', run: nodeCommand('process.exit(1)') }] })
    commitFiles(workspace, {
      'federate.config.json': JSON.stringify({ checks: [{ name: 'unit', run: 'true' }] }),
    })
    expect((await fed(workspace, [...report, '--quiet'], settings())).code).toBe(5)
  })

  test('where its program is not there, on the PATH or in the commit', async () => {
    configure(root, {
      checks: [
        { name: 'unit', run: 'no-such-program' },
        { name: 'own', run: './check.sh' },
      ],
    })
    const words = await refusal()
    expect(words).toContain("could not begin: there is no program 'no-such-program' on the PATH")
    expect(words).toContain("could not begin: there is no program './check.sh' in the commit")
  })

  test('by a program that lies in the federation’s own folder, though the PATH of whoever reports names it', async () => {
    const bin = path.join(workspace, '.fed', 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(path.join(bin, 'planted'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    configure(root, { checks: [{ name: 'unit', run: 'planted' }] })
    const env = { ...settings().env, PATH: [bin, systemPath].join(path.delimiter) }
    expect((await fed(root, report, { env })).stderr).toContain("there is no program 'planted' on the PATH")
  })

  test('while temporary files lie in the repository, whose own packages a check would find', async () => {
    configure(root, { checks: [{ name: 'unit', run: nodeCommand('') }] })
    for (const dir of [path.join(workspace, 'node_modules'), path.join(root, 'tmp')]) {
      mkdirSync(dir)
      const { code, stderr } = await fed(root, report, { env: { TMPDIR: dir } })
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('inside of the repository; checks need a folder'),
      ])
      expect(readdirSync(dir)).toEqual([])
    }
    expect((await status()).state).not.toBe('testing-passed')
  })

  test('by what changes how a program runs in the environment of whoever reports', async () => {
    const run = nodeCommand(
      'process.exit(process.env.MAKEFLAGS || process.env.BASH_ENV || process.env.GIT_CONFIG_COUNT ? 0 : 3)',
    )
    configure(root, { checks: [{ name: 'make', run }] })
    const env = { TMPDIR: temporary, MAKEFLAGS: 'n', BASH_ENV: '/dev/null', GIT_CONFIG_COUNT: '0' }
    expect(await fed(root, report, { env })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('exited 3 on'),
    })
  })

  test('with something uncommitted, and nothing is run', async () => {
    configure(root, { checks: [{ name: 'unit', run: 'true' }] })
    writeFileSync(path.join(workspace, 'new.ts'), '')
    expect(await refusal()).toContain('nothing is uncommitted (new.ts)')
    expect(existsSync(path.join(root, '.fed', 'checks'))).toBe(false)
  })
})

test('what did not pass is run again when it is reported again, what passed is not', async () => {
  const trace = path.join(newFolder('trace'), 'trace')
  const tracing = (name: string, more = '') =>
    nodeCommand(
      `import { appendFileSync, existsSync } from 'node:fs'\nappendFileSync('${trace}', '${name} ')\n${more}`,
    )
  const flag = path.join(newFolder('flag'), 'up')
  configure(root, {
    checks: [
      { name: 'lint', run: tracing('lint') },
      { name: 'unit', run: tracing('unit', `process.exitCode = existsSync('${flag}') ? 0 : 1`) },
    ],
  })
  await refusal()
  writeFileSync(flag, '')
  await passing()
  expect(readFileSync(trace, 'utf8')).toBe('lint unit unit ')
})

test('status, history and the report to meta name what proved the work, or that it is unpinned', async () => {
  configure(root, {
    checks: [
      { name: 'unit', run: 'true', protects: ['test/**'] },
      { name: 'lint', run: 'true' },
    ],
  })
  expect(await fedDone(root, ['status', 'api'])).toContain(
    `  unit ('true'): not run on ${short(head())}, protects test/**\n`,
  )
  await passing()
  expect(await fedDone(root, ['status', 'api'])).toContain(
    `  unit ('true'): passed on ${short(head())}, open (confinement is off), protects test/**; output in ${logs()}`,
  )
  expect((await status()).checks).toMatchObject({ unpinned: null, commit: head() })
  expect(await fedDone(root, ['history', 'api'])).toContain(`checks passed on ${short(head())}: unit, lint`)
  await fedDone(root, ['report', 'pr-opened', '--team', 'api', '--body', 'https://code.example/1'])
  const inbox = path.join(root, '.fed', 'signals', 'inbox')
  const [file] = readdirSync(inbox).filter((name) => /testing-to-pr-open\.json$/.test(name))
  const { body } = JSON.parse(readFileSync(path.join(inbox, file ?? ''), 'utf8')) as { body: string }
  expect(body).toContain(`https://code.example/1\n\nchecks passed on ${short(head())}: unit, lint`)
})

test('an unpinned check is named as such, wherever it is told', async () => {
  await passing('--run', 'true')
  expect((await status()).checks).toMatchObject({ configured: [], unpinned: { command: 'true' } })
  expect(await fedDone(root, ['status', 'api'])).toContain(
    `  unpinned: 'true' exited 0 on ${short(head())}\n`,
  )
  expect(await fedDone(root, ['history', 'api'])).toContain(
    `unpinned check: 'true' exited 0 on ${short(head())}`,
  )
  await fedDone(root, ['report', 'pr-opened', '--team', 'api'])
  const inbox = path.join(root, '.fed', 'signals', 'inbox')
  const [file] = readdirSync(inbox).filter((name) => /testing-to-pr-open\.json$/.test(name))
  expect(readFileSync(path.join(inbox, file ?? ''), 'utf8')).toContain(`unpinned check: 'true' exited 0`)
})
