// Proves that `fed init` asks at a terminal for what was not given, writes what was answered, and leaves nothing
// when it is interrupted; and that it never asks where nobody could answer. Fails when an answer is lost, when a
// federation is made of half the answers, or when a script waits for a question.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/records/config/load-config.ts'
import { builtFed, fed, newRepository, pathWith, systemPath } from '../../support/fed.ts'
import { hasTerminals, keys, openTerminal } from '../../support/terminal.ts'
import { someOf } from '../../support/thorough.ts'

const init = [process.execPath, builtFed, 'init']

function written(root: string): unknown {
  const { $schema, ...rest } = JSON.parse(readFileSync(path.join(root, 'federate.config.json'), 'utf8'))
  expect(existsSync(path.resolve(root, $schema))).toBe(true)
  return rest
}

describe.runIf(hasTerminals)('at a terminal', () => {
  test('every answer is in the configuration', async () => {
    const root = newRepository()
    const terminal = openTerminal(root, init, { PATH: pathWith({ claude: 'true', goose: 'true' }) })
    await terminal.see('What is this federation for?')
    terminal.type(`Docs of the shop${keys.enter}`)
    await terminal.see('Its name in a chat')
    terminal.type(`shop${keys.enter}`)
    await terminal.see('Which agent')
    await terminal.see('goose')
    terminal.type(keys.down + keys.enter)
    await terminal.see('Emit telemetry')
    terminal.type(keys.down + keys.enter)
    await terminal.see('Its endpoint')
    terminal.type(`nowhere${keys.enter}`)
    await terminal.see('is not an http')
    terminal.type('\b'.repeat(7).replaceAll('\b', '\u007F') + `http://localhost:4318${keys.enter}`)
    await terminal.see(`federation set up in ${root}`)
    expect(await terminal.exitCode).toBe(0)
    expect(written(root)).toEqual({
      description: 'Docs of the shop',
      federationName: 'shop',
      agentCommand: 'claude',
      telemetry: { collector: { endpoint: 'http://localhost:4318' } },
    })
    expect(loadConfig(root).agentCommand).toBe('claude')
  })

  test('who only presses Enter gets what a script gets', async () => {
    const [root, scripted] = [newRepository(), newRepository()]
    const terminal = openTerminal(root, init)
    for (const question of ['What is this', 'Its name in a chat', 'Which agent', 'Emit telemetry']) {
      await terminal.see(question)
      terminal.type(keys.enter)
    }
    expect(await terminal.exitCode).toBe(0)
    await fed(scripted, ['init'])
    expect(written(root)).toEqual({ description: `Federation of ${path.basename(root)}` })
    expect(written(scripted)).toEqual({ description: `Federation of ${path.basename(scripted)}` })
  })

  test('another command, and no telemetry', async () => {
    const root = newRepository()
    const terminal = openTerminal(root, [...init, '--description', 'x', '--federation-name', 'shop'])
    await terminal.see('Which agent')
    await terminal.see('another command')
    terminal.type(keys.down + keys.enter)
    await terminal.see('Its command')
    terminal.type(`sh -c true${keys.enter}`)
    await terminal.see('Emit telemetry')
    terminal.type(keys.down + keys.down + keys.enter)
    expect(await terminal.exitCode).toBe(0)
    expect(terminal.shown()).not.toContain('What is this')
    expect(written(root)).toEqual({
      description: 'x',
      federationName: 'shop',
      agentCommand: 'sh -c true',
      telemetry: { enabled: false },
    })
  })

  test.each(
    someOf(
      [
        ['Ctrl-C at the first question', keys.interrupt, ['What is this']],
        [
          'Ctrl-C at the last question',
          keys.interrupt,
          ['What is this', 'Its name', 'Which agent', 'Emit telemetry'],
        ],
        ['Ctrl-D', keys.end, ['What is this', 'Its name']],
        ['Escape', '\u001B', ['What is this', 'Its name']],
      ],
      2,
    ),
  )('%s leaves nothing and is 130', async (_what, key, questions) => {
    const root = newRepository()
    const before = readdirSync(root)
    const terminal = openTerminal(root, init)
    for (const [index, question] of questions.entries()) {
      await terminal.see(question)
      terminal.type(index === questions.length - 1 ? key : keys.enter)
    }
    expect(await terminal.exitCode).toBe(130)
    expect(terminal.shown()).toContain('fed: nothing was set up')
    expect(readdirSync(root)).toEqual(before)
  })

  test('a second time it asks nothing', async () => {
    const root = newRepository()
    await fed(root, ['init'])
    const terminal = openTerminal(root, init)
    expect(await terminal.exitCode).toBe(0)
    expect(terminal.shown()).toContain('is a federation already; nothing was changed')
  })

  test.each(
    someOf<[string, string[], Record<string, string>]>(
      [
        ['--yes', ['--yes'], {}],
        ['--json', ['--json'], {}],
        ['--quiet', ['--quiet'], {}],
        ['continuous integration', [], { CI: 'true' }],
        ['a terminal that cannot show them', [], { TERM: 'dumb' }],
      ],
      2,
    ),
  )('%s asks nothing', async (_what, args, env) => {
    const root = newRepository()
    const terminal = openTerminal(root, [...init, ...args], env)
    expect(await terminal.exitCode).toBe(0)
    expect(terminal.shown()).not.toContain('?')
    expect(existsSync(path.join(root, 'federate.config.json'))).toBe(true)
  })

  test('fed run sets up what is missing and asks nothing', async () => {
    const root = newRepository()
    const terminal = openTerminal(root, [process.execPath, builtFed, 'run', 'Document the architecture'])
    expect(await terminal.exitCode).toBe(0)
    expect(terminal.shown()).toContain('deliverable.md')
  })
})

