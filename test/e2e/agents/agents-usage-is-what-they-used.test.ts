// The real coding agents are counted: what is recorded is what the scripted model behind them served, also of a session
// that is resumed, of one that is interrupted, and while it runs, so that a budget stops an agent that goes on without
// end. It fails when a program tells its usage in another way than the driver reads it. `npm run test:agents` installs
// the agents; else nothing is tried.
import { describe, expect, test } from 'vitest'
import { driverOf } from '../../../src/agents/drivers/choose.ts'
import { listSessions } from '../../../src/agents/sessions/session-record.ts'
import { readReports } from '../../../src/agents/sessions/session-reports.ts'
import { workspaceLayout } from '../../../src/protocol/folder-layout.ts'
import { fed, fedDone, newFederation, workspaceOf } from '../../support/fed.ts'
import { environmentFor, realAgent, startModel } from '../../support/real-agents.ts'
import { statusOf } from '../../support/standing.ts'

const there = ['claude', 'copilot', 'codex', 'gemini', 'opencode'].filter(
  (name) => realAgent(name) !== undefined,
)
const slow = 240_000

/** Calls that every agent offers one of, and that change nothing; different ones, for agents that look for loops. */
const script = Array.from({ length: 200 }, (_, index) => [
  { tool: 'Grep', input: { pattern: `answer${index}` } },
  { tool: 'exec_command', input: { cmd: `echo ${index}` } },
  { tool: 'grep_search', input: { pattern: `answer${index}` } },
  { tool: 'grep', input: { pattern: `answer${index}` } },
]).flat()

/** No model answers at once: what is used is written down meanwhile, by some in turns of half a second. */
const delayMs = 150

/** Tokens of one answer of the scripted model. */
const perAnswer = 1050

async function begin(agent: string, pause?: number) {
  const root = await newFederation({ docs: 'Explain the answer' })
  const model = await startModel({ script, pause, isEndless: true, delayMs })
  const env = environmentFor(model.url)
  const { sessions } = workspaceLayout(workspaceOf(root, 'docs'))
  return {
    root,
    model,
    launch: (...more: string[]) =>
      fed(root, ['launch', '--team', 'docs', '--agent', agent, ...more], { env }),
    recorded: () => listSessions(sessions).map((session) => readReports(sessions, session)),
    served: () => model.served().reduce((sum, one) => sum + one, 0),
  }
}

describe.skipIf(there.length === 0)('a budget stops an agent that goes on without end', () => {
  test.each(there)(
    '%s',
    async (agent) => {
      const { root, model, launch, recorded, served } = await begin(agent)
      const { code, stderr } = await launch('--budget', '15000tokens', '--timeout', '100s')
      const calls = served() / perAnswer
      model.stop()
      expect([code, stderr]).toEqual([5, expect.stringContaining('may use up 15000 tokens')])
      expect(await statusOf(root, 'docs')).toMatchObject({ state: 'paused' })
      const [first] = recorded()
      expect(first?.usage?.tokens).toBeGreaterThanOrEqual(15_000)
      // what was under way when it was told to stop
      expect(calls).toBeLessThan(15_000 / perAnswer + 8)
    },
    slow,
  )

  test.skipIf(!there.includes('claude'))(
    'claude, in money, which it keeps to itself',
    async () => {
      const { model, launch, recorded } = await begin('claude')
      const { code, stderr } = await launch('--budget', '0.05usd', '--timeout', '100s')
      model.stop()
      expect([code, stderr]).toEqual([5, expect.stringContaining('may use up 0.0500 US dollars')])
      expect(recorded()[0]?.usage?.cost).toBeLessThan(0.06)
    },
    slow,
  )
})

describe.skipIf(there.length === 0)('a session that is resumed counts once', () => {
  test.each(there)(
    '%s',
    async (agent) => {
      const { model, launch, recorded, served } = await begin(agent, 3)
      await launch('--budget', '12000tokens', '--timeout', '100s')
      const all = served()
      model.stop()
      const runs = recorded()
      expect(runs.length).toBeGreaterThan(1)
      expect(new Set(runs.map(({ agentSession }) => agentSession)).size).toBe(1)
      const sum = runs.reduce((before, { usage }) => before + (usage?.tokens ?? 0), 0)
      // side calls of which a program tells nothing, and what was under way at the end
      expect(Math.abs(all - sum) / perAnswer).toBeLessThan(8)
      expect(sum).toBeLessThanOrEqual(all)
    },
    slow,
  )
})

describe.skipIf(there.length === 0)('what an interrupted session used up is recorded', () => {
  test.each(there)(
    '%s',
    async (agent) => {
      const { root, model, launch, recorded, served } = await begin(agent)
      const launched = launch('--timeout', '100s')
      await expect.poll(() => served() / perAnswer, { timeout: 60_000 }).toBeGreaterThan(5)
      await fedDone(root, ['pause', 'docs'])
      expect((await launched).code).toBe(5)
      const all = served()
      model.stop()
      const [first] = recorded()
      for (const figure of driverOf(agent).tells) expect(first?.usage).toHaveProperty(figure)
      expect(Math.abs(all - (first?.usage?.tokens ?? 0)) / perAnswer).toBeLessThan(5)
    },
    slow,
  )
})
