// Proves that the committed JSON Schemas are what the code says, accept what it accepts, and reach the editor by
// `fed init`. Fails when a field was changed without `npm run schemas`, when a default or an explanation is
// missing, or when an old copy stays or a newer one is overwritten.
import { mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv, type AnySchemaObject } from 'ajv'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { configFields } from '../../../src/protocol/config-fields.ts'
import { configSchema } from '../../../src/protocol/config-schema.ts'
import { writeSchemas } from '../../../src/federation/schemas/schema-files.ts'
import { fed, newRepository } from '../../support/fed.ts'

const folder = fileURLToPath(new URL('../../../src/federation/schemas', import.meta.url))
const name = 'federate.config.schema.json'
const committed = readFileSync(path.join(folder, name), 'utf8')
const schema = JSON.parse(committed) as AnySchemaObject

test('making them again gives the committed files, byte for byte', () => {
  const fresh = mkdtempSync(path.join(os.tmpdir(), 'fed-schemas-'))
  const written = writeSchemas(fresh)
  const names = readdirSync(folder).filter((file) => file.endsWith('.json'))
  expect(names.toSorted()).toEqual(written.map((file) => path.basename(file)).toSorted())
  for (const file of written) {
    const there = readFileSync(path.join(folder, path.basename(file)), 'utf8')
    expect(there, 'run npm run schemas').toBe(readFileSync(file, 'utf8'))
  }
})

describe('the schema of the configuration', () => {
  const ajv = new Ajv()
  formats.default(ajv)
  const validate = ajv.compile(schema)
  const at = (field: string) =>
    field.split('.').reduce<AnySchemaObject>((inside, key) => inside['properties'][key], schema)

  test.each(configFields())('explains %s, and knows its default', (field) => {
    const value = field.split('.').reduce<unknown>(
      (inside, key) => (inside as Record<string, unknown> | undefined)?.[key],
      // what is optional as a whole has its defaults once it is there
      configSchema.parse(
        field.startsWith('setup.')
          ? { setup: { run: 'npm ci' } }
          : field.startsWith('link.')
            ? { link: { servers: ['nats://a:4222'], federation: 'shop' } }
            : {},
      ),
    )
    expect(at(field)['description']).toMatch(/^[A-Z].{10,}\.$/)
    const isRequired = ['setup.run', 'link.servers', 'link.federation'].includes(field)
    expect(at(field)['default']).toEqual(isRequired ? undefined : value)
  })

  test.each<unknown>([
    {},
    { $schema: './x.json', description: '', agentCommand: 'a b', importHook: 'x.ts' },
    { telemetry: {} },
    { telemetry: { collector: {} } },
    { telemetry: { enabled: false, collector: { endpoint: 'http://localhost:1' } } },
    { chatConfig: { teamId: '00000000-0000-4000-8000-000000000000', channelId: '19:a@thread.tacv2' } },
    { chatConfig: { teamId: 'x', channelId: '19:a@thread.tacv2' } },
    { chatConfig: {} },
    { telemetry: { enable: true } },
    {
      checks: [{ name: 'unit', run: 'npm test', timeout: '5m', protects: ['test/**'] }],
      setup: { run: 'npm ci' },
    },
    { checks: [{ name: 'Unit', run: 'npm test' }] },
    { checks: [{ name: 'unit' }] },
    { setup: { run: 'npm ci', keep: ['../x'] } },
    { setup: {} },
    { colour: 1 },
    { deliverable: '../x' },
    { deliverable: '.x' },
    { playbookSkill: '' },
    { agentCommand: ' ' },
    { telemetry: { collector: { endpoint: 'x' } } },
    [],
    null,
  ])('says of %j what fed says', (config) => {
    expect(validate(config)).toBe(configSchema.safeParse(config).success)
  })
})

describe('fed init', () => {
  const copyIn = (root: string) => path.join(root, '.fed', name)
  const older = (version: string) => JSON.stringify({ $comment: `fed ${version}` }).replace(':', ': ')

  test('puts it where $schema of the configuration points', async () => {
    const root = newRepository()
    await fed(root, ['init'])
    const { $schema } = JSON.parse(readFileSync(path.join(root, 'federate.config.json'), 'utf8'))
    expect(readFileSync(path.resolve(root, $schema), 'utf8')).toBe(committed)
  })

  test.each([
    ['an older one', older('0.0.9')],
    ['one of no version', '{}'],
    ['a damaged one', '\u0000'],
  ])('makes %s anew, once', async (_what, text) => {
    const root = newRepository()
    await fed(root, ['init'])
    writeFileSync(copyIn(root), text)
    expect((await fed(root, ['init'])).stdout).toContain('the schema of its configuration was renewed')
    expect(readFileSync(copyIn(root), 'utf8')).toBe(committed)
    const { mtimeMs } = statSync(copyIn(root))
    expect((await fed(root, ['init'])).stdout).toContain('nothing was changed')
    expect(statSync(copyIn(root)).mtimeMs).toBe(mtimeMs)
  })

  test('leaves what a newer fed made', async () => {
    const root = newRepository()
    await fed(root, ['init'])
    writeFileSync(copyIn(root), older('10.0.0'))
    await fed(root, ['init'])
    expect(readFileSync(copyIn(root), 'utf8')).toBe(older('10.0.0'))
  })

  test('a fresh clone that holds only the configuration gets it with its first team', async () => {
    const root = newRepository()
    writeFileSync(path.join(root, 'federate.config.json'), `{"$schema": "./.fed/${name}"}`)
    await fed(root, ['onboard', 'docs', '--archetype', 'deliverable'])
    expect(readFileSync(copyIn(root), 'utf8')).toBe(committed)
  })
})
