// Proves that a lifecycle that was damaged or edited is refused by the name of its file and field, even where
// xstate would take it in silence and both of its copies agree. Fails when a team goes on from a state that it
// was never in, or when anything is written over the damage.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeSnapshot } from '../../../src/engine/decide/snapshot.ts'
import { readPresent } from '../../../src/engine/step/present.ts'
import { CorruptDocumentError } from '../../../src/errors/document-errors.ts'
import { explore, lifecycles } from '../../support/graph.ts'
import { TestTeam } from '../../support/test-team.ts'
import { tries } from '../../support/thorough.ts'

// JSON is walked here as it comes
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

interface Home {
  readonly published: string
  readonly version: string
  readonly text: string
}

const homes = new Map<string, { team: TestTeam; home: Home }>()

async function settle(machine: (typeof lifecycles)[number], name: string) {
  const team = await TestTeam.begin(machine.id)
  await team.walk(explore(machine).situations.find((one) => one.name === name)?.path ?? [])
  const published = path.join(team.workspace, '.fed', 'lifecycle.json')
  const version = path.join(team.workspace, '.fed', 'lifecycle.d', `${team.head().version}.json`)
  homes.set(name, { team, home: { published, version, text: readFileSync(published, 'utf8') } })
}

const [deliverable, , consultant] = lifecycles as unknown as [
  (typeof lifecycles)[number],
  unknown,
  (typeof lifecycles)[number],
]
beforeAll(async () => {
  for (const name of ['preparing', 'paused in scanning', 'complete', 'failed'])
    await settle(deliverable, name)
  await settle(consultant, 'researching')
})

function write({ published, version }: Home, text: string, which: 'both' | 'published' | 'version' = 'both') {
  for (const [name, file] of [
    ['published', published],
    ['version', version],
  ] as const) {
    if (which !== 'both' && which !== name) continue
    rmSync(file)
    writeFileSync(file, text)
  }
}

afterAll(() => {
  for (const { home } of homes.values()) write(home, home.text)
})

const paused = 'paused in scanning'
const resumed = 'deliverable.working.resumed'
const history = (targets: Json) => (json: Json) => {
  json.snapshot.history = targets
}
const value = (next: Json) => (json: Json) => {
  json.snapshot.value = next
}
const status = (next: string) => (json: Json) => {
  json.snapshot.status = next
}
const context = (field: string, next: Json) => (json: Json) => {
  json.snapshot.context[field] = next
}
const top = (field: string, next: Json) => (json: Json) => {
  json[field] = next
}

/** What is wrong, where the team was, how it is damaged, and the field that must be named. */
const damages: readonly [string, string, (json: Json) => void, string][] = [
  [
    'a history target that no state has',
    paused,
    history({ [resumed]: ['deliverable.working.scaning'] }),
    'snapshot.history',
  ],
  ['a history target outside', paused, history({ [resumed]: ['deliverable.paused'] }), 'snapshot.history'],
  ['a history that remembers itself', paused, history({ [resumed]: [resumed] }), 'snapshot.history'],
  [
    'a history of two states at once',
    paused,
    history({ [resumed]: ['deliverable.working.scanning', 'deliverable.working.distilling'] }),
    'snapshot.history',
  ],
  [
    'a history of one state twice',
    paused,
    history({ [resumed]: ['deliverable.working.scanning', 'deliverable.working.scanning'] }),
    'snapshot.history',
  ],
  ['a history of no state', paused, history({ [resumed]: [] }), 'snapshot.history'],
  [
    'a history of a state that keeps none',
    paused,
    history({ 'deliverable.working': ['deliverable.working.scanning'] }),
    'snapshot.history',
  ],
  ['no history while paused', paused, history({}), 'snapshot.history'],
  ['no history at all', paused, (json) => delete json.snapshot.history, 'snapshot.history'],
  ['a final state that is active', 'complete', status('active'), 'snapshot.status'],
  ['a working state that is done', 'preparing', status('done'), 'snapshot.status'],
  ['a status of xstate’s that no commit has', 'failed', status('error'), 'snapshot.status'],
  ['half a value', 'preparing', value('working'), 'snapshot.value'],
  ['a value of one state too many', paused, value({ working: 'scanning', paused: {} }), 'snapshot.value'],
  ['a value with a branch too deep', 'preparing', value({ working: { preparing: {} } }), 'snapshot.value'],
  ['a leaf that no state has', 'preparing', value({ working: 'prepared' }), 'snapshot.value'],
  ['a top state that no state has', 'preparing', value('asleep'), 'snapshot.value'],
  ['a history state as the value', 'preparing', value({ working: 'resumed' }), 'snapshot.value'],
  ['a value that every object inherits', 'preparing', value('toString'), 'snapshot.value'],
  ['an empty value', 'preparing', value({}), 'snapshot.value'],
  ['a value that is a number', 'preparing', value(1), 'snapshot.value'],
  ['a value that holds no name', 'researching', value({ working: false }), 'snapshot.value'],
  ['another machine’s value', 'researching', value({ working: 'scanning' }), 'snapshot.value'],
  ['a context of another team', 'preparing', context('team', 'peer'), 'snapshot.context.team'],
  ['a mission that is a text', 'preparing', context('mission', 'Document'), 'snapshot.context.mission'],
  [
    'instructions that are no list',
    'preparing',
    context('instructions', null),
    'snapshot.context.instructions',
  ],
  ['a plan that is a number', paused, context('plan', 7), 'snapshot.context.plan'],
  ['figures that are texts', 'complete', context('figures', { words: '9' }), 'snapshot.context.figures'],
  ['an unknown field in the context', 'preparing', context('mood', 'good'), 'snapshot.context'],
  [
    'a context without a field',
    'failed',
    (json) => delete json.snapshot.context.failure,
    'snapshot.context.failure',
  ],
  [
    'a question from nobody',
    'researching',
    (json) => delete json.snapshot.context.question.from,
    'snapshot.context.question.from',
  ],
  ['another team', 'preparing', top('team', 'peer'), 'team'],
  ['another archetype', 'preparing', top('archetype', 'coding'), 'archetype'],
  ['a format of something else', 'preparing', top('format', 'fed-chat-1'), 'format'],
  ['an unknown field', 'preparing', top('mood', 'good'), 'mood'],
  ['mission zero', 'preparing', top('mission', 0), 'mission'],
  ['a time that is none', 'preparing', top('at', 'yesterday'), 'at'],
  ['a version number too high', 'preparing', top('version', 99), 'version'],
  ['a version number too low', paused, top('version', 1), ''],
  ['no commit id', 'preparing', (json) => delete json.commit, 'commit'],
  ['no list of what was handled', 'preparing', (json) => delete json.handled, 'handled'],
  ['an outcome that is none', paused, (json) => (json.handled[0].outcome = 'maybe'), 'handled.0.outcome'],
  ['an effect that is none', paused, (json) => (json.effects[0].kind = 'delete'), 'effects.0.kind'],
]

