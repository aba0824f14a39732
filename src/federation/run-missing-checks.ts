import type { TeamEvent } from '../../machines/team-event.ts'
import { candidatesFor } from '../engine/decide/decide.ts'
import { gatherEvidence } from '../engine/step/evidence.ts'
import { readPresent } from '../engine/step/present.ts'
import { guardNames, unmetGuards } from '../engine/decide/transitions.ts'
import { checksOf, type Check } from '../engine/checks/configured.ts'
import type { CheckWatch } from '../engine/checks/run-check.ts'
import type { ResultPlace } from '../engine/checks/results.ts'
import { eventOf } from '../protocol/event-name.ts'
import { now } from '../protocol/time.ts'
import type { SignalDraft } from '../records/signals/compose.ts'
import { loadConfig } from '../records/config/load-config.ts'
import type { Team } from './team.ts'

/** The guard that asks for tests. */
const TESTS = 'testsPassedOnHead'

/** What a milestone asks of configured checks now. */
export interface Wanted {
  /** Whether the federation configures checks, and this milestone asks for them. */
  readonly byChecks: boolean
  /** Checks that have not passed on the commit; empty unless they are all that the milestone still needs. */
  readonly missing: readonly Check[]
  /** Where their results go; undefined where no check is to be run. */
  readonly place: ResultPlace | undefined
}

/**
 * What a milestone that a team tells itself asks of the configured checks. Signals that wait are handled
 * first. Checks may take long, so none is to be run where the team takes no such milestone now, or something
 * else is missing as well.
 */
export async function wantedChecks(
  team: Team,
  milestone: Pick<SignalDraft, 'type' | 'subject' | 'body'>,
): Promise<Wanted> {
  const { actor } = team
  await team.step()
  const { snapshot } = readPresent(actor)
  const checks = checksOf(loadConfig(actor.world.root))
  const { type, subject, body } = milestone
  const event = {
    type: eventOf(milestone),
    signal: { id: '', at: now(), from: team.id, subject, body },
  } as Pick<TeamEvent, 'type' | 'signal'>
  const ways = type === 'report' ? candidatesFor(snapshot, event) : []
  if (checks.length === 0 || !ways.some((way) => guardNames(way).includes(TESTS)))
    return { byChecks: false, missing: [], place: undefined }
  const evidence = await gatherEvidence(actor, snapshot, event)
  const commit = evidence.branch?.head
  const isReady = ways.some((way) =>
    unmetGuards(snapshot, way, { ...event, evidence } as TeamEvent).every((guard) => guard === TESTS),
  )
  if (commit === undefined || !isReady) return { byChecks: true, missing: [], place: undefined }
  const passed = new Set(
    (evidence.checks ?? []).flatMap(({ name, result }) => (result?.passed ? [name] : [])),
  )
  return {
    byChecks: true,
    missing: checks.filter(({ name }) => !passed.has(name)),
    place: { root: actor.world.root, team: team.id, commit },
  }
}

/** Runs under way in this process: whoever asks for the same checks meanwhile waits for the same run. */
const underWay = new Map<string, Promise<void>>()

/**
 * Runs the checks that a milestone misses, each on a fresh checkout, the others also after one that failed.
 * @throws {UntrustedError}; {InterruptedError}, and then the interrupted one is not recorded.
 */
export async function runMissing({ missing, place }: Wanted, watch: CheckWatch): Promise<void> {
  if (place === undefined || missing.length === 0) return
  const key = JSON.stringify([place, missing.map(({ digest }) => digest)])
  const before = underWay.get(key)
  if (before !== undefined) return before
  const running = runAll(missing, place, watch).finally(() => underWay.delete(key))
  underWay.set(key, running)
  await running
}

async function runAll(missing: readonly Check[], place: ResultPlace, watch: CheckWatch): Promise<void> {
  const { assertTrusted } = await import('./trust/allowed-parts.ts')
  assertTrusted(place.root, 'checks', '.fed')
  const [{ prepareSetup, runCheck }, { leftCheckouts }, { tidySetups }] = await Promise.all([
    import('../engine/checks/run-check.ts'),
    import('../platform/git/checkout.ts'),
    import('../engine/checks/setup-store.ts'),
  ])
  for (const left of leftCheckouts(place.root)) await left.remove()
  tidySetups(place.root)
  const prepared = await prepareSetup(place, missing[0]?.setup, watch)
  for (const check of missing) await runCheck(place, check, prepared, watch)
}
