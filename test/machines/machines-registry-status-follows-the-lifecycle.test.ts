// Proves that a team's status in the registry makes every declared transition and no other, through the
// commands that people use, and always says what the lifecycle says. Fails when an archived or a paused team
// shows up as active, when a working team can be put away, or when somebody late writes the past.
import { rmSync } from 'node:fs'
import { getShortestPaths } from '@xstate/graph'
import { initialTransition, transition, type SnapshotFrom } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { LifecyclePhase, RegistryStatusEvent } from '../../machines/registry-status.ts'
import { registryStatus } from '../../machines/registry-status.ts'
import { RefusedError } from '../../src/errors/fed-error.ts'
import { Federation } from '../../src/federation/federation.ts'
import type { RegistryStatus } from '../../src/protocol/registry-schema.ts'
import { TeamRegistry } from '../../src/records/registry/team-registry.ts'
import { levelled, moveStatus } from '../../src/records/registry/move-status.ts'
import { accepted, type Sample } from '../support/samples.ts'
import { TestTeam } from '../support/test-team.ts'

const samples = accepted.deliverable as readonly Sample[]
const named = (...subjects: string[]) =>
  subjects.map((subject) => samples.find((one) => one.subject === subject) as Sample)
const failing = named('information-missing')

interface Way {
  /** The machine's transition that the last act takes. */
  readonly declared: string
  readonly from: RegistryStatus
  readonly to: RegistryStatus
  readonly when: string
  readonly before: (team: TestTeam) => Promise<void>
  readonly act: (team: TestTeam) => Promise<void>
}

const pause = async (team: TestTeam) => (await team.open()).pause()
const resume = async (team: TestTeam) => (await team.open()).resume()
const archive = async (team: TestTeam) => (await team.open()).archive()
const restore = async (team: TestTeam) => (await team.open()).restore()
const fail = (team: TestTeam) => team.walk(failing)
const begin = (team: TestTeam) => team.walk(named('Document the storage'))
const inOrder =
  (...acts: ((team: TestTeam) => Promise<void>)[]) =>
  async (team: TestTeam) => {
    for (const act of acts) await act(team)
  }

const ways: readonly Way[] = [
  {
    declared: 'active pause #1',
    from: 'active',
    to: 'paused',
    when: 'pausing it',
    before: begin,
    act: pause,
  },
  {
    declared: 'paused resume #1',
    from: 'paused',
    to: 'active',
    when: 'resuming it',
    before: pause,
    act: resume,
  },
  { declared: 'paused resume #1', from: 'paused', to: 'active', when: 'it fails', before: pause, act: fail },
  {
    declared: 'active archive #1',
    from: 'active',
    to: 'archived',
    when: 'it is over',
    before: fail,
    act: archive,
  },
  {
    declared: 'paused archive #1',
    from: 'active',
    to: 'archived',
    when: 'it works',
    before: begin,
    act: archive,
  },
  {
    declared: 'paused archive #1',
    from: 'paused',
    to: 'archived',
    when: 'it waits',
    before: pause,
    act: archive,
  },
  {
    declared: 'archived restore #1',
    from: 'archived',
    to: 'paused',
    when: 'it had to be paused first',
    before: inOrder(begin, archive),
    act: restore,
  },
  {
    declared: 'archived restore #2',
    from: 'archived',
    to: 'active',
    when: 'it was over',
    before: inOrder(fail, archive),
    act: restore,
  },
]

test.each(ways)('goes from $from to $to on $declared, when $when', async ({ from, to, before, act }) => {
  const team = await TestTeam.begin('deliverable')
  await before(team)
  expect(team.status()).toBe(from)
  const { lockVersion } = new Federation(team.root).registry.read()
  await act(team)
  expect(team.status()).toBe(to)
  expect(new Federation(team.root).registry.read().lockVersion).toBeGreaterThan(lockVersion)
  await (await team.open()).step()
  expect(team.status()).toBe(to)
})

test('archiving a working team pauses its lifecycle, and restoring it leaves it so', async () => {
  const team = await TestTeam.begin('deliverable')
  await archive(team)
  expect(team.head().snapshot).toMatchObject({
    value: 'paused',
    history: { 'deliverable.working.resumed': ['deliverable.working.preparing'] },
  })
  await restore(team)
  expect(team.head().snapshot.value).toBe('paused')
})

test.each([
  { name: 'restore of an active team', before: begin, act: restore },
  { name: 'restore of a paused team', before: pause, act: restore },
  { name: 'archive of an archived team', before: inOrder(fail, archive), act: archive },
  { name: 'pause of a paused team', before: pause, act: pause },
  { name: 'resume of an active team', before: begin, act: resume },
  { name: 'pause of a failed team', before: fail, act: pause },
])('refuses $name and writes nothing into the registry', async ({ before, act }) => {
  const team = await TestTeam.begin('deliverable')
  await before(team)
  const { lockVersion, teams } = new Federation(team.root).registry.read()
  await expect(act(team)).rejects.toThrow(RefusedError)
  const after = new Federation(team.root).registry.read()
  expect(after.teams).toEqual(teams)
  expect(after.lockVersion).toBe(lockVersion)
})

