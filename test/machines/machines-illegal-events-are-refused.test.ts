// Proves that in every situation each event that is not accepted there is refused: the commit says so with the
// right kind and reason, the sender is told once, and nothing else changes. Fails when an illegal event moves a
// machine, is swallowed, or is answered twice.
import { rmSync } from 'node:fs'
import type { AnyMachineSnapshot } from 'xstate'
import { beforeAll, describe, expect, test } from 'vitest'
import { requirements, type GuardName } from '../../machines/guards.ts'
import type { Lifecycle, RefusalKind } from '../../src/engine/decide/lifecycle.ts'
import { Federation } from '../../src/federation/federation.ts'
import { git } from '../../src/platform/git/git.ts'
import { eventOf } from '../../src/protocol/event-name.ts'
import type { SignalMessage } from '../../src/protocol/signal.ts'
import type { FiledSignal } from '../../src/records/signals/mailbox.ts'
import type { HistoryEntry } from '../../src/federation/history-of-missions.ts'
import { inboxOf } from '../support/federation.ts'
import { explore, lifecycles, modelEvent, type Situation } from '../support/graph.ts'
import { accepted, everySample, type Sample } from '../support/samples.ts'
import { TestTeam } from '../support/test-team.ts'
import { declaredHere, verdictOn } from '../support/verdict.ts'

interface Refused {
  readonly signal: FiledSignal
  readonly entry: HistoryEntry | undefined
  readonly alerts: number
  readonly isAcknowledged: boolean
}

/** Delivers samples that must be refused in one step, and checks what is true of all of them. */
async function refuseTogether(team: TestTeam, samples: readonly Sample[], results: Map<string, Refused>) {
  const before = team.head()
  const signals = new Map<string, FiledSignal>()
  for (const sample of samples) signals.set(sample.name, await team.send(sample))
  await (await team.open()).step()
  const after = team.head()
  expect(after).toMatchObject({ version: before.version + 1, snapshot: before.snapshot })
  expect(after.handled).toHaveLength(samples.length)
  await repeat(team, after)
  const history = (await team.open()).history()
  for (const { name, from } of samples) {
    const signal = signals.get(name) as FiledSignal
    const inbox = inboxOf(from === 'peer' ? `${team.root}/.fed/teams/peer` : team.root)
    results.set(name, {
      signal,
      entry: history.find((one) => one.signal === signal.id),
      alerts: [...inbox.values()].filter((one) => answers(one, signal)).length,
      isAcknowledged: team.isAcknowledged(signal),
    })
  }
}

function answers({ type, timestamp, body }: SignalMessage, refused: FiledSignal): boolean {
  // an answer takes its time from what it answers
  if (type !== 'alert' || timestamp !== refused.timestamp) return false
  return body.startsWith(`team refused ${refused.type} '${refused.subject}': `)
}

/** Steps again, and once more as if the process had been killed before it finished the effects. */
async function repeat(team: TestTeam, after: Lifecycle) {
  await (await team.open()).step()
  rmSync(`${team.workspace}/.fed/lifecycle.d/${after.version}.done`, { force: true })
  await (await team.open()).step()
  expect(team.head()).toEqual(after)
}

function expectReason({ snapshot }: Situation, sample: Sample, kind: RefusalKind, message: string) {
  const event = eventOf(sample)
  const leaf = typeof snapshot.value === 'string' ? snapshot.value : Object.values(snapshot.value).join()
  switch (kind) {
    case 'finished':
      expect(message).toBe(`the team is ${leaf}, which is final; a new mission begins with a reset`)
      break
    case 'guard-refused':
      expect(message).toContain(`${event} needs that `)
      expect(message).toContain(requirements[sample.misses as GuardName])
      // one guard says no, and no other is blamed; a team without a mission may miss two things
      if (snapshot.context.mission !== null) expect(message).not.toContain(', and that ')
      break
    default:
      expect(message).toContain(event)
      for (const declared of declaredHere(snapshot)) expect(message).toContain(declared)
  }
}

const refusedIn = (machine: { id: string }, snapshot: AnyMachineSnapshot) =>
  everySample(machine.id).flatMap((sample) => {
    const kind = verdictOn(snapshot, modelEvent(sample))
    return kind === 'accepted' || kind === 'deferred' ? [] : [{ ...sample, kind, sample }]
  })

describe.each(lifecycles)('$id', (machine) => {
  test('no signal that misses what a guard asks for is accepted anywhere, and each guard says no somewhere', () => {
    const verdicts = explore(machine).situations.flatMap(({ snapshot }) =>
      everySample(machine.id).map((sample) => ({ ...sample, is: verdictOn(snapshot, modelEvent(sample)) })),
    )
    const full = new Set(accepted[machine.id]?.map(({ name }) => name))
    // with a mission, the same words are an instruction, which needs no target
    const taken = verdicts.filter(
      ({ is, misses, name }) => is === 'accepted' && misses && misses !== 'knowsTarget' && !full.has(name),
    )
    expect(taken.map(({ name }) => name)).toEqual([])
    const refusing = verdicts.flatMap(({ is, misses }) => (is === 'guard-refused' ? [misses] : []))
    // others reach a machine only as mail, the next two choose what a directive becomes, and only a goal has paths
    const guards = Object.keys(machine.implementations.guards).filter(
      (guard) => !['fromSelf', 'isMission', 'hasNoMission', 'staysInPaths'].includes(guard),
    )
    expect(guards.filter((guard) => !refusing.includes(guard as GuardName))).toEqual([])
  })

  describe.each(explore(machine).situations)('$name', (situation) => {
    const refused = refusedIn(machine, situation.snapshot)
    const results = new Map<string, Refused>()

    beforeAll(async () => {
      const team = await TestTeam.begin(machine.id)
      await team.walk(situation.path)
      expect(team.head().snapshot.value).toEqual(situation.snapshot.value)
      const needsEvidence = ({ kind, arrange }: (typeof refused)[number]) =>
        kind === 'guard-refused' && arrange !== undefined
      await refuseTogether(
        team,
        refused.filter((one) => !needsEvidence(one)),
        results,
      )
      for (const sample of refused.filter(needsEvidence)) {
        team.arrange(sample)
        await refuseTogether(team, [sample], results)
      }
    })

    test.each(refused)('refuses $name: $kind', ({ sample, kind }) => {
      const { entry, signal, alerts, isAcknowledged } = results.get(sample.name) as Refused
      expect(entry).toMatchObject({ outcome: 'refused', event: eventOf(sample), refusal: { kind } })
      expect(entry?.from).toBe(entry?.to)
      expectReason(situation, sample, kind, entry?.refusal?.message ?? '')
      expect(isAcknowledged).toBe(true)
      // a stranger has no inbox, and a team learns of its own milestone from the command that it called
      expect(alerts).toBe(sample.from === 'meta' || sample.from === 'peer' ? 1 : 0)
      expect(signal.from).toBe(entry?.sender)
    })
  })
})

test('where the codebase has no commit any more, a milestone that needs one is refused, and the team is not stuck', async () => {
  const { root, id } = await TestTeam.begin('coding')
  git(root, 'switch', '--quiet', '--orphan', 'anew')
  const team = await new Federation(root).team(id)
  await team.direct('Document the storage', '')
  await team.tell({ type: 'report', subject: 'plan-ready', body: 'Change it' })
  const { entry } = await team.tell({ type: 'report', subject: 'changes-committed' })
  expect(entry).toMatchObject({ outcome: 'refused', refusal: { kind: 'guard-refused' } })
  await team.pause()
  expect(team.present().state).toBe('paused')
})
