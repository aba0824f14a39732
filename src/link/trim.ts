import { DeliverPolicy } from '@nats-io/jetstream'
import { META } from '../protocol/team-id.ts'
import type { KnownTeam } from '../records/sites/known-teams.ts'
import { answerMs, asDown, type Link } from './connection.ts'
import { sitesThere } from './presence.ts'
import { lineOf } from './read-stream.ts'
import type { View } from './line-view.ts'

/** What was taken off the stream. */
export interface Trimmed {
  /** Versions of lives, and signals, as the servers counted them. */
  readonly versions: number
  readonly signals: number
}

export interface TrimLimits {
  /** Nothing is taken off a stream that is less full than this part. */
  readonly share: number
  /** So many messages of each team's line stay. */
  readonly keep: number
  /** Signals that are younger stay, in milliseconds. */
  readonly ageMs: number
}

/** How a stream that fills up is trimmed. */
const usualLimits: TrimLimits = { share: 0.5, keep: 1000, ageMs: 7 * 86_400_000 }

/**
 * Takes off the stream what nobody needs any more: of each line all but its last messages, and old signals. It is done by
 * the site of meta, where the stream is half full, and only where the link of every site that matters runs and has
 * carried the messages out: each at which a team lives, and of a line each at which its team ever lived.
 * @throws {LinkDownError} also where the servers do not let this site do it.
 */
export async function trim(link: Link, view: View, limits: TrimLimits = usualLimits): Promise<Trimmed> {
  const nothing = { versions: 0, signals: 0 }
  if (!view.isHome) return nothing
  try {
    const { config, state } = await link.manager.streams.info(link.names.stream)
    if (config.max_bytes <= 0 || state.bytes < config.max_bytes * limits.share) return nothing
    const read = new Map((await sitesThere(link)).map(({ site, sequence }) => [site, sequence]))
    const carriedOut = carriedOutBy(sitesOfTeams(view), read)
    if (carriedOut === 0) return nothing
    const versions = await trimLines(link, view, { read, carriedOut, keep: limits.keep })
    return { versions, signals: await trimSignals(link, carriedOut, limits.ageMs) }
  } catch (error) {
    throw asDown(error)
  }
}

function sitesOfTeams(view: View): Set<string> {
  return new Set([...view.teams().values()].filter(({ isGone }) => !isGone).map(({ site }) => site))
}

/** Up to which message all these sites, and whoever else is there, have carried out everything; 0 where one is not there. */
function carriedOutBy(sites: ReadonlySet<string>, read: ReadonlyMap<string, number>): number {
  return Math.min(...read.values(), ...[...sites].map((site) => read.get(site) ?? 0))
}

async function trimLines(
  link: Link,
  view: View,
  {
    read,
    carriedOut,
    keep,
  }: { readonly read: ReadonlyMap<string, number>; readonly carriedOut: number; readonly keep: number },
): Promise<number> {
  const { state } = await link.manager.streams.info(link.names.stream, {
    subjects_filter: link.names.line('*'),
  })
  let taken = 0
  for (const [team, known] of view.teams()) {
    const count = state.subjects?.[link.names.line(team)] ?? 0
    // not at each version
    if (team === META || count <= 2 * keep) continue
    const upTo = Math.min(carriedOut, carriedOutBy(new Set(known.tenures.map(({ site }) => site)), read))
    const cut = await cutOf(link, team, known, { upTo, keep })
    if (cut !== undefined) taken += await purge(link, link.names.line(team), cut)
  }
  return taken
}

/** The first message of a line that stays; undefined where all do. */
async function cutOf(
  link: Link,
  team: string,
  known: KnownTeam,
  { upTo, keep }: { readonly upTo: number; readonly keep: number },
): Promise<number | undefined> {
  const line = await lineOf(link, team)
  const first = line.at(-keep)
  if (first === undefined || known.isGone === true || first.sequence > upTo) return undefined
  // whoever goes on with it begins with a version
  return line.find(({ sequence, entry }) => sequence >= first.sequence && hasLife(entry))?.sequence
}

function hasLife({
  life,
  lifeFile,
}: {
  readonly life?: string | undefined
  readonly lifeFile?: string | undefined
}) {
  return life !== undefined || lifeFile !== undefined
}

/** By the servers' clock: a signal is as old as the last message is younger. */
async function trimSignals(link: Link, carriedOut: number, ageMs: number): Promise<number> {
  const { state } = await link.manager.streams.info(link.names.stream)
  const young = await link.js.consumers.get(link.names.stream, {
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: new Date(Date.parse(state.last_ts) - ageMs).toISOString(),
  })
  const first = await young.next({ expires: answerMs })
  // nobody knows what is old then
  if (first === null) return 0
  return purge(link, link.names.signal('*', '*'), Math.min(first.seq, carriedOut + 1))
}

/** Removes what comes before a message. */
async function purge(link: Link, filter: string, before: number): Promise<number> {
  // a server takes 1, before which nothing can be, for everything
  if (before <= 1) return 0
  const { purged } = await link.manager.streams.purge(link.names.stream, { filter, seq: before })
  return purged
}