describe('without a terminal', () => {
  test('what is asked elsewhere is given by options', async () => {
    const root = newRepository()
    const [teamId, channelId] = ['00000000-0000-4000-8000-000000000000', '19:a@thread.tacv2']
    const args = [
      ...['--description', 'x', '--federation-name', 'shop', '--agent', 'node', '--telemetry', 'on'],
      ...['--endpoint', 'http://localhost:4318', '--chat-team', teamId, '--chat-channel', channelId],
    ]
    expect(await fed(root, ['init', ...args])).toMatchObject({ code: 0, stderr: '' })
    expect(written(root)).toEqual({
      description: 'x',
      federationName: 'shop',
      agentCommand: 'node',
      telemetry: { enabled: true, collector: { endpoint: 'http://localhost:4318' } },
      chatConfig: { teamId, channelId },
    })
    const before = readFileSync(path.join(root, 'federate.config.json'))
    // the same again is fine, another value is told
    expect(await fed(root, ['init', ...args])).toMatchObject({ code: 0 })
    const { code, stderr } = await fed(root, ['init', ...args, '--agent', 'claude', '--telemetry', 'off'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--agent, --telemetry: ')])
    expect(readFileSync(path.join(root, 'federate.config.json'))).toEqual(before)
  })

  test('every wrong option is named, and nothing is made', async () => {
    const root = newRepository()
    const before = readdirSync(root)
    const args = ['--endpoint', 'x', '--chat-team', 'y', '--federation-name', '']
    const { code, stderr } = await fed(root, ['init', ...args])
    expect(code).toBe(2)
    for (const option of ['--endpoint', '--chat-team', '--chat-channel', '--federation-name'])
      expect(stderr).toContain(`${option}: `)
    expect(readdirSync(root)).toEqual(before)
  })

  test('an agent that is not installed here is told and written all the same', async () => {
    const root = newRepository()
    const { code, stderr } = await fed(root, ['init', '--agent', 'cluade'], { env: { PATH: systemPath } })
    expect([code, stderr]).toEqual([0, expect.stringContaining("no program 'cluade' on the PATH")])
    expect(written(root)).toMatchObject({ agentCommand: 'cluade' })
  })
})
