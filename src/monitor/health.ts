import { ageInWords } from '../protocol/duration.ts'
import { existsSync, lstatSync, type Stats } from 'node:fs'
import path from 'node:path'
import { unless } from '../errors/unless.ts'
import { LifecycleGoneError } from '../errors/document-errors.ts'
import { FedError } from '../errors/fed-error.ts'
import { UntrustedError } from '../errors/untrusted-error.ts'
import { newerAdvice, NewerFormatError } from '../errors/newer-format.ts'
import { workspaceLayout } from '../protocol/folder-layout.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import { levelled } from '../records/registry/move-status.ts'
import { launchAgain } from '../agents/sessions/launch-again.ts'
import type { FiledSignal } from '../records/signals/mailbox.ts'
import { readPlain } from '../platform/storage/plain-file.ts'
import type { Facts } from './look-at-team.ts'
import { isEnded, lastActivity, sessionFindings } from './session-health.ts'
import type { HealthFinding, Circumstances } from './health-finding.ts'

/** Longest time that a working team may go without an update of its status, in milliseconds (spec §8). */
const lateMs = 600_000
/** Longest time that a signal may wait before that is a finding, in milliseconds. */
export const longMs = 3_600_000

/** What is not healthy about a team (spec §6); empty for a healthy one. Changes nothing. */
export function findingsAbout(facts: Facts, about: Circumstances): HealthFinding[] {
  // put away: nobody works on it, and nothing else has to be done
  if (about.status === 'archived' && facts.phase !== 'working')
    return [...unread(facts, about), ...quarantined(facts, about)]
  return [
    disagreement(facts, about),
    failure(facts, about),
    deliverable(facts, about),
    sessionFindings(facts, about),
    late(facts, about),
    researched(facts, about),
    unread(facts, about),
    quarantined(facts, about),
  ].flat()
}

/**
 * Until when a healthy team stays healthy while its files do not change, in milliseconds since 1970:
 * `Infinity` for ever, undefined where its files alone do not tell.
 */
export function healthyUntil(facts: Facts): number | undefined {
  const { phase, state, session, held, waiting, quarantined: count } = facts
  const isQuiet =
    waiting.length === 0 && held === null && count === 0 && (session === undefined || isEnded(session))
  if (!isQuiet || (phase === 'finished' && state === 'complete')) return undefined
  return canBeLate(facts) ? facts.atMs + lateMs : Infinity
}

/** Whether a team can be late: it works on a mission, and waits neither for others nor for an answer. */
function canBeLate({ phase, mission, waits, asks }: Facts): boolean {
  return phase === 'working' && mission !== null && !waits && asks.length === 0
}

/** The finding about a team that cannot be read. */
export function unreadable(
  { domainId: team, archetypeId, location }: Pick<RegistryEntry, 'domainId' | 'archetypeId' | 'location'>,
  error: unknown,
): HealthFinding {
  if (error instanceof UntrustedError) {
    const message = `its archetype '${archetypeId}' is unknown: ${error.what}`
    return { kind: 'unknown', team, message, fix: "'fed trust' shows and allows it" }
  }
  if (!existsSync(location) || error instanceof LifecycleGoneError) {
    const { lifecycle } = workspaceLayout(location)
    const { what, advice } = new LifecycleGoneError(team, location, lifecycle, existsSync(location))
    return { kind: 'unreadable', team, message: what, fix: advice }
  }
  if (error instanceof NewerFormatError)
    return { kind: 'unreadable', team, message: `${error.file}: ${error.reason}`, fix: newerAdvice }
  const message = error instanceof Error ? error.message : String(error)
  const fix =
    error instanceof FedError ? "'fed doctor' says what can be repaired" : "'fed doctor' examines it"
  // some errors give this advice themselves
  return {
    kind: 'unreadable',
    team,
    message: message.replace(/: 'fed doctor' says what can be repaired$/, ''),
    fix,
  }
}

function disagreement({ phase, state }: Facts, { team, status = 'active' }: Circumstances): HealthFinding[] {
  if (status === 'archived') {
    const message = `it is archived in the registry, but its lifecycle is ${state}`
    return [{ kind: 'disagreement', team, message, fix: `'fed restore ${team}' takes it back` }]
  }
  if (levelled(status, phase) === status) return []
  const message = `it is ${status} in the registry, but its lifecycle is ${state}`
  return [{ kind: 'disagreement', team, message, fix: "'fed monitor' makes them agree" }]
}

function failure({ failure: reason, phase, state }: Facts, { team }: Circumstances): HealthFinding[] {
  if (phase !== 'finished' || state !== 'failed') return []
  return [
    {
      kind: 'failed',
      team,
      message: `it failed${reason === null || reason.trim() === '' ? '' : `: ${reason}`}`,
      fix: `'fed launch --team ${team} --reset' begins anew, 'fed archive ${team}' puts it away`,
    },
  ]
}

