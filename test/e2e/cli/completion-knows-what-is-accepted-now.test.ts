// Proves that the shell completion knows commands, options, teams, signals and the subjects that a machine accepts
// now, in real shells, and never says anything else into a terminal. Fails when a candidate is stale, a word is
// taken for another, an error is printed, or a script does not work in its shell.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  builtFed,
  fed,
  fedDone,
  fedJson,
  newFederation,
  newFolder,
  pathWith,
  workspaceOf,
} from '../../support/fed.ts'
import { hasTerminals, keys, openTerminal } from '../../support/terminal.ts'
import { someOf } from '../../support/thorough.ts'

let root: string
let signal: string
const elsewhere = newFolder('elsewhere')

beforeAll(async () => {
  root = await newFederation({ docs: 'Explain it', api: undefined, old: undefined })
  await fedDone(root, ['pause', 'old'])
  await fedDone(root, ['send', 'docs', '--type', 'question', '--subject', 'Where: is it?', '--from', 'api'])
  const [mail] = await fedJson<{ id: string; type: string }[]>(root, ['inbox', 'docs'])
  signal = mail?.id.slice(0, 8) as string
  mkdirSync(path.join(root, 'notes here'))
  writeFileSync(path.join(root, 'notes.md'), 'x')
})

/** What the completion scripts get for these words, without the meanings. */
async function candidates(words: readonly string[], cwd = root, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await fed(cwd, ['__complete', '--', ...words], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0]]))
}

