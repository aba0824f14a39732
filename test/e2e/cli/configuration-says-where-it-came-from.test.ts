// Proves that `fed config` shows what really applies and where each value came from, and never a password. Fails
// when a field is left out, a source is wrong, or the credentials of an endpoint are printed.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import { withoutPassword } from '../../../src/protocol/shown-url.ts'
import { fed, fedDone, fedJson, newFederation, newFolder, type Settings } from '../../support/fed.ts'

let root: string
beforeEach(async () => {
  root = await newFederation()
})

const plain = { FED_TELEMETRY_ENABLED: '' }

function configure(config: unknown): void {
  writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify(config))
}

async function shown(env: Settings['env'] = {}): Promise<Record<string, [unknown, string]>> {
  const document = await fedJson<{
    file: string
    exists: boolean
    fields: { field: string; value: unknown; source: string }[]
  }>(root, ['config'], { env: { ...plain, ...env } })
  expect(document).toMatchObject({ file: path.join(root, 'federate.config.json'), exists: true })
  return Object.fromEntries(document.fields.map(({ field, value, source }) => [field, [value, source]]))
}

test('every field of the specification, at its default', async () => {
  configure({})
  expect(await shown()).toEqual({
    description: [null, 'default'],
    federationName: [null, 'default'],
    agentCommand: ['fed-agent', 'default'],
    agents: [{}, 'default'],
    'telemetry.enabled': [true, 'default'],
    'telemetry.collector.endpoint': ['http://localhost:18888', 'default'],
    'chatConfig.teamId': [null, 'default'],
    'chatConfig.channelId': [null, 'default'],
    'chatConfig.allowedSenders': [null, 'default'],
    'chatConfig.server.command': [null, 'default'],
    'chatConfig.server.tools.list': [null, 'default'],
    'chatConfig.server.tools.post': [null, 'default'],
    'chatConfig.server.tools.reply': [null, 'default'],
    'chatConfig.server.arguments': [null, 'default'],
    'link.servers': [null, 'default'],
    'link.federation': [null, 'default'],
    'link.meta': [null, 'default'],
    'link.site': [null, 'default'],
    'link.labels': [null, 'default'],
    'link.slots': [null, 'default'],
    'link.remote': [null, 'default'],
    'link.credentials': [null, 'default'],
    'link.ca': [null, 'default'],
    playbookSkill: ['domain-playbook', 'default'],
    questionTimeout: ['30m', 'default'],
    deliverable: ['deliverable.md', 'default'],
    deliverableSchema: [null, 'default'],
    importHook: [null, 'default'],
    target: [null, 'default'],
    'budget.mission': [null, 'default'],
    'budget.team': [null, 'default'],
    'budget.federation': [null, 'default'],
    checks: [[], 'default'],
    'setup.run': [null, 'default'],
    'setup.keep': [null, 'default'],
    'setup.inputs': [null, 'default'],
    'setup.timeout': [null, 'default'],
  })
})

test('a value of the file, one that the environment overrides, and one that equals the default', async () => {
  configure({
    agentCommand: 'claude',
    deliverable: 'deliverable.md',
    telemetry: { enabled: true, collector: { endpoint: 'http://file:1' } },
  })
  const fields = await shown({ FED_TELEMETRY_ENABLED: 'false' })
  expect(fields).toMatchObject({
    agentCommand: ['claude', 'file'],
    deliverable: ['deliverable.md', 'file'],
    'telemetry.enabled': [false, 'FED_TELEMETRY_ENABLED'],
    'telemetry.collector.endpoint': ['http://file:1', 'file'],
    playbookSkill: ['domain-playbook', 'default'],
  })
})

test('for people it is a table', async () => {
  configure({ federationName: 'shop\u001b[2J' })
  const text = await fedDone(root, ['config'], { env: plain })
  expect(text).toMatch(/^federationName +shop +file$/m)
  expect(text).toMatch(/^importHook +\(none\) +default$/m)
  expect(text).toMatch(/^checks +\(none\) +default$/m)
})

test('a password is not shown, and used all the same', async () => {
  const endpoint = 'http://me:se%40cret@localhost:4318/otlp'
  configure({ telemetry: { collector: { endpoint } } })
  for (const args of [['config'], ['config', '--json']]) {
    const text = await fedDone(root, args, { env: plain })
    expect(text).toContain('http://me:***@localhost:4318/otlp')
    expect(text).not.toContain('cret')
  }
  expect(new Federation(root).config.telemetry.collector.endpoint).toBe(endpoint)
})

test.each([
  ['http://localhost:18888', 'http://localhost:18888'],
  ['https://token@collector:4318', 'https://***@collector:4318/'],
  ['https://me:a:b@c@collector', 'https://me:***@collector/'],
  ['me:se/cret', 'me:se/cret'],
  ['me:s:e@c@collector:4318/otlp', 'me:***@collector:4318/otlp'],
  ['no url', 'no url'],
])('%s is shown as %s', (url, as) => {
  expect(withoutPassword(url)).toBe(as)
})

test('a wrong configuration is refused with all its problems, and no federation is 4', async () => {
  configure({ colour: 1, deliverable: '' })
  const { code, stderr } = await fed(root, ['config', '--json'])
  expect([code, stderr]).toEqual([2, expect.stringMatching(/deliverable: .*\n.*colour: /s)])
  expect((await fed(newFolder('nowhere'), ['config'])).code).toBe(4)
})

test('checks stand in one line each', async () => {
  const checks = [
    { name: 'lint', run: 'npm run lint' },
    { name: 'unit', run: 'npm test', timeout: '1h' },
  ]
  configure({ checks, setup: { run: 'npm ci', keep: ['node_modules', 'web/node_modules'] } })
  const text = await fedDone(root, ['config'], { env: plain })
  expect(text).toMatch(/^checks +lint: npm run lint \(10m\), unit: npm test \(1h\) +file$/m)
  expect(text).toMatch(/^setup\.keep +node_modules, web\/node_modules +file$/m)
  expect(text).toMatch(/^setup\.timeout +10m +default$/m)
})