async function expectRefused(name: string, text: string, field: string, which?: 'published') {
  const { team, home } = homes.get(name) as { team: TestTeam; home: Home }
  write(home, text, which)
  try {
    const opened = await team.open()
    for (const act of [() => opened.step(), async () => opened.present(), () => opened.reset()]) {
      const error: unknown = await act().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(CorruptDocumentError)
      const { file, reason } = error as CorruptDocumentError
      expect([home.published, home.version]).toContain(file)
      expect(reason).toContain(field)
    }
    expect(readFileSync(home.published, 'utf8')).toBe(text)
    expect(team.workspace).not.toBe('')
  } finally {
    write(home, home.text)
  }
}

const textOf = (name: string) => (homes.get(name) as { home: Home }).home.text

describe('both copies agree', () => {
  test.each(damages)('%s (in %s) is refused', async (_title, name, damage, field) => {
    const json = JSON.parse(textOf(name))
    damage(json)
    await expectRefused(name, JSON.stringify(json, null, 2), field)
  })

  test.each([
    ['half of it', (text: string) => text.slice(0, text.length / 2)],
    ['nothing', () => ''],
    ['zeros', (text: string) => '\0'.repeat(text.length)],
    ['a list', () => '[]'],
  ])('%s is refused', async (_title, damage) => {
    await expectRefused('preparing', damage(textOf('preparing')), '')
  })
})

test.each([
  ['a valid state that it is not in', value({ working: 'aggregating' })],
  ['another mission', (json: Json) => (json.snapshot.context.mission.subject = 'Delete it')],
  ['another time', top('at', '2020-01-01T00:00:00.000Z')],
])('the published file alone, edited to %s, is refused', async (_title, edit) => {
  const json = JSON.parse(textOf('preparing'))
  edit(json)
  await expectRefused('preparing', JSON.stringify(json, null, 2), 'it differs from version', 'published')
})

test('the published file alone, edited to another commit of the same number, is refused', async () => {
  const json = JSON.parse(textOf('preparing'))
  json.commit.id = '00000000-0000-4000-8000-000000000000'
  await expectRefused('preparing', JSON.stringify(json, null, 2), 'it names another commit', 'published')
})

/** Every place in a JSON document, as a path of keys. */
function places(json: Json, at: (string | number)[] = []): (string | number)[][] {
  if (typeof json !== 'object' || json === null) return [at]
  return [at, ...Object.entries(json).flatMap(([key, inner]) => places(inner, [...at, key]))].slice(1)
}

test('whatever one field becomes, the document is refused or read as exactly what it says', async () => {
  const names = [...homes.keys()]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      fc.nat(),
      fc.jsonValue(),
      fc.boolean(),
      async (name, where, next, drop) => {
        const { team, home } = homes.get(name) as { team: TestTeam; home: Home }
        const json = JSON.parse(home.text)
        const all = places(json)
        const place = all[where % all.length] as (string | number)[]
        const parent = place.slice(0, -1).reduce((inner: Json, key) => inner[key], json)
        const key = place.at(-1) as string
        if (drop) delete parent[key]
        else parent[key] = next
        write(home, JSON.stringify(json))
        try {
          const { head, snapshot } = readPresent((await team.open()).actor)
          const { published: _published, ...read } = head
          expect(read.content).toEqual(json)
          expect(encodeSnapshot(snapshot)).toEqual(json.snapshot)
        } catch (error) {
          if (!(error instanceof CorruptDocumentError)) throw error
          expect(error.message).toContain(home.published.slice(0, -'.json'.length))
        } finally {
          write(home, home.text)
        }
      },
    ),
    { numRuns: tries(300) },
  )
})
