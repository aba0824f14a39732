// Proves that registry and lifecycle agree after one monitoring cycle, whatever happened to both before: commands
// of several processes at once, directives without a command, hand edits, kills in between. Fails when they still
// differ, when a second cycle has anything left to write, or when a command that was accepted is lost.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  monitor,
  openFederation,
  RefusedError,
  type Federation,
  type HistoryEntry,
} from '../../../src/index.ts'
import { newFederation } from '../../support/federation.ts'
import { interrupted } from '../../support/interrupted-calls.ts'
import { atOnce, type Outcome } from '../../support/twins.ts'
import { tries } from '../../support/thorough.ts'

async function begin(): Promise<string> {
  const root = newFederation()
  const federation = await openFederation(root)
  await federation.onboard({ domain: 'team', archetype: 'deliverable' })
  await federation.send({ from: 'meta', to: 'team', type: 'directive', subject: 'Explain it' })
  await (await federation.team('team')).step()
  return root
}

/** As a process that has just started finds it. */
async function stand(root: string): Promise<{ status: string; phase: string; lockVersion: number }> {
  const federation = await openFederation(root)
  const { state, finished } = await (await federation.team('team')).status()
  const { lockVersion, teams } = federation.registry.read()
  const phase = finished ? 'finished' : state === 'paused' ? 'paused' : 'working'
  return { status: String(teams[0]?.status), phase, lockVersion }
}

const agreed: Readonly<Record<string, readonly string[]>> = {
  working: ['active'],
  paused: ['paused', 'archived'],
  finished: ['active', 'archived'],
}

/** One cycle makes them agree, and leaves the next one nothing to write. */
async function expectAgreement(root: string): Promise<{ status: string; phase: string }> {
  const { teams, findings } = await monitor(await openFederation(root))
  const found = await stand(root)
  expect(agreed[found.phase]).toContain(found.status)
  expect(teams[0]).toMatchObject({ status: found.status })
  expect(findings.filter(({ kind }) => kind === 'disagreement')).toEqual([])
  await monitor(await openFederation(root))
  expect((await stand(root)).lockVersion).toBe(found.lockVersion)
  return found
}

const wasDone = ({ error }: Outcome) => error === undefined

describe('commands at the same moment', () => {
  test.each(
    [
      ['pause', 'pause'],
      ['pause', 'resume'],
      ['archive', 'restore'],
      ['archive', 'resume'],
      ['archive', 'reset'],
      ['archive', 'restore', 'reset'],
      ['pause', 'resume', 'archive', 'restore', 'reset', 'monitor'],
    ].map((acts) => ({ acts })),
  )('$acts', async ({ acts: named }) => {
    const root = await begin()
    const rounds = named.length > 3 ? 12 : 6
    const outcomes = await atOnce(root, named, rounds, async (round) => {
      // between two rounds a cycle must have made them agree
      if (round > 1) await expectAgreement(root)
      const { status } = await stand(root)
      const team = await (await openFederation(root)).team('team')
      if (status === 'archived') await team.restore()
      if (round % 2 === 0 && status === 'paused') await team.resume()
    })
    const { status } = await expectAgreement(root)
    for (const told of outcomes.flat())
      if (!wasDone(told)) expect(told).toMatchObject({ error: 'RefusedError' })
    const done = (act: string, round: Outcome[] = []) =>
      round.some((one, index) => named[index] === act && wasDone(one))
    const last = outcomes.at(-1)
    if (done('archive', last) && !named.includes('restore')) expect(status).toBe('archived')
    const resets = outcomes.filter((round) => done('reset', round)).length
    const { missionNumber } = await (await (await openFederation(root)).team('team')).status()
    expect(missionNumber).toBe(1 + resets)
  })

  test('each pause and each resumption that was accepted is in the history', async () => {
    const root = await begin()
    const acts = ['pause', 'resume', 'archive']
    const outcomes = await atOnce(root, acts, 10, async () => {
      const team = await (await openFederation(root)).team('team')
      if ((await team.status()).status === 'archived') await team.restore()
    })
    await expectAgreement(root)
    const history: HistoryEntry[] = await (await (await openFederation(root)).team('team')).history()
    for (const act of ['pause', 'resume'] as const) {
      const accepted = history.filter(
        ({ event, outcome }) => event === `directive.${act}` && outcome === 'accepted',
      )
      const told = outcomes.filter((round) => wasDone(round[acts.indexOf(act)] as Outcome))
      expect(accepted.length).toBeGreaterThanOrEqual(told.length)
    }
  })
})

