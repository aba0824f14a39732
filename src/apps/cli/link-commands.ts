import { NotFoundError, RefusedError } from '../../errors/fed-error.ts'
import type { Federation } from '../../federation/federation.ts'
import { listAside, type Aside } from '../../link/put-aside.ts'
import { connectTo, openLink, type Link } from '../../link/connection.ts'
import { keepShared } from '../../link/copies.ts'
import { examineLink, type LinkFinding } from '../../link/link-doctor.ts'
import { waitingElsewhere } from '../../link/mail-elsewhere.ts'
import { readLinkState, type LinkState } from '../../records/sites/link-state.ts'
import { sitesThere } from '../../link/presence.ts'
import { View } from '../../link/line-view.ts'
import { presentMs } from '../../protocol/clock.ts'
import { META } from '../../protocol/team-id.ts'
import { readKnown } from '../../records/sites/known-teams.ts'
import { readSite, removeSite, type SiteRecord } from '../../records/sites/site-record.ts'
import { siteOf } from '../../federation/site-of-team.ts'
import { endProcess } from './background.ts'

export interface LinkStatus {
  readonly site: string | null
  readonly federation: string | null
  readonly servers: readonly string[]
  readonly running: LinkState | null
  /** Signals that wait here for other sites. */
  readonly waiting: number
  readonly aside: readonly Aside[]
}

export function linkStatus(federation: Federation): LinkStatus {
  const { root } = federation
  const record = readSite(root)
  const waiting = record === undefined ? 0 : waitingElsewhere(federation)
  return {
    site: record?.site ?? null,
    federation: record?.federation ?? null,
    servers: record?.servers ?? [],
    running: readLinkState(root) ?? null,
    waiting,
    aside: listAside(root),
  }
}

export function describeLink({ site, federation, servers, running, waiting, aside }: LinkStatus): string {
  if (site === null)
    return "this federation is not linked; 'fed link up --servers nats://<host>:4222 --site <name>' links it"
  const link =
    running === null
      ? "no link runs: 'fed link up' starts one"
      : running.trouble !== null
        ? `down: ${running.trouble}`
        : running.server === null
          ? 'connecting'
          : `up by ${running.server}, ${running.isCaughtUp ? 'everything is read' : 'reading'}, ${running.sent} sent and ${running.takenIn} taken in`
  return [
    `site ${site} of ${federation}, servers ${servers.join(', ')}`,
    `link: ${link}`,
    `waiting for other sites: ${waiting}`,
    ...(running?.held ?? []).map(({ team, why }) => `held: ${team}: ${why}`),
    ...(running?.notes ?? []).map((one) => `note: ${one}`),
    ...aside.flatMap(describeAside),
  ].join('\n')
}

function describeAside({
  team,
  at,
  site,
  accepted,
  versions,
  sent,
  unread = [],
  isMoved,
  folder,
}: Aside): string[] {
  const how = isMoved ? 'moved to' : 'taken over by'
  return [
    `put aside ${at}: ${team} was ${how} ${site} from version ${accepted}; what it left is in ${folder}`,
    ...versions.map(
      ({ version, state, at: when }) => `  version ${version} (${state}, ${when}) counts nowhere`,
    ),
    ...sent.map(({ to, type, subject }) => `  ${type} '${subject}' to ${to} was sent after that`),
    ...unread.map(({ from, type, subject }) => `  ${type} '${subject}' of ${from} was read by nobody`),
  ]
}

/** How long a link has to end, in milliseconds. */
const endMs = 15_000

/** Stops the link of this site. */
export async function linkDown(
  { root }: Federation,
  leaves: boolean,
): Promise<{ readonly wasRunning: boolean; readonly hasLeft: boolean; readonly still: readonly string[] }> {
  const state = readLinkState(root)
  if (state !== undefined) await endProcess(state.pid, () => readLinkState(root) === undefined, endMs)
  const own = readSite(root)
  const still = Object.entries(readKnown(root).teams)
    .filter(([id, { site, isGone }]) => id !== META && site === own?.site && !isGone)
    .map(([id]) => id)
  if (leaves) removeSite(root)
  return { wasRunning: state !== undefined, hasLeft: leaves, still: leaves ? still : [] }
}

