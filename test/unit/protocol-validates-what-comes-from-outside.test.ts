// Proves that each document of the specification §2 takes what the specification says and refuses the rest by
// field. It fails when a wrong value passes or a right one is refused.
import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { ConfigValidationError } from '../../src/errors/document-errors.ts'
import { InvalidNameError } from '../../src/errors/team-errors.ts'
import { configSchema } from '../../src/protocol/config-schema.ts'
import { learningSchema } from '../../src/protocol/learning.ts'
import { registrySchema } from '../../src/protocol/registry-schema.ts'
import { acknowledgmentSchema, signalSchema } from '../../src/protocol/signal.ts'
import { assertTeamId } from '../../src/protocol/team-id.ts'
import { loadConfig } from '../../src/records/config/load-config.ts'

const signal = {
  id: '6f1c2f0e-3d5b-4b70-9a51-0c2b7a4e8f11',
  timestamp: '2026-11-20T23:05:01Z',
  from: 'meta',
  to: 'docs',
  type: 'directive',
  subject: 'Document the storage',
  body: 'All of it',
  protocol: 'file-signal-v1',
}
const entry = {
  domain: 'docs',
  domainId: 'docs',
  archetypeId: 'deliverable',
  placementType: 'directory',
  onboardedAt: '2026-11-20T23:05:01.000Z',
  location: '/code/shop/.fed/teams/docs',
}
const registry = { lastUpdated: '2026-11-20T23:05:01Z', lockVersion: 3, teams: [entry] }
const learning = {
  timestamp: '2026-11-20T23:05:01Z',
  domain: 'docs',
  category: 'pattern',
  content: 'Every write links',
  tags: ['storage'],
  confidence: 'high',
}

describe.each([
  ['signal', signalSchema, signal],
  ['registry', registrySchema, registry],
  ['learning', learningSchema, learning],
  ['acknowledgment', acknowledgmentSchema, { acknowledged: true, acknowledged_at: '2026-11-20T23:05:01Z' }],
] as const)('a %s', (_name, schema, good) => {
  it('passes whole', () => {
    expect(schema.parse(good)).toEqual(good)
  })

  it.each(Object.keys(good))('is refused without %s, by that name', (field) => {
    const parsed = schema.safeParse({ ...good, [field]: undefined })
    expect(parsed.error?.issues[0]?.path).toEqual([field])
  })
})

describe('a signal', () => {
  it.each([
    ['id', 'not-a-uuid'],
    ['timestamp', 'yesterday'],
    ['timestamp', '2026-11-20'],
    ['from', '../meta'],
    ['to', 'Docs'],
    ['type', 'order'],
    ['subject', 7],
    ['protocol', 'file-signal-v2'],
    ['acknowledged', 'yes'],
    ['acknowledged_at', 0],
  ])('is refused when %s is %j', (field, value) => {
    expect(signalSchema.safeParse({ ...signal, [field]: value }).error?.issues[0]?.path).toEqual([field])
  })

  it('is refused when it holds more than its structure', () => {
    expect(signalSchema.safeParse({ ...signal, priority: 1 }).success).toBe(false)
  })
})

describe('a registry', () => {
  it.each([
    ['lockVersion', 1.5],
    ['lockVersion', '3'],
    ['lastUpdated', 'now'],
  ])('is refused when %s is %j', (field, value) => {
    expect(registrySchema.safeParse({ ...registry, [field]: value }).error?.issues[0]?.path).toEqual([field])
  })

  it('keeps fields that this version does not know', () => {
    const wider = { ...registry, region: 'eu', teams: [{ ...entry, colour: 'blue' }] }
    expect(registrySchema.parse(wider)).toEqual(wider)
  })
})

it('a registry is refused when a location depends on the present folder', () => {
  const relative = { ...registry, teams: [{ ...entry, location: '.fed/teams/docs' }] }
  expect(registrySchema.safeParse(relative).error?.issues[0]?.path).toEqual(['teams', 0, 'location'])
})

it.each(['.fed', '..', 'a/b', ''])('a deliverable may not be named %j', (deliverable) => {
  expect(configSchema.safeParse({ deliverable }).success).toBe(false)
})

describe('a team id', () => {
  it.each(['docs', 'api-docs', 'a1', '7', 'a'.repeat(64)])('may be %j', (id) => {
    expect(assertTeamId(id)).toBe(id)
  })

  it.each([
    '',
    'meta',
    'Docs',
    'a b',
    'a/b',
    '..',
    '../x',
    '-a',
    'a-',
    'a--b',
    'ä',
    'a\0',
    'a'.repeat(65),
    'a\n',
  ])('may not be %j', (id) => {
    expect(() => assertTeamId(id)).toThrow(InvalidNameError)
  })
})

describe('a configuration', () => {
  it('has the defaults of the specification', () => {
    expect(configSchema.parse({})).toEqual({
      agentCommand: 'fed-agent',
      agents: {},
      telemetry: { enabled: true, collector: { endpoint: 'http://localhost:18888' } },
      playbookSkill: 'domain-playbook',
      deliverable: 'deliverable.md',
      questionTimeout: '30m',
      checks: [],
      confinement: {
        mode: 'auto',
        ...{ read: [], write: [], sockets: [], hosts: [], env: [] },
        limits: { processes: 512, disk: '4GB' },
      },
    })
  })

  it('gives way to the environment where the specification says so', () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'fed-config-'))
    vi.stubEnv('FED_TELEMETRY_ENABLED', 'false')
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://localhost:4318')
    expect(loadConfig(root).telemetry).toEqual({
      enabled: false,
      collector: { endpoint: 'http://localhost:4318' },
    })
    vi.stubEnv('FED_TELEMETRY_ENABLED', 'no')
    expect(() => loadConfig(root)).toThrow(ConfigValidationError)
    vi.unstubAllEnvs()
  })

  it('names every problem at once, with its path', () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'fed-config-'))
    writeFileSync(
      path.join(root, 'federate.config.json'),
      JSON.stringify({
        agentCommand: '',
        telemetry: { enabled: 'yes' },
        deliverable: '../x.md',
        chatConfig: { teamId: 'x' },
      }),
    )
    const attempt = () => loadConfig(root)
    expect(attempt).toThrow(ConfigValidationError)
    try {
      attempt()
    } catch (error) {
      expect((error as ConfigValidationError).problems.map((problem) => problem.path)).toEqual([
        'agentCommand',
        'telemetry.enabled',
        'chatConfig.teamId',
        'chatConfig.channelId',
        'deliverable',
      ])
    }
  })
})