test('a team that was resumed by a directive while it was archived is paused, and goes on after its restore', async () => {
  const root = await begin()
  const federation = await openFederation(root)
  await (await federation.team('team')).archive()
  await federation.send({ from: 'meta', to: 'team', type: 'directive', subject: 'Resume' })
  expect(await expectAgreement(root)).toMatchObject({ status: 'archived', phase: 'paused' })
  const history = await (await federation.team('team')).history()
  expect(history.slice(-3).map(({ event, outcome }) => [event, outcome])).toEqual([
    ['directive.pause', 'accepted'],
    ['directive.resume', 'accepted'],
    ['directive.pause', 'accepted'],
  ])
  const team = await (await openFederation(root)).team('team')
  team.restore()
  await team.resume()
  expect(await stand(root)).toMatchObject({ status: 'active', phase: 'working' })
})

test('two monitors pause a team that works although it is archived once', async () => {
  const root = await begin()
  await atOnce(root, ['monitor', 'monitor'], 1, async () => edit(root, 'archived'))
  expect(await expectAgreement(root)).toMatchObject({ status: 'archived', phase: 'paused' })
  const history = await (await (await openFederation(root)).team('team')).history()
  expect(history.map(({ event }) => event)).toEqual(['directive.explain-it', 'directive.pause'])
})

/** Writes another status into the published registry, as an editor does. */
function edit(root: string, status: string): void {
  const file = path.join(root, '.fed', 'team-registry.json')
  const registry = JSON.parse(readFileSync(file, 'utf8')) as { teams: object[] }
  const teams = registry.teams.map((entry) => ({ ...entry, status }))
  writeFileSync(file, JSON.stringify({ ...registry, teams }))
}

type Deed = { readonly kind: string; readonly killedAt?: number }

const deeds: Readonly<Record<string, (federation: Federation) => Promise<unknown> | unknown>> = {
  pause: async (federation) => (await federation.team('team')).pause(),
  resume: async (federation) => (await federation.team('team')).resume(),
  archive: async (federation) => (await federation.team('team')).archive(),
  restore: async (federation) => (await federation.team('team')).restore(),
  reset: async (federation) => (await federation.team('team')).reset(),
  fail: async (federation) => {
    const told = { type: 'alert', subject: 'information-missing', body: 'x' } as const
    await (await federation.team('team')).tell(told)
  },
  'directive pause': (federation) => order(federation, 'Pause'),
  'directive resume': (federation) => order(federation, 'Resume'),
  'edit active': ({ root }) => edit(root, 'active'),
  'edit paused': ({ root }) => edit(root, 'paused'),
  'edit archived': ({ root }) => edit(root, 'archived'),
  monitor,
}

function order(federation: Federation, subject: string) {
  return federation.send({ from: 'meta', to: 'team', type: 'directive', subject })
}

async function perform(root: string, { kind, killedAt }: Deed): Promise<void> {
  const federation = await openFederation(root)
  const act = async () => {
    try {
      await deeds[kind]?.(federation)
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
    }
  }
  if (killedAt === undefined) return act()
  await interrupted({ call: killedAt, when: 'before' }, act)
}

test('any commands, directives, edits and kills, one after the other', async () => {
  const deed = fc.record(
    { kind: fc.constantFrom(...Object.keys(deeds)), killedAt: fc.integer({ min: 1, max: 25 }) },
    { requiredKeys: ['kind'] },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 6 }), async (all) => {
      const root = await begin()
      for (const one of all) await perform(root, one as Deed)
      await expectAgreement(root)
    }),
    { numRuns: tries(80) },
  )
})
