// The real coding agents are started with the command lines of their presets, and a model that plays from a script
// behind them: who only reads cannot write and still finishes, by fed's tools; a session is continued under the
// agent's own name; without an account the agent's refusal stands in the record. It fails when an option is unknown,
// means something else, or lets a reader write. `npm run test:agents` installs the agents; else nothing is tried.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import { driverOf } from '../../../src/agents/drivers/choose.ts'
import { readReports } from '../../../src/agents/sessions/session-reports.ts'
import { fed, fedDone, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'
import { environmentFor, knowsNobody, realAgent, scriptFor, startModel } from '../../support/real-agents.ts'

const agents = ['claude', 'copilot', 'codex', 'gemini', 'opencode']
const there = agents.filter((name) => realAgent(name) !== undefined)
const talkative = ['copilot', 'gemini', 'opencode', 'claude-agent-acp']
  .filter((name) => realAgent(name) !== undefined)
  .map((name) => `acp:${name}`)
if (there.length === 0 && process.env.FED_REAL_AGENTS !== undefined)
  throw new Error('none of the agents that were installed for this is found')
if (there.length === 0)
  process.stdout.write('no real coding agents here: npm run test:agents installs and tries them\n')

const slow = 240_000
const records = (root: string) => path.join(workspaceOf(root, 'docs'), '.fed', 'sessions')
const read = (root: string, name: string) =>
  JSON.parse(readFileSync(path.join(records(root), name), 'utf8')) as Record<string, unknown>

async function work(agent: string, pause?: number) {
  const root = await newFederation({ docs: 'Explain the answer' })
  const model = await startModel({ script: scriptFor(root), pause })
  try {
    const env = environmentFor(model.url)
    const options = ['--max-sessions', '2', '--timeout', '200s']
    const launched = await fed(root, ['launch', '--team', 'docs', '--agent', agent, ...options], { env })
    return { root, launched }
  } finally {
    model.stop()
  }
}

describe.skipIf(there.length === 0)('a reader that tries to write cannot, and finishes', () => {
  test.each([...there, ...talkative])(
    '%s',
    async (agent) => {
      const { root, launched } = await work(agent)
      expect(launched).toMatchObject({ code: 0 })
      expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ state: 'complete' })
      expect(readFileSync(path.join(root, 'src', 'app.ts'), 'utf8')).toBe('export const answer = 42\n')
      expect(git(root, 'status', '--porcelain')).not.toMatch(/src|new\.txt/)
      const reports = readFileSync(path.join(records(root), '1-1.reports.jsonl'), 'utf8')
      expect(reports).toContain('"kind":"session"')
      expect(reports).not.toContain('"kind":"wrote"')
      const { usage = {} } = readReports(records(root), { mission: 1, number: 1 })
      expect(Object.keys(usage)).toEqual(expect.arrayContaining([...driverOf(agent).tells]))
    },
    slow,
  )
})

describe.skipIf(there.length === 0)('a session that ended unfinished is continued', () => {
  test.each(there)(
    '%s',
    async (agent) => {
      const { root, launched } = await work(agent, 2)
      expect(launched).toMatchObject({ code: 0 })
      expect(read(root, '1-1.end.json')).toMatchObject({ cause: 'ended', exitCode: 0 })
      expect(read(root, '1-2.json')).toMatchObject({ resumes: expect.any(String) })
    },
    slow,
  )
})

describe.skipIf(there.length === 0)('without an account the agent refuses, and the record says so', () => {
  test.each(there)(
    '%s',
    async (agent) => {
      const root = await newFederation({ docs: 'Explain the answer' })
      // these two ask the network before they ask for an account
      const model = ['codex', 'opencode'].includes(agent) ? await startModel(knowsNobody) : undefined
      const env = environmentFor(model?.url)
      const options = ['--timeout', '100s']
      const launched = await fed(root, ['launch', '--team', 'docs', '--agent', agent, ...options], { env })
      model?.stop()
      expect(launched).toMatchObject({ code: 5, stderr: expect.stringContaining('will not work here') })
      expect(read(root, '1-1.end.json')).toMatchObject({ cause: 'refused' })
    },
    slow,
  )
})

describe.skipIf(there.length === 0)('who changes code is given what it needs', () => {
  test.each([...there, ...talkative])(
    '%s',
    async (agent) => {
      const root = await newFederation()
      await fedDone(root, ['onboard', 'api', '--archetype', 'coding', '--mission', 'Add a port'])
      const file = path.join(root, '.fed', 'worktrees', 'api', 'port.txt')
      const commit = 'git -c user.name=A -c user.email=a@example.org commit -q -m Port'
      const tell = 'fed report plan-ready --body plan'
      const shell = `echo 8080 > '${file}' && git add port.txt && ${commit} && ${tell}`
      const model = await startModel({
        script: [
          // claude may run git and fed, and writes by a tool of its own
          { tool: 'Write', input: { file_path: file, content: '8080' } },
          ...['git add port.txt', commit, tell].map((command) => ({ tool: 'Bash', input: { command } })),
          ...['bash', 'exec_command', 'run_shell_command'].map((tool) => ({
            tool,
            input: { command: shell, cmd: shell, description: 'work' },
          })),
        ],
      })
      const options = ['--max-sessions', '1', '--timeout', '100s']
      await fed(root, ['launch', '--team', 'api', '--agent', agent, ...options], {
        // as root claude's adapter works only where it is told that it is held
        env: { ...environmentFor(model.url), ...(agent.includes('claude-agent') ? { IS_SANDBOX: '1' } : {}) },
      })
      model.stop()
      expect(git(path.dirname(file), 'log', '--format=%s', '-1')).toBe('Port')
      const history = await fedJson<{ event: string; outcome: string }[]>(root, ['history', 'api'])
      expect(history).toContainEqual(
        expect.objectContaining({ event: 'report.plan-ready', outcome: 'accepted' }),
      )
    },
    slow,
  )
})

test.skipIf(process.getuid?.() !== 0 || realAgent('claude-agent-acp') === undefined)(
  'an adapter that does not work as root pauses the team, and meta hears why',
  async () => {
    const root = await newFederation()
    await fedDone(root, ['onboard', 'api', '--archetype', 'coding', '--mission', 'Add a port'])
    const model = await startModel({})
    const env = environmentFor(model.url)
    const launch = ['launch', '--team', 'api', '--agent', 'acp:claude-agent-acp', '--timeout', '100s']
    expect(await fed(root, launch, { env })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('cannot be used with root'),
    })
    model.stop()
    expect(await fedJson(root, ['status', 'api'])).toMatchObject({ state: 'paused' })
  },
  slow,
)