describe('what comes next', () => {
  test.each(
    someOf<[string[], string[]]>(
      [
        [['sta'], ['status']],
        [['arch'], ['archive-signals', 'archive']],
        [['--v'], ['--version']],
        [['help', 'hist'], ['history']],
        [
          ['status', ''],
          ['docs', 'api', 'old'],
        ],
        [['status', 'd'], ['docs']],
        [['status', 'docs', '--j'], ['--json']],
        [['status', '--json', '--j'], []],
        [
          ['send', ''],
          ['meta', 'docs', 'api', 'old'],
        ],
        [
          ['send', 'docs', '--type', ''],
          ['directive', 'question', 'report', 'alert'],
        ],
        [['send', 'docs', '--type=re'], ['--type=report']],
        [['send', 'docs', '--type', '=', 're'], ['report']],
        [
          ['send', 'docs', '--type', '='],
          ['directive', 'question', 'report', 'alert'],
        ],
        [['send', '--type', 'directive', 'docs', '--subject', ''], ['pause']],
        [['send', 'old', '--type=directive', '--subject', ''], ['resume']],
        [['send', 'docs', '--subject', ''], []],
        // from meta it would be mail
        [['send', 'docs', '--type', 'report', '--subject', ''], []],
        [['send', 'docs', '--from=docs', '--type', 'report', '--subject', ''], ['mission-planned']],
        [['send', 'docs', '--type', 'directive', '--subject', 'x', '--body-file', ''], [':files']],
        [['status', '--dir', ''], [':folders']],
        [['status', '--dir='], [':folders']],
        [['report', '--team', 'docs', ''], ['mission-planned']],
        [['report', '--team=docs', 'm'], ['mission-planned']],
        [['alert', '--team', 'docs', 'info'], ['information-missing']],
        [['report', ''], []],
        [
          ['launch', '--teams', 'docs,'],
          ['docs,api', 'docs,old'],
        ],
        [['launch', '--reset', '--team', 'a'], ['api']],
        [['launch', 'api', 'd'], ['docs']],
        [
          ['pause', ''],
          ['docs', 'api'],
        ],
        [['resume', ''], ['old']],
        [['restore', ''], []],
        [
          ['onboard', 'new', '--archetype', 'c'],
          ['coding', 'consultant', 'coordinator'],
        ],
        [
          ['onboard', 'new', '--placement', ''],
          ['worktree', 'directory'],
        ],
        [['onboard', ''], []],
        [['run', '--agent', 'fed'], ['fed-agent']],
        [['learn', '--category', 'g'], ['gotcha']],
        [['learnings', '--category', 'gotcha,p'], ['gotcha,pattern']],
        [
          ['diagram', 'd'],
          ['deliverable', 'docs'],
        ],
        [['diagram', '--format', 's'], ['svg']],
        [
          ['completion', ''],
          ['bash', 'zsh', 'fish'],
        ],
        [['status', '--', '--'], []],
        [
          ['skills', ''],
          ['list', 'sync', 'meta', 'docs', 'api', 'old'],
        ],
        [['skills', 'sync', '--a'], ['--all']],
        [['skills', 'docs', '--j'], ['--json']],
        [['frobnicate', ''], []],
        [['constructor', ''], []],
        [['__complete', ''], []],
      ],
      6,
    ),
  )('behind fed %j', async (words, expected) => {
    expect(await candidates(words)).toEqual(expected)
  })

  test('every command has its options', async () => {
    const commands = (await candidates([''])).filter((command) => command !== 'help')
    for (const command of someOf(commands, 10))
      expect(await candidates([command as string, '--']), command).toContain('--json')
  })

  test('the signals that wait in that inbox, with what they say', async () => {
    for (const command of ['ack', 'read', 'reply'])
      expect(await candidates([command, 'docs', ''])).toEqual([signal])
    expect(await candidates(['ack', 'api', ''])).toEqual([])
    const { stdout } = await fed(root, ['__complete', '--', 'ack', 'docs', ''])
    expect(stdout).toBe(`${signal}\tquestion from api: Where: is it?\n`)
  })

  test('an agent in its workspace needs to name no team', async () => {
    expect(await candidates(['report', ''], root, { FED_TEAM: 'docs' })).toEqual(['mission-planned'])
    expect(await candidates(['report', ''], workspaceOf(root, 'docs'))).toEqual(['mission-planned'])
  })

  test('subjects move with the machine', async () => {
    const moved = await newFederation({ docs: 'Explain it' })
    await fedDone(moved, ['report', 'mission-planned', '--team', 'docs', '--body', 'src/app.ts'])
    expect(await candidates(['report', '--team', 'docs', ''], moved)).toEqual(['files-read'])
  })

  test('outside of a federation, and in a damaged one, there is silence', async () => {
    for (const words of [
      ['pause', ''],
      ['ack', 'meta', ''],
      ['report', '--team', 'docs', ''],
    ])
      expect(await candidates(words, elsewhere)).toEqual([])
    expect(await candidates(['diagram', 'c'], elsewhere)).toEqual(['coding', 'consultant', 'coordinator'])
    expect(await candidates(['status', '--dir', root, 'd'], elsewhere)).toEqual(['docs'])
    expect(await candidates(['pause', '--dir', '/no/such/folder', ''], elsewhere)).toEqual([])
    const broken = await newFederation()
    writeFileSync(path.join(broken, '.fed', 'team-registry.json'), '{')
    writeFileSync(path.join(broken, 'federate.config.json'), '{')
    expect(await candidates(['pause', ''], broken)).toEqual([])
    expect(await candidates(['report', '--team', 'docs', ''], broken)).toEqual([])
  })

  test('it is in no help', async () => {
    expect(await fedDone(root, ['--help'])).not.toContain('__complete')
  })
})

const path_ = () => pathWith({ fed: `exec '${process.execPath}' '${builtFed}' "$@"` })
const isHere = (shell: string) => spawnSync(shell, ['--version']).status === 0

function runIn(shell: string, args: readonly string[], cwd = root): string {
  const { stdout, stderr, status } = spawnSync(shell, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: path_(), HOME: newFolder('home'), FED_DURABILITY: 'process' },
  })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return stdout
}