function deliverable({ state, phase }: Facts, about: Circumstances): HealthFinding[] {
  const { team, delivers, workspace, deliverable: name } = about
  if (!delivers || phase !== 'finished' || state !== 'complete') return []
  const file = path.join(workspace, name)
  const stat = statOf(file)
  const fault =
    stat === undefined
      ? 'is not there'
      : !stat.isFile()
        ? 'is no regular file'
        : isBlank(file, stat)
          ? 'is empty'
          : undefined
  if (fault === undefined) return []
  const fix = `put it back from a copy; 'fed launch --team ${team} --reset' makes a new one`
  return [{ kind: 'deliverable', team, message: `it is complete, but ${file} ${fault}`, fix }]
}

/** Whether a file is empty or holds only white space; one of 4 KiB or more is not read, and never blank. */
function isBlank(file: string, { size }: Stats): boolean {
  return size === 0 || (size < 4096 && readPlain(file).toString('utf8').trim() === '')
}

function statOf(file: string): Stats | undefined {
  return unless(['ELOOP', 'ENOTDIR', 'EACCES'], () => lstatSync(file, { throwIfNoEntry: false }))
}

function late(facts: Facts, { team, workspace, usualAgent, present }: Circumstances): HealthFinding[] {
  if (!canBeLate(facts)) return []
  const aheadMs = facts.atMs - present
  if (aheadMs > lateMs) {
    const message = `its last move is dated ${ageInWords(aheadMs)} from now, by a clock that was ahead: until then nobody can tell whether anything happens`
    const fix = `set the clocks right; '${launchAgain(team, usualAgent, lastAgent(facts))}' carries on`
    return [{ kind: 'late', team, message, fix }]
  }
  if (-aheadMs <= lateMs) return []
  const { at, isRunning } = lastActivity(facts, workspaceLayout(workspace))
  if (present - at <= lateMs) return []
  const message = `nothing happened for ${ageInWords(present - at)}; it is ${facts.state} since ${facts.since}${isRunning ? ', and its agent still runs' : ''}`
  const fix = isRunning
    ? `look into ${(facts.session as { log: string }).log}; 'fed pause ${team}' stops the agent`
    : `'${launchAgain(team, usualAgent, lastAgent(facts))}' carries on`
  return [{ kind: 'late', team, message, fix }]
}

/** Name or command of the last session's agent; undefined without a session or with an unreadable one. */
function lastAgent({ session }: Facts): string | undefined {
  return session === undefined || session instanceof FedError ? undefined : session.agent
}

/** A finding for a question that the team took up and has not answered for an hour, in any state. */
function researched(facts: Facts, { team, present }: Circumstances): HealthFinding[] {
  const { held } = facts
  if (held === null || present - Date.parse(held.timestamp) <= longMs) return []
  const message = `question '${held.subject}' from ${held.from} waits for its answer for ${ageInWords(present - Date.parse(held.timestamp))}`
  const launch = `'fed launch --team ${team}'`
  const next = facts.phase === 'paused' ? `'fed resume ${team}' and ${launch}` : launch
  return [{ kind: 'unacknowledged', team, message, fix: `${next} has its agent answer it` }]
}

/** A finding for signals that wait too long in a team's mailbox, in any state of the team. */
function unread(facts: Facts, { team, status, waiting, present }: Circumstances): HealthFinding[] {
  const next = status === 'archived' ? `'fed restore ${team}' takes the team back` : whoReads(facts, team)
  return unacknowledged(team, waiting, present, `'fed ack ${team}' acknowledges mail, ${next}`)
}

function whoReads({ phase, state }: Facts, team: string): string {
  if (phase === 'finished') return `'fed reply ${team}' answers it: ${team} is ${state}`
  const launch = `'fed launch --team ${team}'`
  return `${phase === 'paused' ? `'fed resume ${team}' and ${launch}` : launch} has its agent read them`
}

/** Most waiting signals that a finding names. */
const mostNamed = 3

/**
 * A finding for signals that wait too long in a mailbox, if there are any.
 * @param next what to do with them, as part of a sentence.
 */
export function unacknowledged(
  team: string,
  waiting: readonly FiledSignal[],
  present: number,
  next: string,
): HealthFinding[] {
  const long = waiting.filter(({ timestamp }) => present - Date.parse(timestamp) > longMs)
  const [oldest] = long
  if (oldest === undefined) return []
  const what = long.length === 1 ? '1 signal waits' : `${long.length} signals wait`
  const named = long.slice(0, mostNamed).map(({ type, subject, from }) => `${type} '${subject}' from ${from}`)
  const more = long.length > mostNamed ? ` and ${long.length - mostNamed} more` : ''
  const message = `${what} for more than an hour, the oldest for ${ageInWords(present - Date.parse(oldest.timestamp))}: ${named.join(', ')}${more}`
  return [{ kind: 'unacknowledged', team, message, fix: `'fed inbox ${team}' shows them, ${next}` }]
}

function quarantined({ quarantined: count }: Facts, { team, workspace }: Circumstances): HealthFinding[] {
  return quarantineFindings(team, count, workspaceLayout(workspace).quarantine)
}

export function quarantineFindings(team: string, count: number, dir: string): HealthFinding[] {
  if (count === 0) return []
  const message = `${count === 1 ? '1 file that is no signal lies' : `${count} files that are no signals lie`} in quarantine`
  const fix = `'fed doctor' says why; remove what nobody needs from ${dir}`
  return [{ kind: 'quarantine', team, message, fix }]
}
