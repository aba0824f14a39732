// Proves that tests count only when fed itself ran them, to the end, with success, on HEAD and with nothing
// uncommitted, and that a refusal says which of these it was and where the output is. It fails when words of an
// agent, another commit or a dirty worktree pass for proof, when a shell reads the command, or a child is left.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { Federation } from '../../src/federation/federation.ts'
import { git } from '../../src/platform/git/git.ts'
import { beginMission } from '../../src/federation/mission.ts'
import { endChecksBy } from '../support/checks.ts'
import { codingTeam, commitFile } from '../support/coding-team.ts'
import { fed, fedDone, newFolder, startFed } from '../support/fed.ts'
import { statusOf } from '../support/standing.ts'
import { someOf } from '../support/thorough.ts'

let root: string
let workspace: string

beforeEach(async () => {
  ;({ root, workspace } = await codingTeam())
})

const head = () => git(workspace, 'rev-parse', 'HEAD')
const short = (commit: string) => commit.slice(0, 12)
const passed = (...run: string[]) => ['report', 'tests-passed', '--team', 'api', ...run]
const state = async () => (await statusOf(root, 'api')).state

/** A program of one line, run by node as this test is. */
function script(text: string): string {
  const file = path.join(newFolder('script'), 'test.mjs')
  writeFileSync(file, text)
  return `node ${file}`
}

interface Run {
  readonly command: string
  readonly commit: string
  readonly exitCode: number
  readonly uncommitted: readonly string[]
  readonly log: string
}

function runs(): Run[] {
  const file = path.join(workspace, '.fed', 'test-runs.jsonl')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Run)
}

async function refusal(...run: string[]): Promise<string> {
  const { code, stdout, stderr } = await fed(root, passed('--quiet', ...run))
  expect([code, stdout]).toEqual([5, ''])
  expect(stderr).toMatch(/^fed: [^\n]+\n$/)
  return stderr
}

test('a run that passes is proof: command, commit, exit code and output are kept', async () => {
  const command = script("console.log('one'); console.error('two')")
  const { code, stderr } = await fed(root, passed('--run', command))
  expect([code, stderr.split('\n').toSorted()]).toEqual([0, ['', 'one', 'two']])
  const [run, ...others] = runs()
  expect(run).toMatchObject({ command, commit: head(), exitCode: 0, uncommitted: [] })
  expect(others).toEqual([])
  expect(
    readFileSync(run?.log ?? '', 'utf8')
      .split('\n')
      .toSorted(),
  ).toEqual(['', 'one', 'two'])
  expect(path.dirname(run?.log ?? '')).toBe(path.join(workspace, '.fed', 'test-runs'))
  await fedDone(root, ['report', 'pr-opened', '--team', 'api'])
  expect(await state()).toBe('pr-open')
})

test('quotes keep words together, nothing else has a meaning, and the worktree is where it runs', async () => {
  const command = script(
    'console.log(JSON.stringify([process.argv.slice(2), process.cwd(), process.env.FED_TEAM, process.env.FED_WORKSPACE, process.env.FED_ROOT, process.env.GIT_DIR]))',
  )
  const words = `--name="two words" 'a"b' $HOME * back\\slash ""`
  const { code } = await fed(root, passed('--run', `${command} ${words}`), { env: { GIT_DIR: '/elsewhere' } })
  expect(code).toBe(0)
  expect(JSON.parse(readFileSync(runs()[0]?.log ?? '', 'utf8'))).toEqual([
    ['--name=two words', 'a"b', '$HOME', '*', 'back\\slash', ''],
    workspace,
    'api',
    workspace,
    root,
    null,
  ])
})

