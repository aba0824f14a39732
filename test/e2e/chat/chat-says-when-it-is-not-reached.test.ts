// Proves that a channel which nobody can read or write is told at every command that has to do with it, with what helps,
// and that no summary is lost meanwhile. It fails when summaries go somewhere in silence, when the doctor finds
// nothing, or when a chat that is not reached fails a monitoring cycle.
import { beforeEach, expect, test } from 'vitest'
import { answersTo, chatConfig, configure, saidIn, say } from '../../support/chat.ts'
import { fed, fedJson, newFederation, systemPath } from '../../support/fed.ts'
import { someOf } from '../../support/thorough.ts'

let root: string

beforeEach(async () => {
  root = await newFederation({ docs: 'Document the storage' })
})

const env = { PATH: systemPath }
const summary = 'shop: 1 team, nothing needs you\n· docs preparing'
const agents = [
  { agent: 'fed-agent', why: 'fed-agent has no chat tools' },
  { agent: 'claude', why: "agent 'claude' does not speak the Agent Client Protocol itself" },
  {
    agent: 'no-such-agent --now',
    why: "agent 'no-such-agent --now': there is no program 'no-such-agent' on the PATH",
  },
]

test.each(someOf(agents, 1))(
  'nobody reaches it with $agent: every command says so, and why',
  async ({ agent, why }) => {
    configure(root, { federationName: 'shop', chatConfig, agentCommand: agent })
    const told = expect.stringContaining(`the channel of chatConfig is not reached: ${why}`)
    const helps = expect.stringMatching(/chatConfig\.server/)
    for (const [args, stream] of [
      [['monitor'], 'stdout'],
      [['chat', '--once'], 'stderr'],
      [['chat', '--status'], 'stdout'],
      [['chat', 'say', '@shop status'], 'stderr'],
      [['chat', 'log'], 'stderr'],
      [['doctor'], 'stdout'],
    ] as const) {
      const { [stream]: words } = await fed(root, args, { env })
      const line = words.replace(/\s+/g, ' ')
      expect([args.join(' '), line]).toEqual([args.join(' '), told])
      expect(line).toEqual(helps)
    }
    expect(await fedJson(root, ['monitor'], { env })).toMatchObject({ healthy: true, chat: told })
    expect(saidIn(root).map(({ text }) => text)).toContain(summary)
  },
)

test('a bridge without a name answers nobody, and the doctor says so', async () => {
  configure(root, { chatConfig })
  const { code, stdout } = await fed(root, ['doctor'], { env })
  expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([
    1,
    expect.stringContaining('federationName: is missing: with chatConfig the chat presence bridge needs'),
  ])
})

test('a bridge works for the local channel meanwhile', async () => {
  configure(root, { federationName: 'shop', chatConfig })
  const pause = await say(root, '@shop pause docs')
  const { code, stderr } = await fed(root, ['chat', '--once'], { env })
  expect([code, stderr]).toEqual([0, expect.stringContaining('not reached: fed-agent has no chat tools')])
  expect(answersTo(root, pause)).toEqual(['docs is paused; resume takes it back to where it was'])
})

test('an agent that only trying shows to be none is told after it, and the summaries stand in the local file', async () => {
  const agentCommand = `${process.execPath} -e process.exit(3)`
  configure(root, { federationName: 'shop', chatConfig, agentCommand })
  const first = await fed(root, ['monitor'], { env })
  expect([first.code, first.stderr]).toEqual([
    0,
    expect.stringMatching(/chatConfig is not reached: the agent (?:ended|answered)/),
  ])
  await fed(root, ['pause', 'docs'], { env })
  await fed(root, ['monitor'], { env })
  expect(saidIn(root).map(({ text }) => text)).toEqual([
    summary,
    'shop: 1 team, nothing needs you\n· docs paused',
  ])
  const { stdout } = await fed(root, ['doctor'], { env })
  expect(stdout.replace(/\s+/g, ' ')).toMatch(/not reached since .*: the agent (?:ended|answered)/)
  expect(await fedJson(root, ['chat', '--status'], { env })).toMatchObject({
    unsaid: 1,
    trouble: { message: expect.stringMatching(/^the agent (?:ended|answered)/) },
  })
})

test('a server whose program is not there is told like an agent', async () => {
  const server = { command: ['no-such-server'], tools: { list: 'list', post: 'post' } }
  configure(root, { federationName: 'shop', chatConfig: { ...chatConfig, server } })
  const { stdout } = await fed(root, ['monitor'], { env })
  expect(stdout).toContain("not reached: there is no program 'no-such-server' (chatConfig.server.command)")
})
