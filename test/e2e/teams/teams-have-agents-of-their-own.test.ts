// Proves that a team's own agent works for it and no other team, unless a launch is told another, that it is kept and
// shown, and that an agent which cannot do the work is named when the team is made. It fails when a launch starts the
// configured agent for such a team, when a rewrite of the registry loses it, or when nothing is said before a launch.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import type { RegistryEntry } from '../../../src/index.ts'
import { agentOf, agentTrouble } from '../../../src/agents/sessions/agent-of-team.ts'
import { planAgent, plannedFor, planLaunch } from '../../../src/agents/sessions/launch-plan.ts'
import { launch } from '../../../src/agents/sessions/launch-team.ts'
import { listSessions } from '../../../src/agents/sessions/session-record.ts'
import { workspaceLayout } from '../../../src/protocol/folder-layout.ts'
import { agent, fed, fedDone, fedJson, newFederation, pathWith } from '../../support/fed.ts'
import { trust } from '../../support/allow-everything.ts'

let root: string

beforeEach(async () => {
  root = await newFederation()
})

const lastAgent = async (team: string) =>
  (await fedJson<{ session: { agent: string } | null }>(root, ['status', team])).session?.agent

test('it is started by a launch, unless that is told another', async () => {
  writeFileSync(path.join(root, 'federate.config.json'), '{ "agentCommand": "true" }\n')
  trust(root)
  const own = agent('good')
  const made = await fed(root, ['onboard', 'docs', '--agent', own, '--mission', 'Explain it'])
  expect([made.code, made.stderr]).toEqual([0, ''])
  await fedDone(root, ['onboard', 'api', '--mission', 'Explain it'])
  expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ agent: own })
  expect(await fedDone(root, ['status', 'docs'])).toContain(`\nagent: ${own}\n`)
  expect(await fedJson(root, ['status', 'api'])).toMatchObject({ agent: 'true' })
  const other = ['--agent', 'false', '--max-sessions', '1']
  expect((await fed(root, ['launch', 'docs', ...other])).code).toBe(1)
  expect(await lastAgent('docs')).toBe('false')
  await fedDone(root, ['launch', 'docs', '--reset'])
  expect(await lastAgent('docs')).toBe(own)
  await fed(root, ['launch', 'api', '--max-sessions', '1'])
  expect(await lastAgent('api')).toBe('true')
  // the same by the main command, for a team that is there
  await fedDone(root, ['run', 'Explain more', '--team', 'docs'])
  expect(await lastAgent('docs')).toBe(own)
})

test('a launch that is under way keeps to its own, whatever the team is given meanwhile', async () => {
  const federation = new Federation(root)
  const docs = await federation.onboard({ domain: 'docs', agent: agent('unfinished', '2') })
  await docs.direct('Explain it', 'All of it')
  let plans = 0
  const makePlan = () => {
    plans += 1
    return planLaunch(plannedFor(docs), { limits: { maxSessions: 3 } })
  }
  const { state } = await launch(docs, makePlan, {
    onProgress: ({ kind }) => {
      if (kind === 'session')
        federation.registry.updateEntry('docs', (entry) => ({ ...entry, agent: 'false' }))
    },
  })
  const agents = listSessions(workspaceLayout(docs.actor.workspace).sessions).map((one) => one.agent)
  expect([state, plans, agents]).toEqual(['complete', 1, Array(3).fill(agent('unfinished', '2'))])
})

test('who is to go on with the mission of a launch is told the agent that was chosen for it', async () => {
  await fedDone(root, ['onboard', 'docs', '--mission', 'Explain it'])
  const chosen = agent('waiting')
  const next = `'fed launch --team docs --agent "${chosen}"'`
  const late = await fed(root, ['launch', 'docs', '--agent', chosen, '--timeout', '2s'])
  expect([late.code, late.stderr]).toEqual([3, expect.stringContaining(`${next} carries on`)])
  await fedDone(root, ['pause', 'docs'])
  expect(await fedDone(root, ['resume', 'docs'])).toContain(`${next} starts one`)
  const own = await fed(root, ['launch', 'docs', '--timeout', '1ms'])
  expect([own.code, own.stderr]).toEqual([3, expect.stringContaining("'fed launch --team docs' carries on")])
})