/** @throws {RefusedError} where this federation is not linked. */
function siteHere({ root }: Federation): SiteRecord {
  const record = readSite(root)
  if (record === undefined)
    throw new RefusedError(
      "this federation is not linked; 'fed link up --servers nats://<host>:4222 --site <name>' links it",
    )
  return record
}

/** Connects; where no server answers, the command ends for all that, though a socket may still wait for one. */
export async function connectOrEnd(
  root: string,
  record: SiteRecord,
): Promise<Awaited<ReturnType<typeof connectTo>>> {
  try {
    return await connectTo(root, record)
  } catch (error) {
    endEvenSo()
    throw error
  }
}

/** Ends this process soon, with the exit code that it then has, where something keeps it that nobody waits for. */
function endEvenSo(): void {
  setTimeout(() => process.exit(), 500).unref()
}

/** Does something with the servers, beside the link that runs. */
export async function withLink<Result>(
  federation: Federation,
  act: (link: Link, view: View) => Promise<Result>,
): Promise<Result> {
  const record = siteHere(federation)
  const connection = await connectOrEnd(federation.root, record)
  try {
    return await act(await openLink(record, connection), new View(federation.root, record.site))
  } finally {
    await connection.close()
  }
}

export async function examine(federation: Federation): Promise<LinkFinding[]> {
  const findings = await examineLink(federation.root, siteHere(federation))
  if (findings.some(({ state }) => state === 'wrong')) endEvenSo()
  return findings
}

/**
 * Brings what the servers have of a team of another site.
 * @throws {NotFoundError} where it lives at none, or they have nothing.
 */
export async function fetchOf(
  federation: Federation,
  team: string,
): Promise<{ readonly what: 'document' | 'log'; readonly file: string }[]> {
  const { root } = federation
  const known = siteOf(root, team) === undefined ? undefined : readKnown(root).teams[team]
  if (known === undefined)
    throw new NotFoundError(`${team} lives at no other site; 'fed sites' shows what lives where`)
  const wanted = [
    { what: 'document' as const, shared: known.document },
    { what: 'log' as const, shared: known.log },
  ]
  const files = await withLink(federation, async (link) => {
    const brought: { readonly what: 'document' | 'log'; readonly file: string }[] = []
    for (const { what, shared } of wanted) {
      const file = shared && (await keepShared(root, link, team, shared))
      if (file !== undefined) brought.push({ what, file })
    }
    return brought
  })
  if (files.length === 0) throw new NotFoundError(`the servers have neither a document nor a log of ${team}`)
  return files
}

/** A site, and what is known of it here. */
export interface ListedSite {
  readonly site: string
  readonly isOwn: boolean
  /** Whether meta lives there. */
  readonly isHome: boolean
  /** How long ago the servers heard of it, in milliseconds; null where they did not lately. */
  readonly heardMs: number | null
  readonly labels: readonly string[]
  readonly slots: number
  readonly teams: readonly {
    readonly team: string
    readonly state: string | undefined
    readonly version: number
    readonly at: string
  }[]
}

export async function sitesOf(federation: Federation): Promise<ListedSite[]> {
  const own = siteHere(federation)
  const there = await withLink(federation, (link) => sitesThere(link))
  const { teams } = readKnown(federation.root)
  const names = new Set([
    own.site,
    ...there.map(({ site }) => site),
    ...Object.values(teams).map(({ site }) => site),
  ])
  return [...names].toSorted().map((site) => {
    const seen = there.find((one) => one.site === site)
    const mine = Object.entries(teams).filter(([, one]) => one.site === site && !one.isGone)
    return {
      site,
      isOwn: site === own.site,
      isHome: mine.some(([id]) => id === META),
      heardMs: seen === undefined ? null : Math.max(0, presentMs() - seen.heard),
      labels: seen?.labels ?? [],
      slots: seen?.slots ?? 0,
      teams: mine
        .filter(([id]) => id !== META)
        .map(([team, { state, version, at }]) => ({ team, state, version, at })),
    }
  })
}
