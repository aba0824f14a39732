import { presentMs } from '../protocol/clock.ts'
import { workspaceLayout } from '../protocol/folder-layout.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import { META } from '../protocol/team-id.ts'
import type { TeamRegistry } from '../records/registry/team-registry.ts'
import { isSystemError } from '../platform/storage/system-error.ts'
import { versionsDirectory } from '../platform/storage/versioned-steps.ts'
import { UnreadableDocumentError } from '../errors/document-errors.ts'
import { disk } from '../platform/storage/disk.ts'
import { changeOf } from './folder-times.ts'
import { newLedger, newTeam, type LedgerDraft, type SpanRecord, type TeamLedger } from './telemetry-ledger.ts'
import { forgetEarlierLife, readLife } from './read-life.ts'
import { listInbox, readInbox, readOutbox, setAside } from './mailbox-reading.ts'
import { readSessions } from './read-sessions.ts'

/** What telemetry needs of a federation. */
export interface Observed {
  readonly root: string
  readonly registry: TeamRegistry
}

/** When so many spans and events wait, reading stops until they were taken: the files keep the rest. */
const mostWaiting = 4000

interface Place {
  readonly id: string
  readonly archetype: string
  readonly workspace: string
}

/** What a look found. */
export interface Look {
  readonly ledger: LedgerDraft
  /** Whether anything but the folders' times is new. */
  readonly hasNews: boolean
}

/**
 * Reads what came since the last look out of a federation's files, changes nothing of them, and takes no longer
 * than told: what it does not get to, the next look does. A team that cannot be read keeps nobody else from it.
 */
export function look(previous: LedgerDraft | undefined, observed: Observed, hasTime: () => boolean): Look {
  const { teams: entries } = observed.registry.read()
  const before = previous ?? newLedger(beginning(entries))
  const places = [
    { id: META, archetype: META, workspace: observed.root },
    ...entries.map(({ domainId, archetypeId, location }) => ({
      id: domainId,
      archetype: archetypeId,
      workspace: location,
    })),
  ]
  const spans = [...before.spans]
  let room = mostWaiting - weightOf([...spans, ...before.claims.flatMap((claim) => claim.spans)])
  const teams = { ...before.teams }
  let hasNews = previous === undefined
  for (const place of fromAnywhere(places)) {
    if (!hasTime() || room <= 0) break
    const known = teams[place.id]
    const read = readTeam(known, place, hasTime)
    if (read === undefined) continue
    teams[place.id] = read.team
    spans.push(...read.spans)
    room -= weightOf(read.spans)
    hasNews ||= read.spans.length > 0 || !isSame(known, read.team)
  }
  return { ledger: { ...before, teams, spans }, hasNews }
}

function beginning(entries: readonly RegistryEntry[]): string {
  const times = entries.map(({ onboardedAt }) => Date.parse(onboardedAt))
  return new Date(Math.min(presentMs(), ...times)).toISOString()
}

/** Not always the same teams first: when time is short, each has its turn. */
function fromAnywhere(places: readonly Place[]): Place[] {
  const first = Math.floor(Math.random() * places.length)
  return [...places.slice(first), ...places.slice(0, first)]
}

function weightOf(spans: readonly SpanRecord[]): number {
  let weight = 0
  for (const { events } of spans) weight += 1 + events.length
  return weight
}

function isSame(known: TeamLedger | undefined, team: TeamLedger): boolean {
  const facts = (ledger: TeamLedger | undefined) => JSON.stringify({ ...ledger, folders: {} })
  return facts(known) === facts(team)
}

interface TeamReading {
  readonly team: TeamLedger
  readonly spans: readonly SpanRecord[]
}

/** @returns undefined where nothing changed, or nothing can be read. */
function readTeam(
  known: TeamLedger | undefined,
  { id, archetype, workspace }: Place,
  hasTime: () => boolean,
): TeamReading | undefined {
  const { inbox, outbox, lifecycle, sessions } = workspaceLayout(workspace)
  const folders = { inbox, outbox, sessions, lifecycle: versionsDirectory(lifecycle) }
  // before anything is listed: what changes meanwhile is seen the next time
  const changes = Object.entries(folders).map(([name, dir]) => ({
    name,
    ...changeOf(dir, known?.folders[name]),
  }))
  const isNew = (...names: string[]) => changes.some((one) => one.isNew && names.includes(one.name))
  const isBehind = known !== undefined && known.session.mission < known.begun
  if (!changes.some((one) => one.isNew) && !isBehind) return undefined
  const team = known === undefined ? newTeam(archetype) : structuredClone(known)
  team.archetype = archetype
  const spans: SpanRecord[] = []
  try {
    if (id !== META) forgetEarlierLife(team, workspace)
    if (isNew('outbox')) readOutbox(team, disk.list(outbox))
    const isListed = isNew('inbox', 'lifecycle') && disk.exists(inbox)
    const listing = isListed ? listInbox(team, inbox, workspace) : undefined
    if (id !== META) {
      const life = readLife(team, { id, workspace }, hasTime)
      spans.push(...life.spans)
      // mail is told from what the machine handled only when all commits are read
      if (!life.isWhole) {
        setAside(team, life.handled)
        return { team, spans }
      }
      if (listing !== undefined) readInbox(team, inbox, listing, life.handled)
      spans.push(...readSessions(team, { id, workspace }))
    } else if (listing !== undefined) readInbox(team, inbox, listing, new Set())
  } catch (error) {
    // a workspace that is away or not allowed, a session's record that is damaged: others tell of it
    if (!isSystemError(error) && !(error instanceof UnreadableDocumentError)) throw error
    return { team, spans }
  }
  team.folders = Object.fromEntries(
    changes.flatMap(({ name, changed }) => (changed === undefined ? [] : [[name, changed] as const])),
  )
  return { team, spans }
}