describe('bash', () => {
  /** Words as bash gives them; the last one is under the cursor. */
  const replies = (words: readonly string[], cwd?: string) => {
    const quoted = ['fed', ...words].map((word) => `'${word}'`).join(' ')
    const script = `eval "$(fed completion bash)"; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _fed; printf '%s\\n' "\${COMPREPLY[@]}"`
    return runIn('bash', ['--norc', '-c', script], cwd)
      .split('\n')
      .filter((line) => line !== '')
  }

  test.each(
    someOf<[string[], string[]]>(
      [
        [['pau'], ['pause']],
        [['status', 'd'], ['docs']],
        [['send', 'docs', '--type', '=', 'dir'], ['directive']],
        [['report', '--team', 'docs', ''], ['mission-planned']],
        [
          ['report', 'x', '--body-file', 'not'],
          ['notes here', 'notes.md'],
        ],
        [['status', '--dir', 'not'], ['notes here']],
        [
          ['skills', ''],
          ['api', 'docs', 'list', 'meta', 'old', 'sync'],
        ],
        [['skills', 'sync', '--a'], ['--all']],
        [['skills', 'docs', '--j'], ['--json']],
        [['frobnicate', ''], []],
      ],
      6,
    ),
  )('%j', (words, expected) => {
    expect(replies(words).toSorted()).toEqual(expected)
  })

  test('outside of a federation', () => {
    expect(replies(['status', ''], elsewhere)).toEqual(['--json', '--dir', '--quiet', '--help'])
  })
})

describe.runIf(isHere('fish'))('fish', () => {
  test.each(
    someOf<[string, string[]]>(
      [
        ['fed pau', ['pause']],
        ['fed status d', ['docs']],
        ['fed send docs --type=dir', ['--type=directive']],
        ['fed report --team docs ', ['mission-planned']],
        ['fed report x --body-file not', ['notes here/', 'notes.md']],
        ['fed status --dir not', ['notes here/']],
        ['fed frobnicate ', []],
      ],
      5,
    ),
  )('%s', (line, expected) => {
    const stdout = runIn('fish', ['--no-config', '-c', `fed completion fish | source; complete -C '${line}'`])
    const values = stdout.split('\n').flatMap((row) => (row === '' ? [] : [row.split('\t')[0]]))
    expect(values.toSorted()).toEqual(expected)
  })
})

describe.runIf(isHere('zsh') && hasTerminals)('zsh', () => {
  test.each(
    someOf<[string, string]>(
      [
        ['fed pau', 'fed pause '],
        ['fed status d', 'fed status docs '],
        ['fed send docs --type=dir', 'fed send docs --type=directive '],
        ['fed report --team docs ', 'fed report --team docs mission-planned '],
        ['fed ack docs ', 'fed ack docs SIGNAL '],
        ['fed report x --body-file notes.', 'fed report x --body-file notes.md '],
      ],
      5,
    ),
  )('%s', async (line, expected) => {
    const env = { PATH: path_(), HOME: newFolder('home') }
    const terminal = openTerminal(root, ['zsh', '-f', '-i'], env)
    terminal.type(`PROMPT='rea''dy> '; autoload -Uz compinit; compinit -u; eval "$(fed completion zsh)"\r`)
    await terminal.see('ready> ')
    // what the line became is shown by zsh itself, quoted, and not run
    terminal.type(
      `show() { print -r -- "<$BUFFER>"; BUFFER=; zle accept-line }; zle -N show; bindkey '^X' show\r`,
    )
    await terminal.see('ready> ')
    terminal.type(`${line}${keys.tab}\u0018`)
    await terminal.see(`<${expected.replace('SIGNAL', signal)}>`)
    terminal.type('exit\r')
    expect(await terminal.exitCode).toBe(0)
  })
})

test.runIf(!isHere('zsh') || !isHere('fish'))(
  'zsh and fish are not tried: they are not installed here',
  () => {
    console.log('install zsh and fish to try the completion in them')
  },
)
