import { presentMs } from '../protocol/clock.ts'
import { idOfPause } from '../engine/step/outgoing-signals.ts'
import { tellAskers } from '../engine/step/tell-askers.ts'
import { teamsElsewhere } from '../federation/elsewhere.ts'
import { siteOf } from '../federation/site-of-team.ts'
import type { Registry, RegistryEntry } from '../protocol/registry-schema.ts'
import { META } from '../protocol/team-id.ts'
import { now } from '../protocol/time.ts'
import { COORDINATOR } from '../engine/step/task-of-team.ts'
import type { Federation } from '../federation/federation.ts'
import type { TeamRegistry } from '../records/registry/team-registry.ts'
import { repairOutbox } from '../records/signals/deliver.ts'
import type { Team } from '../federation/team.ts'
import { settledEntry } from './settled-entry.ts'
import { metaFindings, readMetaMail } from './meta-mail.ts'
import { isReported, reportOn, unseenReport } from './team-report.ts'
import { visit, type Visit } from './visit.ts'
import type { CycleReport, Settled } from './cycle-report.ts'

/**
 * One monitoring cycle (spec §4.4): goals move on, every team is stepped, meta's reports are acknowledged, and the registry
 * gets what teams did since and where they stand, in one write and only when it does not say so already. A team
 * that cannot be read does not keep the others from it.
 */
export async function runCycle(federation: Federation): Promise<CycleReport> {
  const meta = federation.mailbox(META)
  repairOutbox(meta, (address) => federation.mailboxOf(address))
  const visits = new Map<string, Visit | Error>()
  await moveGoalsOn(federation, visits)
  const open = await federation.opener()
  let registry = federation.registry.read()
  let hasMoved = false
  for (const entry of registry.teams) {
    const seen = visits.get(entry.domainId) ?? (await visitOrError(open, entry))
    visits.set(entry.domainId, seen)
    if (!(seen instanceof Error) && seen.handled > 0) hasMoved = true
  }
  // steps level statuses
  if (hasMoved) registry = federation.registry.read()
  for (const entry of registry.teams) {
    if (await pauseArchived(entry, visits)) hasMoved = true
    if (await resumeLimited(entry, visits)) hasMoved = true
    await tellLate(entry, visits)
    await tellAskersOf(entry, visits)
  }
  const before = registry
  registry = settle(federation.registry, before, visits)
  const settled = statusesBetween(before, registry)
  // reports to a meta of another site are on their way there
  const mail = siteOf(federation.root, META) === undefined ? readMetaMail(meta) : []
  const at = now()
  const present = Date.parse(at)
  const teams = registry.teams.map((entry) => {
    const seen = visits.get(entry.domainId)
    return seen === undefined || seen instanceof Error
      ? unseenReport(entry, seen)
      : reportOn(entry, seen, present)
  })
  const findings = [...metaFindings(meta, mail, present)]
  for (const team of teams) if (!team.healthy) findings.push(...team.findings)
  const inbox = mail.filter(({ type }) => type !== 'report').length
  const elsewhere = teamsElsewhere(federation.root)
  const report = {
    at,
    healthy: findings.length === 0,
    teams,
    findings,
    settled,
    mail,
    inbox,
    ...(elsewhere.length > 0 && { elsewhere }),
  }
  if (federation.config.importHook === undefined) return report
  const { withOwnFindings } = await import('./own-findings.ts')
  return withOwnFindings(federation, report)
}

/** Moves goals on: what follows from where their teams stand, such as a gate that nobody answered in time. */
async function moveGoalsOn(federation: Federation, visits: Map<string, Visit | Error>): Promise<void> {
  const goals = federation.registry
    .read()
    .teams.filter(({ archetypeId, status }) => archetypeId === COORDINATOR && status !== 'archived')
  if (goals.length === 0) return
  const { coordinate } = await import('../federation/goal/coordinate.ts')
  for (const entry of goals) {
    try {
      await coordinate(federation, await federation.openEntry(entry))
    } catch (error) {
      visits.set(entry.domainId, error instanceof Error ? error : new Error(String(error)))
    }
  }
}

