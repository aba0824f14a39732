// Proves that a wrong configuration is told whole: every problem of the file and of the environment at once, with
// its path, and for an unknown field the one that was meant. Fails when a problem hides another, when a hint
// misleads, or when one problem takes more than one line.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { meantField } from '../../../src/protocol/config-fields.ts'
import { fed, fedJson, newFederation, newFolder, type Settings } from '../../support/fed.ts'

let root: string
beforeAll(async () => {
  root = await newFederation()
})

async function refused(config: unknown, env: Settings['env'] = {}): Promise<string[]> {
  const dir = newFolder('configured')
  const text = typeof config === 'string' ? config : JSON.stringify(config)
  writeFileSync(path.join(dir, 'federate.config.json'), text)
  const { code, stdout, stderr } = await fed(dir, ['status'], { env })
  expect([code, stdout]).toEqual([2, ''])
  return stderr.trimEnd().replaceAll(`${dir}${path.sep}`, '').split('\n')
}

const off = { FED_TELEMETRY_ENABLED: 'off', OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }

test('problems of the file and of the environment stand in one list', async () => {
  const config = { agentCommand: ' ', telemetry: { enable: false }, chatConfig: { teamId: 'x' } }
  expect(await refused(config, off)).toEqual([
    'fed: federate.config.json is not valid:',
    '  agentCommand: is empty',
    '  telemetry.enable: there is no such field; did you mean telemetry.enabled?',
    '  chatConfig.teamId: is not a GUID',
    '  chatConfig.channelId: is missing',
    "  FED_TELEMETRY_ENABLED: in the environment: 'off' is neither true nor false",
    '  OTEL_EXPORTER_OTLP_ENDPOINT: in the environment: is not an http or https URL',
  ])
})

test('a file that is no JSON hides nothing of the environment', async () => {
  const [head, ...problems] = await refused('{', off)
  expect(head).toBe('fed: federate.config.json is not valid:')
  expect(problems).toEqual([
    expect.stringMatching(/^ {2}not JSON: /),
    expect.stringMatching(/^ {2}FED_TELEMETRY_ENABLED: /),
    expect.stringMatching(/^ {2}OTEL_EXPORTER_OTLP_ENDPOINT: /),
  ])
})

test('an environment that alone is wrong is named as such', async () => {
  const [head, ...problems] = await refused({}, off)
  expect(head).toBe('fed: the environment is not valid:')
  expect(problems).toHaveLength(2)
})

test.each([
  [{ colour: 'red' }, {}, 'fed: federate.config.json is not valid: colour: there is no such field'],
  [null, {}, 'fed: federate.config.json is not valid: expected object, received null'],
  [
    {},
    { FED_TELEMETRY_ENABLED: '1' },
    "fed: the environment is not valid: FED_TELEMETRY_ENABLED: in the environment: '1' is neither true nor false",
  ],
])('one problem takes one line: %j with %j', async (config, env, line) => {
  expect(await refused(config, env)).toEqual([line])
})

test('a wrong endpoint is not repeated, because it may hold a password', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: '//me:secret@collector' }
  expect((await refused({}, env)).join('\n')).not.toContain('secret')
})

test('the environment overrides both fields, and an empty variable none', async () => {
  const config = { telemetry: { enabled: true, collector: { endpoint: 'http://file:1' } } }
  writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify(config))
  const telemetry = async (env: Settings['env']) => {
    const { fields } = await fedJson<{ fields: { field: string; value: unknown }[] }>(root, ['config'], {
      env,
    })
    return fields.flatMap(({ field, value }) => (field.startsWith('telemetry.') ? [value] : []))
  }
  const set = { FED_TELEMETRY_ENABLED: 'false', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://variable:2' }
  const empty = { FED_TELEMETRY_ENABLED: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' }
  expect(await telemetry(set)).toEqual([false, 'http://variable:2'])
  expect(await telemetry(empty)).toEqual([true, 'http://file:1'])
})

test('a chat without a name is no problem before the bridge needs it', async () => {
  const chatConfig = { teamId: '00000000-0000-4000-8000-000000000000', channelId: '19:a@thread.tacv2' }
  writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify({ chatConfig }))
  expect((await fed(root, ['status'])).code).toBe(0)
})

