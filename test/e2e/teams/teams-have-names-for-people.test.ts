// Proves that a team may be called what people call it, that its id is made of that (spec §2.4), that two names of one
// id make one team, and that nothing else than letters and digits gets into an id. It fails when a name becomes a path,
// when a second team takes the first one's place, or when a command does not know a team by its name.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { InvalidNameError } from '../../../src/errors/team-errors.ts'
import { Federation } from '../../../src/federation/federation.ts'
import type { FiledSignal, RegistryEntry } from '../../../src/index.ts'
import { teamIdOf } from '../../../src/protocol/team-id.ts'
import { agent, fed, fedDone, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'

test.each([
  ['docs', 'docs'],
  ['API Docs', 'api-docs'],
  ['  API  Docs ', 'api-docs'],
  ['Node.js & C++', 'node-js-c'],
  ['Übergröße Café', undefined],
  ['Über Café 1', 'uber-cafe-1'],
  ['A', 'a'],
  ['a--b', 'a-b'],
])('of %j the id %j is made', (name, id) => {
  if (id === undefined) expect(() => teamIdOf(name)).toThrow(InvalidNameError)
  else expect(teamIdOf(name)).toBe(id)
})

test.each([
  ...[
    '',
    ' ',
    '../x',
    '/etc',
    'a/b',
    'a\\b',
    '-x',
    '.hidden',
    '_a',
    'a\nb',
    'a\u0000b',
    'a\u202eb',
    'a;b',
    'a$b',
  ],
  ...[
    'a,b',
    'a"b',
    'meta',
    'Meta',
    'M.E.T.A'.replaceAll('.', ''),
    '日本語',
    'Docs 日本',
    'x'.repeat(65),
    '#',
  ],
])('of %j none is made', (name) => {
  expect(() => teamIdOf(name)).toThrow(InvalidNameError)
})

test('a name that looks like an id and is none leads to its team', async () => {
  const root = await newFederation()
  await fedDone(root, ['onboard', 'web--app'])
  expect(await fedDone(root, ['status', 'web--app'])).toMatch(/^web-app \(web--app\) {2}/)
})

describe('a team that is called API Docs', () => {
  let root: string

  beforeAll(async () => {
    root = await newFederation()
    expect(await fedDone(root, ['onboard', 'API Docs', '--mission', 'Explain it'])).toBe(
      `API Docs, as a team api-docs, is onboarded in ${workspaceOf(root, 'api-docs')}\n`,
    )
  })

  test('has an id for paths and signals, and is registered under both', () => {
    expect(new Federation(root).registry.read().teams).toMatchObject([
      { domain: 'API Docs', domainId: 'api-docs', location: workspaceOf(root, 'api-docs') },
    ])
    expect(readdirSync(path.join(root, '.fed', 'teams'))).toEqual(['api-docs'])
  })

  test.each(['API Docs', 'api docs', 'api-docs'])('is the one that %j would be', async (name) => {
    const { code, stderr } = await fed(root, ['onboard', name])
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^fed: team 'api-docs' exists already, which is also the id made of 'API Docs'/),
    ])
  })

  test('is known to commands by its name as by its id', async () => {
    expect(await fedDone(root, ['status', 'API Docs'])).toMatch(/^api-docs \(API Docs\) {2}deliverable/)
    expect(await fedDone(root, ['status'])).toMatch(/^api-docs \(API Docs\) {2}/)
    expect(await fedJson(root, ['status', 'API Docs'])).toMatchObject({
      team: 'api-docs',
      domain: 'API Docs',
    })
    const send = ['send', 'API Docs', '--type', 'report', '--subject', 'News']
    const sent = await fedJson<FiledSignal>(root, send)
    expect(sent.to).toBe('api-docs')
    expect(await fedDone(root, ['inbox', 'API Docs', '--all'])).toContain('News')
    await fedDone(root, ['ack', 'API Docs', sent.id])
    await fedDone(root, ['launch', 'API Docs', '--agent', agent('good')])
    expect((await fedJson<RegistryEntry>(root, ['status', 'api-docs'])).state).toBe('complete')
    await fedDone(root, ['run', 'Explain more', '--team', 'API Docs', '--agent', agent('good')])
    await fedDone(root, ['offboard', 'API Docs'])
    expect(await fedJson(root, ['status'])).toEqual([])
  })
})