function statusesBetween(before: Registry, after: Registry): Settled[] {
  if (before === after) return []
  const known = new Map(before.teams.map(({ domainId, status }) => [domainId, status]))
  return after.teams.flatMap(({ domainId: team, status: to }) => {
    const from = known.get(team)
    return from === undefined || to === undefined || from === to ? [] : [{ team, from, to }]
  })
}

async function visitOrError(
  open: (entry: RegistryEntry) => Team,
  entry: RegistryEntry,
): Promise<Visit | Error> {
  try {
    return await visit(open(entry))
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/**
 * Archiving pauses a working team first. One that works all the same (it was resumed at the same moment, or by
 * a directive, or archived by hand) is paused now, so that neither command is lost: resuming it after a restore
 * carries on.
 */
async function pauseArchived(entry: RegistryEntry, visits: Map<string, Visit | Error>): Promise<boolean> {
  const seen = visits.get(entry.domainId)
  if (entry.status !== 'archived' || seen === undefined || seen instanceof Error) return false
  if (seen.facts.phase !== 'working') return false
  try {
    const { handled } = seen
    await seen.team.direct('pause', '', idOfPause(entry.domainId, seen.facts.version))
    const again = await visit(seen.team)
    visits.set(entry.domainId, { ...again, handled: handled + again.handled + 1 })
  } catch (error) {
    visits.set(entry.domainId, error instanceof Error ? error : new Error(String(error)))
  }
  return true
}

/** Lets a team go on that was paused because its agent was over a limit, once that has passed. */
async function resumeLimited(entry: RegistryEntry, visits: Map<string, Visit | Error>): Promise<boolean> {
  const seen = visits.get(entry.domainId)
  if (entry.status === 'archived' || seen === undefined || seen instanceof Error) return false
  const { phase, session } = seen.facts
  if (phase !== 'paused' || session === undefined || session instanceof Error) return false
  if (session.end?.cause !== 'limited') return false
  try {
    const { resumeAfterLimit } = await import('../agents/sessions/limit.ts')
    await resumeAfterLimit(seen.team)
    const again = await visit(seen.team)
    visits.set(entry.domainId, { ...again, handled: seen.handled + again.handled })
    return again.facts.phase !== 'paused'
  } catch (error) {
    visits.set(entry.domainId, error instanceof Error ? error : new Error(String(error)))
    return false
  }
}

/** Tells a team what nobody answered in time, where no launch does; see `tellUnanswered` in `src/agents/sessions`. */
async function tellLate(entry: RegistryEntry, visits: Map<string, Visit | Error>): Promise<void> {
  const seen = visits.get(entry.domainId)
  if (seen === undefined || seen instanceof Error) return
  if (!seen.facts.asks.some(({ until }) => until <= presentMs())) return
  try {
    const { tellUnanswered } = await import('../agents/sessions/no-answer.ts')
    await tellUnanswered(seen.team.actor)
    visits.set(entry.domainId, { ...(await visit(seen.team)), handled: seen.handled })
  } catch (error) {
    visits.set(entry.domainId, error instanceof Error ? error : new Error(String(error)))
  }
}

/** Tells whoever waits for an answer of an archived team: another program may have archived it, or a kill come first. */
async function tellAskersOf(entry: RegistryEntry, visits: Map<string, Visit | Error>): Promise<void> {
  const seen = visits.get(entry.domainId)
  if (entry.status !== 'archived' || seen === undefined || seen instanceof Error) return
  if (seen.facts.phase === 'finished' && seen.waiting.length === 0) return
  try {
    await tellAskers(seen.team.actor)
  } catch (error) {
    visits.set(entry.domainId, error instanceof Error ? error : new Error(String(error)))
  }
}

/** Writes what the visits say into the registry, unless it says so already. */
function settle(
  registry: TeamRegistry,
  read: Registry,
  visits: ReadonlyMap<string, Visit | Error>,
): Registry {
  const settled = (entry: RegistryEntry) => {
    const seen = visits.get(entry.domainId)
    if (seen === undefined || seen instanceof Error || isReported(entry, seen)) return entry
    return settledEntry(entry, seen)
  }
  return read.teams.every((entry) => settled(entry) === entry) ? read : registry.updateEntries(settled)
}