test('a program of the repository is the one of the worktree, wherever the command is given', async () => {
  const program = (dir: string, code: number) =>
    writeFileSync(path.join(dir, 'check.sh'), `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 })
  program(root, 0)
  expect(await fed(root, passed('--run', './check.sh'))).toMatchObject({
    code: 2,
    stderr: `fed: --run: there is no program './check.sh' in ${workspace}\n`,
  })
  program(workspace, 4)
  git(workspace, 'add', 'check.sh')
  git(workspace, 'commit', '--quiet', '--message', 'Check it')
  expect(await refusal('--run', './check.sh')).toContain("'./check.sh' exited 4 on")
})

describe('is refused', () => {
  test('without a run', async () => {
    expect(await refusal()).toContain('(it ran none since the mission began)')
  })

  test('after a run that failed, with its exit code and where its output is', async () => {
    const command = script("console.log('expected 42'); process.exit(3)")
    const words = await refusal('--run', command)
    const [run] = runs()
    expect(words).toContain(
      `('${command}' exited 3 on ${short(head())}; its output is in ${String(run?.log)})`,
    )
    expect(readFileSync(String(run?.log), 'utf8')).toBe('expected 42\n')
    expect(await state()).toBe('testing')
    await fedDone(root, ['report', 'tests-failed', '--team', 'api'])
    expect(await state()).toBe('implementing')
  })

  test('after one that a signal ended', async () => {
    expect(await refusal('--run', script("process.kill(process.pid, 'SIGKILL')"))).toContain('exited 137 on')
  })

  test('with something uncommitted, also when that is taken back afterwards', async () => {
    writeFileSync(path.join(workspace, 'src', 'app.ts'), 'export const answer = 44\n')
    const command = script('')
    const log = path.join(workspace, '.fed', 'test-runs', '1.log')
    expect(await refusal('--run', command)).toContain(
      `nothing is uncommitted (src/app.ts), and that tests that fed ran passed on this very commit ('${command}' ran with uncommitted changes in src/app.ts; its output is in ${log})`,
    )
    git(workspace, 'checkout', '--', 'src/app.ts')
    expect(await refusal()).toContain('ran with uncommitted changes in src/app.ts')
    git(root, 'config', 'status.showUntrackedFiles', 'no')
    writeFileSync(path.join(workspace, 'new.ts'), '')
    expect(await refusal('--run', command)).toContain('nothing is uncommitted (new.ts)')
    rmSync(path.join(workspace, 'new.ts'))
    await fedDone(root, passed('--run', command))
  })

  test('where git would answer for the repository around the worktree', async () => {
    rmSync(path.join(workspace, '.git'))
    expect(await refusal('--run', script(''))).toMatch(
      /nothing is uncommitted \(git knows no commit there; 'fed doctor' says more\)/,
    )
    const { stdout } = await fed(root, ['doctor'])
    expect(stdout).toContain(`the folder has no .git`)
    git(root, 'worktree', 'repair')
    await fedDone(root, passed('--run', script('')))
  })

  test('for another commit than HEAD, also one that the run itself made', async () => {
    await fedDone(root, passed('--run', script('')))
    const before = head()
    const after = commitFile(workspace, 'later.ts', '')
    expect(await refusal()).toContain(
      `ran on ${short(before)}, and HEAD is ${short(after)}; its output is in`,
    )
    const commits = "import { execFileSync } from 'node:child_process'"
    const command = script(
      `${commits}\nexecFileSync('git', ['commit', '--quiet', '--allow-empty', '--message', 'x'])`,
    )
    expect(await refusal('--run', command)).toContain(`ran on ${short(after)}, and HEAD is ${short(head())};`)
  })

  test('for a run of an earlier mission', async () => {
    await fedDone(root, passed('--run', script('')))
    const team = await new Federation(root).team('api')
    await team.reset()
    await beginMission(team, 'Change it again')
    await team.tell({ type: 'report', subject: 'plan-ready', body: 'As before' })
    commitFile(team.actor.workspace, 'again.ts', '')
    await team.tell({ type: 'report', subject: 'changes-committed' })
    expect(await refusal()).toContain('(it ran none since the mission began)')
  })

  test('where the machine takes no such milestone now, and nothing is run', async () => {
    await fedDone(root, ['report', 'tests-failed', '--team', 'api'])
    const mark = path.join(newFolder('mark'), 'ran')
    const command = script(`import { writeFileSync } from 'node:fs'\nwriteFileSync('${mark}', '')`)
    expect(await refusal('--run', command)).toContain('implementing does not take report.tests-passed')
    expect(existsSync(mark)).toBe(false)
    expect(runs()).toEqual([])
  })
})

describe('interrupted', () => {
  const long = () =>
    script(
      [
        "import { spawn } from 'node:child_process'",
        "const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 60000)'])",
        'console.log(`ready ${process.pid} ${child.pid}`)',
        'setInterval(() => undefined, 60000)',
      ].join('\n'),
    )

  test.each(someOf(['SIGINT', 'SIGTERM', 'SIGKILL'] as const, 1))(
    'by %s nothing of it runs on',
    async (signal) => {
      const running = startFed(root, passed('--run', long()))
      await endChecksBy(signal, running)
      expect(runs()).toEqual([])
      expect(await state()).toBe('testing')
    },
  )
})

test('what is committed on another branch than the team’s is no work of the team, and no test of it a proof', async () => {
  git(workspace, 'switch', '--quiet', '--create', 'feature')
  commitFile(workspace, 'src/more.ts', 'export const more = 1\n')
  expect(await refusal('--run', script(''))).toMatch(/ran on \w{12}, and the team's branch is \w{12}/)
  git(workspace, 'switch', '--quiet', 'fed/api')
  await fedDone(root, passed('--run', script('')))
})
