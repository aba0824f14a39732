import type { RegistryEntry, RegistryStatus } from '../protocol/registry-schema.ts'
import { FedError } from '../errors/fed-error.ts'
import { healthyUntil, unreadable } from './health.ts'
import type { HealthFinding } from './health-finding.ts'
import path from 'node:path'
import { usageOf, type Spent } from '../agents/usage/session-usage.ts'
import { waitsFor, type WaitsFor } from '../agents/sessions/open-questions.ts'
import { isAlive } from './session-health.ts'
import { healthOf } from './team-health.ts'
import type { Visit } from './visit.ts'

/** A team as a monitoring cycle found and left it. */
export interface TeamReport {
  readonly team: string
  readonly archetype: string
  readonly status: RegistryStatus | undefined
  /** Leaf state, or null when the team cannot be read. */
  readonly state: string | null
  /** When the state was entered, ISO 8601; null when the team cannot be read. */
  readonly since: string | null
  /** When the team was last active according to the registry, ISO 8601. */
  readonly lastActive: string | undefined
  /** Signals that this cycle handled. */
  readonly handled: number
  /** Signals that still wait, for the agent or for another state. */
  readonly waiting: number
  /** Time of the oldest signal that waits, ISO 8601; null when none does. */
  readonly waitingSince: string | null
  /** The oldest question whose answer the team waits for; null when it waits for none. */
  readonly waitsFor: WaitsFor | null
  /** Whether a session of the team's agent runs. */
  readonly working: boolean
  /** What that session used up so far; null where none runs. */
  readonly used: Spent | null
  /** Whether work on the mission has begun: a team that was never launched counts as not started. */
  readonly started: boolean
  readonly healthy: boolean
  readonly findings: readonly HealthFinding[]
  /** Why the team cannot be read. */
  readonly error?: string
}

/** The last report on a team without findings, the visit that it is of, and until when it holds. */
interface Said {
  readonly seen: Visit
  readonly report: TeamReport
  /** Milliseconds since 1970. */
  readonly until: number
}

const said = new WeakMap<RegistryEntry, Said>()

/** Whether a healthy team was reported from this very entry and visit: then the entry needs no update. */
export function isReported(entry: RegistryEntry, seen: Visit): boolean {
  return said.get(entry)?.seen === seen
}

/** The report on a team that a cycle visited. */
export function reportOn(entry: RegistryEntry, seen: Visit, present: number): TeamReport {
  const before = said.get(entry)
  if (before !== undefined && before.seen === seen && present <= before.until) return before.report
  const { domainId: team, archetypeId: archetype, status, lastActive } = entry
  const { facts, handled, waiting } = seen
  const findings = healthOf(entry, seen, present)
  const { session } = facts
  const working =
    session !== undefined && !(session instanceof FedError) && isAlive(session) ? session : undefined
  const report: TeamReport = {
    team,
    archetype,
    status,
    state: facts.state,
    since: facts.since,
    lastActive,
    handled,
    waiting: waiting.length,
    waitingSince: waiting[0]?.timestamp ?? null,
    waitsFor: waitsFor(facts.asks),
    working: working !== undefined,
    used: working === undefined ? null : usageOf(path.dirname(working.log), working),
    started: facts.started,
    healthy: findings.length === 0,
    findings,
  }
  // what a session used up is told anew each time
  const until = report.healthy && working === undefined ? healthyUntil(facts) : undefined
  if (until !== undefined) said.set(entry, { seen, report, until })
  return report
}

/**
 * The report on a team that could not be read, or that was registered since the cycle began.
 * @param error why it could not be read; undefined for a new team.
 */
export function unseenReport(entry: RegistryEntry, error: Error | undefined): TeamReport {
  const { domainId: team, archetypeId: archetype, status, lastActive } = entry
  return {
    team,
    archetype,
    status,
    state: null,
    since: null,
    lastActive,
    handled: 0,
    waiting: 0,
    waitingSince: null,
    waitsFor: null,
    working: false,
    used: null,
    started: error !== undefined,
    healthy: error === undefined,
    findings: error === undefined ? [] : [unreadable(entry, error)],
    ...(error === undefined ? {} : { error: error.message }),
  }
}