describe('an unknown field', () => {
  test.each([
    ['telemetry.enable', 'telemetry.enabled'],
    ['telemetry.Enabled', 'telemetry.enabled'],
    ['telemetry.colector', 'telemetry.collector'],
    ['telemetry.collector.endpont', 'telemetry.collector.endpoint'],
    ['chatConfig.channelID', 'chatConfig.channelId'],
    ['deliverables', 'deliverable'],
    ['agent', 'agentCommand'],
    ['schema', '$schema'],
    // at another depth than it belongs
    ['enabled', 'telemetry.enabled'],
    ['telemetry.endpoint', 'telemetry.collector.endpoint'],
    ['telemetry.deliverable', 'deliverable'],
    ['teamId', 'chatConfig.teamId'],
  ])('%s means %s', (given, meant) => {
    expect(meantField(given)).toBe(meant)
  })

  test.each(['colour', 'x', '', 'constructor', 'telemetry.retries', 'a'.repeat(100_000)])(
    '%# is like none',
    (given) => {
      expect(meantField(given)).toBeUndefined()
    },
  )
})

test.each(['grpc://127.0.0.1:4317', 'ftp://collector', 'file:///etc/passwd', 'localhost:4318', 'localhost'])(
  'telemetry cannot go to %s, which is told on load',
  async (endpoint) => {
    expect(await refused({ telemetry: { collector: { endpoint } } })).toEqual([
      'fed: federate.config.json is not valid: telemetry.collector.endpoint: is not an http or https URL',
    ])
  },
)

test('an id that is missing is told as missing, one of another kind as that', async () => {
  expect(await refused({ chatConfig: {} })).toEqual([
    'fed: federate.config.json is not valid:',
    '  chatConfig.teamId: is missing',
    '  chatConfig.channelId: is missing',
  ])
})

describe('checks and their setup', () => {
  const unit = { name: 'unit', run: 'npm test' }
  test.each([
    [
      { checks: [{ ...unit, timout: '5m' }] },
      'checks.0.timout: there is no such field; did you mean checks.0.timeout?',
    ],
    [
      { setup: { run: 'npm ci', keeps: [] } },
      'setup.keeps: there is no such field; did you mean setup.keep?',
    ],
    [{ checks: [unit, unit] }, 'checks.1.name: is the name of another check'],
    [
      { checks: [{ ...unit, name: '../unit' }] },
      'checks.0.name: must be lower-case letters or digits, in words joined by -',
    ],
    [
      { checks: [{ ...unit, name: 'setup' }] },
      "checks.0.name: is the name of the setup's own log; give the check another",
    ],
    [{ checks: [{ name: 'unit' }] }, 'checks.0.run: is missing'],
    [
      { checks: [{ ...unit, run: 'npm ci && npm test' }] },
      "checks.0.run: there is no shell, so '&&' has no meaning; put the commands into a script and run that",
    ],
    [
      { checks: [{ ...unit, run: 'npm test | tee log' }] },
      "checks.0.run: there is no shell, so '|' has no meaning; put the commands into a script and run that",
    ],
    [{ checks: [{ ...unit, run: " '" }] }, "checks.0.run: a quote has no end in:  '"],
    [{ checks: [{ ...unit, run: ' ' }] }, 'checks.0.run: the command is empty'],
    [
      { checks: [{ ...unit, timeout: 'long' }] },
      'checks.0.timeout: is no duration; give one such as 30s, 10m or 2h',
    ],
    [
      { checks: [{ ...unit, timeout: '0s' }] },
      'checks.0.timeout: is no duration; give one such as 30s, 10m or 2h',
    ],
    [{ checks: [{ ...unit, timeout: '999h' }] }, 'checks.0.timeout: is longer than 24 days (576h)'],
    [
      { setup: { run: 'npm ci', keep: ['../elsewhere'] } },
      'setup.keep.0: must be a path inside of the checkout, without . or .., and not .git',
    ],
    [
      { setup: { run: 'npm ci', keep: ['a/.git/hooks'] } },
      'setup.keep.0: must be a path inside of the checkout, without . or .., and not .git',
    ],
    [
      { setup: { run: 'npm ci', keep: ['/etc'] } },
      'setup.keep.0: must be a path inside of the checkout, without . or .., and not .git',
    ],
    [
      { setup: { run: 'npm ci', keep: [] } },
      'setup.keep: names nothing: leave setup out, or name what it makes',
    ],
  ])('%j', async (config, problem) => {
    expect(await refused(config)).toEqual([`fed: federate.config.json is not valid: ${problem}`])
  })
})
