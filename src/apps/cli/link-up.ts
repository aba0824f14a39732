import path from 'node:path'
import { RefusedError, UsageError } from '../../errors/fed-error.ts'
import type { Federation } from '../../federation/federation.ts'
import { connectTo, LinkDownError, openLink } from '../../link/connection.ts'
import { readLinkState } from '../../records/sites/link-state.ts'
import { sitesThere } from '../../link/presence.ts'
import { runLink } from '../../link/run-link.ts'
import { linkSchema } from '../../protocol/config-link.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { describeProblems } from '../../protocol/problems.ts'
import { now } from '../../protocol/time.ts'
import { readSite, writeSite, type SiteRecord } from '../../records/sites/site-record.ts'
import { goOnInBackground } from './background.ts'
import type { CommonOptions } from './declare-command.ts'
import { dispatch } from '../../agents/dispatch/dispatch.ts'
import { delay, takeLease } from '../../agents/dispatch/lease.ts'
import { COORDINATOR } from '../../engine/step/task-of-team.ts'
import { membersAtWork } from '../../link/work.ts'
import { usualSlots } from '../../agents/dispatch/slots.ts'
import { siteOf } from '../../federation/site-of-team.ts'
import { launchChoice } from './session-options.ts'
import { interruption } from './interruption.ts'
import { note, print } from './output.ts'
import { connectOrEnd } from './link-commands.ts'

/** What `fed link up` may be told. */
export interface UpSettings extends CommonOptions {
  readonly servers?: string
  readonly site?: string
  readonly federation?: string
  readonly meta?: string
  readonly label?: string[]
  readonly slots?: number
  readonly remote?: string
  readonly credentials?: string
  readonly ca?: string
  readonly replicas?: number
  readonly detach?: boolean
}

/** Name of a federation that nobody named. */
const usualName = 'fed'

/** A list that was given with commas. */
function listOf(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  const items = text.split(',').map((item) => item.trim())
  if (items.includes('')) throw new UsageError('--servers: an address is empty')
  return items
}

/** This site's record, as the command line, what was said before, and the configuration say, in this order. */
function recordOf({ root, config }: Federation, options: UpSettings): SiteRecord {
  const before = readSite(root)
  const { servers, site, federation, meta, label, slots, remote, credentials, ca } = options
  const relative = (file: string | undefined) =>
    file === undefined ? undefined : path.relative(root, path.resolve(file)) || file
  const said = {
    servers: listOf(servers),
    site,
    federation,
    meta,
    labels: label,
    slots,
    remote,
    credentials: relative(credentials),
    ca: relative(ca),
  }
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
  const { since: _since, ...earlier } = before ?? { since: '' }
  // what the configuration says for all clones counts there, also when it changes
  const { servers: all, federation: named, meta: home } = config.link ?? {}
  const shared = Object.entries({ servers: all, federation: named, meta: home })
  const parsed = linkSchema.safeParse({
    federation: usualName,
    ...config.link,
    ...earlier,
    ...Object.fromEntries(shared.filter(([, value]) => value !== undefined)),
    ...given,
  })
  if (!parsed.success)
    throw new UsageError(
      `the link cannot be set up: ${describeProblems(parsed.error, '; ')}; 'fed link up --servers nats://<host>:4222 --site <name>'`,
    )
  const { site: name, ...rest } = parsed.data
  if (name === undefined) throw new UsageError('which site is this? --site <name> says it, once')
  if (before !== undefined && before.site !== name)
    throw new RefusedError(
      `this is site ${before.site} already: 'fed move' hands its teams over, and 'fed link down --leave' makes it none`,
    )
  return { ...rest, site: name, since: before?.since ?? now() }
}