test('who wakes up late levels the registry to what the lifecycle says now', async () => {
  const team = await TestTeam.begin('deliverable')
  await pause(team)
  const { version } = team.head()
  const done = `${team.workspace}/.fed/lifecycle.d/${version}.done`
  // as the pausing process leaves it that is killed between its commit and the registry
  rmSync(done)
  new Federation(team.root).registry.updateEntry('team', (entry) => ({ ...entry, status: 'active' }))
  await archive(team)
  expect(team.status()).toBe('archived')
  rmSync(done, { force: true })
  await (await team.open()).step()
  expect(team.status()).toBe('archived')
})

const statuses = ['active', 'paused', 'archived'] as const
const phases: readonly LifecyclePhase[] = ['working', 'paused', 'finished']
const events = ['pause', 'resume', 'archive', 'restore'] as const
const everyEvent: readonly RegistryStatusEvent[] = events.flatMap((type) =>
  phases.map((lifecycle) => ({ type, lifecycle })),
)
/** What each status becomes; what is not here is refused. */
const law: Record<string, RegistryStatus> = {
  'active pause paused': 'paused',
  'active archive paused': 'archived',
  'active archive finished': 'archived',
  'paused resume working': 'active',
  'paused resume finished': 'active',
  'paused archive working': 'archived',
  'paused archive paused': 'archived',
  'paused archive finished': 'archived',
  'archived restore working': 'active',
  'archived restore paused': 'paused',
  'archived restore finished': 'active',
}

describe('the whole law', () => {
  const everything = statuses.flatMap((status) =>
    events.flatMap((type) => phases.map((lifecycle) => ({ status, type, lifecycle }))),
  )

  test.each(everything)(
    '$status takes $type while the lifecycle is $lifecycle, or not',
    ({ status, ...event }) => {
      const next = law[`${status} ${event.type} ${event.lifecycle}`]
      const move = () => moveStatus(status, event as RegistryStatusEvent)
      if (next === undefined) expect(move).toThrow(RefusedError)
      else expect(move()).toBe(next)
    },
  )

  test('levelling archives nothing and restores nothing', () => {
    const table = statuses.map((status) => phases.map((lifecycle) => levelled(status, lifecycle)))
    expect(table).toEqual([
      ['active', 'paused', 'active'],
      ['active', 'paused', 'active'],
      ['archived', 'archived', 'archived'],
    ])
  })

  test('every declared transition was taken through the registry', () => {
    const declared = declaredIn(registryStatus)
    const taken = new Set(ways.map((way) => way.declared))
    console.info(`registry-status: ${taken.size} of ${declared.length} declared transitions taken`)
    expect([...taken].toSorted()).toEqual(declared.toSorted())
  })
})

describe('from the graph', () => {
  const { paths, walked } = waysThrough()
  const taken = new Set<string>()

  test.each(paths)('$title', async ({ path }) => {
    const team = await TestTeam.begin('deliverable')
    const registry = new TeamRegistry(team.root)
    let model = initialTransition(registryStatus)[0]
    for (const event of path) {
      const { lockVersion } = registry.read()
      const edge = edgeOf(model, event)
      registry.updateEntry('team', (entry) => ({
        ...entry,
        status: moveStatus(entry.status as RegistryStatus, event),
      }))
      model = transition(registryStatus, model, event)[0]
      expect(registry.read().lockVersion).toBe(lockVersion + 1)
      expect(new TeamRegistry(team.root).entry('team').status).toBe(model.value)
      // what it does not take changes nothing, in whatever status that leads to
      for (const refused of everyEvent.filter((one) => !model.can(one))) {
        const refuse = () =>
          registry.updateEntry('team', (entry) => ({
            ...entry,
            status: moveStatus(entry.status as RegistryStatus, refused),
          }))
        expect(refuse).toThrow(RefusedError)
      }
      expect(registry.read().lockVersion).toBe(lockVersion + 1)
      taken.add(edge)
    }
  })

  test('the walks take every transition that is declared', () => {
    expect([...walked].toSorted()).toEqual(declaredIn(registryStatus).toSorted())
    expect([...taken].toSorted()).toEqual([...walked].toSorted())
  })
})

function declaredIn(machine: typeof registryStatus): string[] {
  return Object.values(machine.states).flatMap((state) =>
    [...state.transitions].flatMap(([event, candidates]) =>
      candidates.map((_, index) => `${state.key} ${event} #${index + 1}`),
    ),
  )
}

/** The declared transition that an event takes, by its place among the candidates. */
function edgeOf(snapshot: SnapshotFrom<typeof registryStatus>, event: RegistryStatusEvent): string {
  const [taken] = registryStatus.getTransitionData(snapshot, event) ?? []
  const candidates = registryStatus.states[snapshot.value]?.transitions.get(event.type) ?? []
  return `${snapshot.value} ${event.type} #${candidates.indexOf(taken as never) + 1}`
}

/** A walk from the beginning to each edge of the graph, in the fewest steps. */
function waysThrough() {
  const shortest = getShortestPaths(registryStatus, { events: [...everyEvent] })
  const walked = new Set<string>()
  const paths = shortest.flatMap(({ steps, state }) =>
    everyEvent
      .filter((event) => state.can(event))
      .map((event) => {
        walked.add(edgeOf(state, event))
        const before = steps.slice(1).map((step) => step.event as RegistryStatusEvent)
        const words = [...before, event].map(({ type, lifecycle }) => `${type} (${lifecycle})`)
        return { title: words.join(', '), path: [...before, event] }
      }),
  )
  return { paths, walked }
}
