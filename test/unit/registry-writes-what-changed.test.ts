// Proves that a registry is written as JSON.stringify would write it, whatever changed, and that an entry which did
// not change is neither read nor checked anew, while what another program wrote is. Fails when a piece of an older
// text gets into a newer, when a wrong entry passes as known, or when every entry is a new one after each write.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConfigValidationError } from '../../src/errors/document-errors.ts'
import { federationLayout } from '../../src/protocol/folder-layout.ts'
import type { RegistryEntry } from '../../src/protocol/registry-schema.ts'
import { RegistryCodec } from '../../src/records/registry/registry-codec.ts'
import { TeamRegistry } from '../../src/records/registry/team-registry.ts'
import { newFederation } from '../support/federation.ts'
import { seed, tries } from '../support/thorough.ts'

const at = '2026-11-20T23:05:01.000Z'

function entry(domainId: string, more: object = {}): RegistryEntry {
  const known = { archetypeId: 'deliverable', placementType: 'directory', onboardedAt: at } as const
  return { domain: domainId, domainId, ...known, location: `/teams/${domainId}`, ...more }
}

const teamNames = ['a', 'b', 'c', 'd', 'e', 'f']
const unknown = fc.record(
  {
    status: fc.constantFrom('active', 'paused'),
    note: fc.string({ unit: 'binary' }),
    nested: fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const teamsOf = fc
  .subarray(teamNames, { minLength: 0 })
  .chain((names) => fc.tuple(fc.shuffledSubarray(names, { minLength: names.length }), fc.array(unknown)))
  .map(([names, more]) => names.map((name, index) => entry(name, more[index])))
/** Other teams, or those before with one changed, removed or in another place. */
const nextTeams = fc.oneof(
  teamsOf.map((next) => () => next),
  fc
    .tuple(fc.constantFrom('change', 'remove', 'move'), fc.nat(5))
    .map(([what, place]) => (teams: readonly RegistryEntry[]) => {
      const [one] = teams.slice(place)
      if (one === undefined) return teams
      const others = teams.toSpliced(place, 1)
      if (what === 'change') return teams.with(place, { ...one, lastActive: at, note: String(place) })
      return what === 'move' ? [one, ...others] : others
    }),
)

test('any sequence of registries is written as by JSON.stringify, and read back as it was', () => {
  fc.assert(
    fc.property(
      fc.array(nextTeams, { minLength: 2, maxLength: 8 }),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (sequence, extra) => {
        const codec = new RegistryCodec()
        let teams: readonly RegistryEntry[] = teamNames.map((name) => entry(name))
        for (const [lockVersion, next] of sequence.entries()) {
          teams = next(teams)
          const content = {
            ...extra,
            lastUpdated: at,
            lockVersion,
            teams,
            commit: { id: 'x', previous: null },
          }
          const { text, json } = codec.encode(content)
          expect(text).toBe(JSON.stringify(content, null, 2))
          expect(json).toEqual(JSON.parse(text))
          const registry = codec.decode(json, 'registry')
          expect(registry).toEqual(new RegistryCodec().decode(JSON.parse(text), 'registry'))
          teams = registry.teams
        }
      },
    ),
    { seed, numRuns: tries(200) },
  )
})

test('entries that did not change stay the very same, and a change is seen by every process', () => {
  const root = newFederation()
  const registry = new TeamRegistry(root)
  registry.update(
    (draft) => void draft.teams.push(...teamNames.map((name) => entry(name, { note: ['kept'] }))),
  )
  const other = new TeamRegistry(root)
  const [before, seen] = [registry.read(), other.read()]
  registry.updateEntry('c', (team) => ({ ...team, status: 'paused' }))
  const changed = (one: TeamRegistry, than: typeof before) =>
    one.read().teams.flatMap((team, index) => (team === than.teams[index] ? [] : [team.domainId]))
  expect(changed(registry, before)).toEqual(['c'])
  expect(changed(other, seen)).toEqual(['c'])
  expect(other.entry('c')).toMatchObject({ status: 'paused', note: ['kept'] })
  registry.update((draft) => {
    for (const team of draft.teams) if (team.domainId === 'e') team.status = 'paused'
  })
  expect(changed(other, seen)).toEqual(['c', 'e'])
  const { registry: file } = federationLayout(root)
  const text = readFileSync(file, 'utf8')
  expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`)
})

test('what another program wrote is checked in full, whatever was known before', () => {
  const root = newFederation()
  const { registry: file } = federationLayout(root)
  const registry = new TeamRegistry(root)
  registry.update((draft) => void draft.teams.push(entry('a'), entry('b'), entry('c')))
  const { lockVersion } = registry.read()
  const written = JSON.parse(readFileSync(file, 'utf8')) as { teams: object[] }
  const write = (teams: object[]) =>
    writeFileSync(
      file,
      JSON.stringify({ ...written, lockVersion: lockVersion + 1, commit: undefined, teams }),
    )
  const problem = () => {
    try {
      registry.read()
      return undefined
    } catch (error) {
      if (!(error instanceof ConfigValidationError)) throw error
      return error.message
    }
  }
  write([entry('a'), { ...entry('b'), status: 'asleep' }, entry('c')])
  expect(problem()).toContain('teams.1.status')
  write([entry('a'), entry('b'), entry('a')])
  expect(problem()).toContain("'a' is another team's already")
  write([entry('c'), { ...entry('b'), mood: 'good' }, entry('a')])
  expect(problem()).toBeUndefined()
  expect(registry.read().teams.map(({ domainId }) => domainId)).toEqual(['c', 'b', 'a'])
  registry.updateEntry('a', (team) => ({ ...team, status: 'paused' }))
  expect(new TeamRegistry(root).entry('b')).toMatchObject({ mood: 'good' })
})

test('numbers that JavaScript cannot hold stay as another program wrote them', () => {
  const root = newFederation()
  const { registry: file } = federationLayout(root)
  new TeamRegistry(root).update((draft) => void draft.teams.push(entry('a'), entry('b')))
  const numbers = '[12345678901234567890, 1e400, -9007199254740993, 0.12345678901234567891, 1E+2, 1.50, 7]'
  const strings = String.raw`\": 12345678901234567890, \\`
  const text = readFileSync(file, 'utf8')
    .replace('"domain": "a"', `"ids": ${numbers}, "text": "${strings}", $&`)
    .replace('"commit"', `"thread": 1130213412345678901, $&`)
  writeFileSync(file, text)
  const changed = (registry: TeamRegistry, turn: number) => {
    registry.updateEntry('b', (team) => ({ ...team, lastActive: new Date(turn).toISOString() }))
    const now = readFileSync(file, 'utf8')
    expect(now.replaceAll(/\s/g, '')).toContain(
      '"ids":[12345678901234567890,1e400,-9007199254740993,0.12345678901234567891,100,1.5,7]',
    )
    expect(now).toContain('"thread": 1130213412345678901')
    expect(now).toContain(`"text": "${strings}"`)
    expect(now).toContain(new Date(turn).toISOString())
  }
  const registry = new TeamRegistry(root)
  for (const turn of [0, 1]) changed(registry, turn)
  changed(new TeamRegistry(root), 2)
  registry.update((draft) => {
    for (const team of draft.teams) team.status = 'paused'
  })
  changed(registry, 3)
})

test('the versions that are kept have a size, however many teams there are', () => {
  const root = newFederation()
  const registry = new TeamRegistry(root)
  const note = 'x'.repeat(8 * 1024 * 1024)
  registry.update((draft) => void draft.teams.push(entry('a', { note })))
  for (let turn = 0; turn < 10; turn += 1)
    registry.updateEntry('a', (team) => ({ ...team, lastActive: new Date(turn).toISOString() }))
  const folder = federationLayout(root).registry.replace(/\.json$/, '.d')
  const sizes = readdirSync(folder).map((name) => statSync(path.join(folder, name)).size)
  // collected at every fourth write of such a size
  expect(sizes.reduce((all, size) => all + size, 0)).toBeLessThan((32 + 4 * 8.1) * 1024 * 1024)
  expect(new TeamRegistry(root).read().teams[0]).toMatchObject({ note })
})