/** Links this site, until it is interrupted. */
export async function linkUp(federation: Federation, options: UpSettings): Promise<void> {
  const record = recordOf(federation, options)
  if (options.detach) return detachLink(federation, record, options)
  // what it is refused for is said before anything is kept
  try {
    const isNew = readSite(federation.root) === undefined
    const connection = await (isNew ? connectOrEnd : connectTo)(federation.root, record)
    try {
      if (isNew) await assertNobodyIs(record, connection)
    } finally {
      await connection.close()
    }
  } catch (error) {
    // a site that was linked before waits for its servers, as at the start of a machine
    if (!(error instanceof LinkDownError) || readSite(federation.root) === undefined) throw error
  }
  writeSite(federation.root, record)
  const signal = interruption()
  const slots = record.slots ?? usualSlots()
  const ends = new AbortController()
  signal.addEventListener('abort', () => ends.abort())
  const work = slots === 0 ? undefined : dispatchHere(federation, { slots, options, signal: ends.signal })
  note(options, `site ${record.site} of ${record.federation}: Ctrl-C ends the link, and what waits is kept`)
  try {
    await runLink(federation, record, {
      signal,
      slots,
      replicas: options.replicas,
      onEvent: ({ words }) => note(options, words),
    })
  } finally {
    ends.abort()
    await work
  }
  print(options, { site: record.site, state: 'down' }, () => '')
}

/** How often it is looked whether a team has work for a goal of another site, in milliseconds. */
const lookMs = 500

/**
 * Starts agents for the teams of this site that work for goals of other sites. While there is such a team, this process
 * dispatches; whoever sees a goal through here looks on meanwhile, and this one moves that goal on as well.
 */
async function dispatchHere(
  federation: Federation,
  {
    slots,
    options,
    signal,
  }: { readonly slots: number; readonly options: UpSettings; readonly signal: AbortSignal },
): Promise<void> {
  const { root } = federation
  const isAway = (coordinator: string | undefined) =>
    coordinator !== undefined && siteOf(root, coordinator) !== undefined
  const hasWork = () => membersAtWork(federation, isAway) > 0
  while (!signal.aborted) {
    // where another process dispatches, it does this as well
    const release = hasWork() ? takeLease(root) : undefined
    if (release === undefined) {
      await delay(lookMs, signal)
      continue
    }
    try {
      await dispatch(federation, {
        isMeant: ({ archetypeId, coordinator }) => archetypeId === COORDINATOR || coordinator !== undefined,
        slots,
        choice: launchChoice({ maxSessions: 3 }),
        signal,
        onTeam: (team, happened) => {
          if (happened.kind === 'ended') note(options, `${team.id} is ${happened.status.state}`)
          if (happened.kind === 'stopped') note(options, `${team.id} stopped: ${happened.error.message}`)
        },
        isOver: (underWay) => underWay === 0 && !hasWork(),
      })
    } finally {
      release()
    }
  }
}

/** @throws {RefusedError} where another clone is this site. */
async function assertNobodyIs(
  record: SiteRecord,
  connection: Awaited<ReturnType<typeof connectTo>>,
): Promise<void> {
  const link = await openLink(record, connection).catch((error: unknown) => {
    // nothing is there yet, which the link makes
    if (error instanceof LinkDownError) return undefined
    throw error
  })
  const other = link && (await sitesThere(link)).find(({ site }) => site === record.site)
  if (other !== undefined)
    throw new RefusedError(
      `site ${record.site} is linked already, from ${other.host}: give this clone another name`,
    )
}

/** How long a link in the background has to begin, in milliseconds. */
const beginMs = 15_000

async function detachLink(federation: Federation, { site }: SiteRecord, options: UpSettings): Promise<void> {
  const log = path.join(federationLayout(federation.root).fed, 'link.log')
  const hasBegun = (begun: number | undefined) => readLinkState(federation.root)?.pid === begun
  const pid = await goOnInBackground({ what: 'link', log, hasBegun, longestMs: beginMs })
  print(options, { site, pid, log }, () => `site ${site} is linked by process ${pid}; its log is ${log}`)
}
