// Proves that an agent within walls gets the variables of its own provider and those that are named, that `fed prompt`
// names what is withheld, and that no value of a secret is written by fed anywhere. It fails when another's key reaches
// the agent, or stands in a log, a record, the history, telemetry or what commands print.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { agent, fed, fedDone, fedJson, newFederation } from '../../support/fed.ts'
import { hasWalls } from '../../support/walls.ts'

const secrets = {
  ANTHROPIC_API_KEY: 'of-anthropic-1f0c',
  OPENAI_API_KEY: 'of-openai-77ab',
  AWS_SECRET_ACCESS_KEY: 'of-aws-90de',
  DATABASE_URL: 'postgres://me:of-database-3c4d@db/shop',
}
const values = /of-(?:anthropic-1f0c|openai-77ab|aws-90de|database-3c4d)/

interface Told {
  readonly open: string | null
  readonly inside: {
    readonly hosts: readonly string[]
    readonly variables: readonly string[]
    readonly withheld: readonly string[]
  }
}

describe.runIf(hasWalls)('where walls stand', () => {
  test('fed prompt names what is given and what is withheld, and no value', async () => {
    const root = await newFederation({ docs: 'Document the source' })
    writeFileSync(
      path.join(root, 'federate.config.json'),
      JSON.stringify({ confinement: { env: ['AWS_*'], hosts: ['registry.example.com'] } }),
    )
    const words = ['prompt', 'docs', '--agent', 'claude']
    const { open, inside } = await fedJson<Told>(root, words, { env: secrets })
    expect(open).toBeNull()
    expect(inside.variables).toEqual(expect.arrayContaining(['ANTHROPIC_API_KEY', 'AWS_SECRET_ACCESS_KEY']))
    expect(inside.withheld).toEqual(expect.arrayContaining(['OPENAI_API_KEY', 'DATABASE_URL']))
    expect(inside.withheld).not.toContain('ANTHROPIC_API_KEY')
    expect(inside.hosts).toEqual(expect.arrayContaining(['api.anthropic.com', 'registry.example.com']))
    expect(await fedDone(root, [...words, '--json'], { env: secrets })).not.toMatch(values)
    // the embedded agent reaches nobody, and has no provider
    const own = await fedJson<Told>(root, ['prompt', 'docs'], { env: secrets })
    expect([own.inside.hosts, own.inside.withheld.includes('ANTHROPIC_API_KEY')]).toEqual([[], true])
  })

  test('nothing that fed writes or prints holds a value', async () => {
    const root = await newFederation({ docs: 'Document the source' })
    const env = { ...secrets, FED_INSPECT: '1', FED_DEBUG: '1' }
    const launched = await fed(root, ['launch', '--team', 'docs', '--agent', agent('good')], { env })
    expect(launched.code).toBe(0)
    const printed = [
      launched.stdout + launched.stderr,
      ...(await Promise.all(
        [
          ['history', 'docs', '--json'],
          ['status', 'docs'],
          ['monitor', '--json'],
          ['doctor', '--json'],
        ].map(async (words) => Object.values(await fed(root, words, { env })).join('\n')),
      )),
    ]
    expect(printed.filter((text) => values.test(text))).toEqual([])
    const written = readdirSync(path.join(root, '.fed'), { recursive: true, withFileTypes: true }).flatMap(
      (entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []),
    )
    expect(written.length).toBeGreaterThan(20)
    expect(written.filter((file) => values.test(readFileSync(file, 'utf8')))).toEqual([])
  })
})
