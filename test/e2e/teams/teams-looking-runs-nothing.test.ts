// Proves that a repository which came from elsewhere runs nothing by being looked at: hook, agent's command, chat's
// server, checks and a git in the .fed that it tracks each leave a mark when they run. Fails when a command that looks
// leaves one, when it stops working, or when what needs trust is done without it, or refused in other words.
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { beginMission } from '../../../src/federation/mission.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { git } from '../../../src/platform/git/git.ts'
import { chatConfig } from '../../support/chat.ts'
import { configure } from '../../support/checks.ts'
import { commitFile } from '../../support/coding-team.ts'
import { fed, fedDone, fedJson, newFederation, newFolder, startFed } from '../../support/fed.ts'
import { addAuditHook, change } from '../../support/hook.ts'
import { until } from '../../support/until.ts'

let marks: string
let root: string
/** A person who has trusted nothing yet. */
let env: Record<string, string>

const marking = (name: string) => `sh -c 'echo >> ${marks}/${name}'`
const server = () => ({
  command: ['sh', '-c', `echo >> ${marks}/server`],
  tools: { list: 'list', post: 'post' },
})

/** Whoever made it chose where it lies: nothing tells it from one that was set up there. */
beforeAll(async () => {
  marks = newFolder('marks')
  const made = await newFederation({ docs: 'Document the source' })
  addAuditHook(made)
  const marked = `import path from 'node:path'\nappendFileSync('${marks}/hook', 'x')\n`
  change(made, 'fed.ts', "import path from 'node:path'\n", marked)
  const federation = new Federation(made)
  await federation.onboard({ domain: 'auditors', archetype: 'audit' })
  const api = await federation.onboard({ domain: 'api', archetype: 'coding' })
  await beginMission(api, 'Change the answer')
  await api.tell({ type: 'report', subject: 'plan-ready', body: 'Change src/app.ts' })
  commitFile(api.actor.workspace, 'src/app.ts', 'export const answer = 43\n')
  await api.tell({ type: 'report', subject: 'changes-committed' })
  configure(made, {
    importHook: 'hooks/fed.ts',
    agentCommand: marking('agent'),
    checks: [{ name: 'unit', run: marking('check') }],
    setup: { run: marking('setup') },
    federationName: 'shop',
    chatConfig: { ...chatConfig, server: server() },
  })
  for (const place of ['.fed', '.fed/teams/docs/.fed', '.fed/worktrees/api/.fed']) {
    mkdirSync(path.join(made, place, 'bin'), { recursive: true })
    const planted = path.join(made, place, 'bin', 'git')
    writeFileSync(planted, `#!/bin/sh\necho >> ${marks}/git\nexec /usr/bin/git "$@"\n`)
    chmodSync(planted, 0o755)
  }
  git(made, 'add', '--force', '.fed/*.json', '.fed/bin', '.fed/teams', 'federate.config.json', 'hooks')
  git(made, 'commit', '--quiet', '--message', 'Plant')
  root = made
})
beforeEach(() => {
  for (const mark of readdirSync(marks)) rmSync(path.join(marks, mark))
  env = { XDG_CONFIG_HOME: newFolder('config'), XDG_CACHE_HOME: newFolder('cache') }
})