test('it is chosen after what is chosen for now, and before the configured one', async () => {
  const federation = new Federation(root)
  const [docs, api] = [
    await federation.onboard({ domain: 'docs', agent: 'claude' }),
    await federation.onboard({ domain: 'api' }),
  ]
  const chosen = planAgent(plannedFor(docs), { agent: 'codex' }).agent
  expect([agentOf(docs), chosen, agentOf(api)]).toEqual(['claude', 'codex', 'fed-agent'])
})

test('one whose name no file can have is named when the team is made', async () => {
  const { code, stderr } = await fed(root, ['onboard', 'docs', '--agent', 'x'.repeat(5000)])
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^agent 'x+…': there is no program /)])
})

test('it is kept by whatever else writes the registry, and so is what fed does not know', async () => {
  await fedDone(root, ['onboard', 'docs', '--agent', 'claude'])
  const file = path.join(root, '.fed', 'team-registry.json')
  const registry = JSON.parse(readFileSync(file, 'utf8')) as { teams: Record<string, unknown>[] }
  Object.assign(registry.teams[0] as object, { owner: { name: 'Ada' } })
  writeFileSync(file, JSON.stringify(registry))
  await fedDone(root, ['onboard', 'api'])
  await fedDone(root, ['pause', 'docs'])
  expect(new Federation(root).registry.entry('docs')).toMatchObject({
    agent: 'claude',
    owner: { name: 'Ada' },
    status: 'paused',
  })
})

test('the embedded agent says what it cannot do when the team is made', async () => {
  const PATH = pathWith({ claude: 'exit 0' })
  const { code, stderr } = await fed(root, ['onboard', 'api', '--archetype', 'coding'], { env: { PATH } })
  expect(code).toBe(0)
  expect(stderr).toContain(
    "fed-agent cannot work for api: a team of the archetype 'coding' needs an agent that can write code; 'fed launch --team api --agent claude'",
  )
  // who names it is refused, and nothing is made
  const named = await fed(root, ['onboard', 'app', '--archetype', 'coding', '--agent', 'fed-agent'])
  expect(named).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("a team of the archetype 'coding' needs") as string,
  })
  expect(new Federation(root).registry.read().teams.map(({ domainId }) => domainId)).not.toContain('app')
  const web = await fed(root, ['onboard', 'web', '--archetype', 'coding', '--agent', 'claude'], {
    env: { PATH },
  })
  expect([web.code, web.stderr]).not.toContain('cannot work')
})

const entry = { domainId: 'docs', archetypeId: 'deliverable' } as RegistryEntry
test.each([
  [{}, {}, undefined],
  [{}, { deliverable: 'report.json' }, /cannot work for docs: the deliverable is report.json/],
  [{ agent: 'no-such-agent -x' }, {}, /there is no program 'no-such-agent' on the PATH/],
  [{ agent: 'true' }, { deliverable: 'report.json' }, undefined],
  [{ archetypeId: 'consultant' }, {}, undefined],
  [{ archetypeId: 'coding' }, {}, /cannot work for docs: a team of the archetype 'coding'/],
])('of %j with %j is told: %s', (own, configured, told) => {
  const { config } = new Federation(root)
  const trouble = agentTrouble({ ...entry, ...own }, { ...config, ...configured })
  if (told === undefined) expect(trouble).toBeUndefined()
  else expect(trouble).toMatch(told)
})

test.each(['', ' ', 'claude\nrm'])('no team is made for the agent %j', async (name) => {
  await expect(new Federation(root).onboard({ domain: 'docs', agent: name })).rejects.toThrow(/--agent: /)
  expect(new Federation(root).registry.read().teams).toEqual([])
})