const looks: readonly (readonly [words: readonly string[], code?: number, shown?: RegExp])[] = [
  [['status'], 0, /^auditors +audit +unknown +active$/m],
  [['status', 'docs'], 0, /preparing/],
  [['status', 'auditors'], 0, /^auditors +audit +unknown +active$/m],
  [['history', 'docs', '--all'], 0, /directive/],
  [['history', 'auditors'], 0, /nothing was handled yet/],
  [['prompt', 'docs'], 0, /Document the source/],
  [['prompt', 'auditors'], 5],
  [['skills', 'list', 'docs'], 0],
  [['skills'], 1, /auditors .*fed trust/],
  [['config'], 0, /importHook +hooks\/fed\.ts/],
  [['doctor'], undefined, /'fed trust' shows and allows it/],
  [['monitor'], 1, /its archetype 'audit' is unknown/],
  [['inspect', 'docs', '--wire'], 0],
  [['diagram', 'deliverable'], 0],
  [['diagram', 'docs'], 0],
  [['diagram', 'audit'], 5],
  [['inbox', 'docs'], 0],
  [['rights'], 0],
  [['__complete', '--', 'onboard', 'x', '--archetype', ''], 0, /^coding\t/m],
  [['__complete', '--', 'status', ''], 0, /^auditors\t/m],
  [['__complete', '--', 'report', '--team', 'docs', ''], 0],
  [['trust', '--list'], 0, /nothing is trusted/],
]

describe.each([['with a chat’s server'], ['with an agent that hosts the chat']])('%s', (kind) => {
  beforeAll(() => {
    const hosted = { ...chatConfig }
    configure(root, { chatConfig: kind.endsWith('server') ? { ...hosted, server: server() } : hosted })
  })

  test.each(looks.map(([words, code, shown]) => ({ words, code, shown })))(
    'fed $words',
    async ({ words, code, shown }) => {
      const { code: ended, stdout, stderr } = await fed(root, words, { env })
      expect(readdirSync(marks)).toEqual([])
      if (code !== undefined) expect([ended, stderr]).toEqual([code, expect.anything()])
      if (shown !== undefined) expect(stdout).toMatch(shown)
      if (code === 5) expect(stderr).toMatch(/^fed: the code of importHook [^\n]*: fed trust\n$/)
    },
  )

  test.each([['dashboard'], ['inspect']])('fed %s, which serves a page', async (command) => {
    const serving = startFed(root, [command], { env })
    const url = await until('its address', () => /http:\S+/.exec(serving.stdout())?.[0])
    expect((await fetch(url)).status).toBe(200)
    serving.kill('SIGINT')
    await serving.ended
    expect(readdirSync(marks)).toEqual([])
  })
})

const own = 'sh -c true'
test.each([
  ['the code of importHook', ['onboard', 'more']],
  ['the code of importHook', ['init']],
  ['the .fed that git tracks here', ['launch', '--team', 'docs']],
  ['the .fed that git tracks here', ['launch', '--team', 'docs', '--agent', own]],
  ['the .fed that git tracks here', ['run', 'Something else', '--team', 'docs', '--reset']],
  ['what checks and setup of federate.config.json run', ['report', 'tests-passed', '--team', 'api']],
  ['the chatConfig.server of federate.config.json', ['chat', '--once', '--channel', 'server']],
])('%s is refused by fed %j, in one sentence that ends in the command', async (what, words) => {
  configure(root, { chatConfig: { ...chatConfig, server: server() } })
  const { code, stderr } = await fed(root, words, { env })
  expect([code, stderr]).toEqual([5, expect.stringMatching(/^fed: [^\n]+: fed trust\n$/)])
  expect(stderr).toContain(`fed: ${what} is not trusted on this machine, so `)
  expect(readdirSync(marks)).toEqual([])
})

test('once it is trusted all of it works', async () => {
  configure(root, { chatConfig: { ...chatConfig, server: server() } })
  await fedDone(root, ['trust'], { env })
  expect(await fedJson(root, ['status', 'auditors'], { env })).toMatchObject({ state: 'scoping' })
  await fedDone(root, ['report', 'tests-passed', '--team', 'api'], { env })
  // its mark lies where no agent within walls writes
  await fed(root, ['launch', '--team', 'docs', '--max-sessions', '1', '--confinement', 'off'], { env })
  await fed(root, ['chat', '--once', '--channel', 'server', '--timeout', '10s'], { env })
  expect(readdirSync(marks).toSorted()).toEqual(['agent', 'check', 'hook', 'server', 'setup'])
})
