import path from 'node:path'
import * as z from 'zod/mini'
import { takeApartDirectory, takeApartWorktree } from '../agents/offboarding/remove-workspace.ts'
import { isDriven } from '../agents/sessions/launchable.ts'
import { CorruptDocumentError } from '../errors/document-errors.ts'
import { FedError } from '../errors/fed-error.ts'
import { unless } from '../errors/unless.ts'
import type { Lifecycle } from '../engine/decide/lifecycle.ts'
import { leafOfValue } from '../engine/decide/phase.ts'
import type { Federation } from '../federation/federation.ts'
import { holdingName } from '../federation/onboarding/name-claim.ts'
import { workspaceFor } from '../federation/place-of-team.ts'
import { createOnce, disk, makeDirectory, replaceFile } from '../platform/storage/disk.ts'
import { federationLayout, placeOfAbsent } from '../protocol/folder-layout.ts'
import { ownFormat } from '../protocol/own-format.ts'
import { placementTypes, type RegistryEntry } from '../protocol/registry-schema.ts'
import { now, timestampSchema } from '../protocol/time.ts'
import { META } from '../protocol/team-id.ts'
import { deliverAll } from '../records/signals/deliver.ts'
import { Mailbox, type FiledSignal } from '../records/signals/mailbox.ts'
import { siteOf } from '../federation/site-of-team.ts'
import type { Judgement } from './incoming.ts'
import { dropSent, waitingOf } from './mail-elsewhere.ts'
import { lifeIn, versionFiles } from './publish-life.ts'

const asideSchema = z.strictObject({
  team: z.string(),
  at: timestampSchema,
  /** Where it lives now, since which epoch. */
  site: z.string(),
  epoch: z.int(),
  /** It was moved on purpose; otherwise another site took over. */
  isMoved: z.boolean(),
  /** The last version that the servers accepted from here: what it goes on from. */
  accepted: z.int(),
  /** What went on here after that, and counts nowhere. */
  versions: z.array(z.strictObject({ version: z.int(), state: z.string(), at: timestampSchema })),
  /**
   * Signals that it sent after that, or that did not leave this site: within this site they were read, and what others
   * did by them stands.
   */
  sent: z.array(
    z.strictObject({ to: z.string(), type: z.string(), subject: z.string(), at: timestampSchema }),
  ),
  /** Mail that it had not handled, of teams of this site that live elsewhere as well: nobody sends it after them. */
  unread: z.optional(
    z.array(z.strictObject({ from: z.string(), type: z.string(), subject: z.string(), at: timestampSchema })),
  ),
  /** Folder with everything that it left; work that is on no branch is kept under `refs/fed/rescue/<team>/`. */
  folder: z.string(),
  placementType: z.enum(placementTypes),
})

/** What was put aside of a team that lives elsewhere now: `.fed/link/aside/<team>-<epoch>.json`. */
export type Aside = z.infer<typeof asideSchema>

const format = ownFormat('fed-aside-1', asideSchema)

function folderOf(root: string): string {
  return path.join(federationLayout(root).link, 'aside')
}

/** What was put aside here, oldest first. */
export function listAside(root: string): Aside[] {
  const folder = folderOf(root)
  return disk
    .list(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const file = path.join(folder, name)
      const text = unless(CorruptDocumentError, () => disk.read(file))
      const json = text === undefined ? undefined : unless(SyntaxError, () => JSON.parse(text) as unknown)
      return format.decodeOrNothing(json, file) ?? []
    })
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/** Where a team went. */
export interface Gone {
  readonly site: string
  readonly epoch: number
  /** The last version that was accepted from here. */
  readonly accepted: number
  readonly isMoved: boolean
  /** What of this site's signals to others counts all the same, standing before a new owner in the stream, and what not. */
  readonly judged?: () => Promise<Judgement>
}

/**
 * Takes a team out of this site that lives at another one, and keeps everything that it left, with a list of what went
 * on here since. Its agent is stopped first.
 * @returns undefined while its agent still runs: whoever comes next goes on.
 */
export async function putAside(
  federation: Federation,
  entry: RegistryEntry,
  { site, epoch, accepted, isMoved, judged }: Gone,
): Promise<Aside | undefined> {
  const { root, registry } = federation
  const { domainId: team, placementType } = entry
  const open = await federation.openEntry(entry).catch((error: unknown) => {
    if (error instanceof FedError) return undefined
    throw error
  })
  if (open !== undefined && (await isDriven(open))) {
    const present = unless(FedError, () => open.present())
    if (present !== undefined && !present.paused && !present.finished) await open.pause().catch(ignoreOurs)
    return undefined
  }
  const name = `${team}-${epoch}`
  const folder = path.join(folderOf(root), name)
  makeDirectory(folderOf(root))
  const versions = laterVersions(entry, accepted)
  const since = acceptedAt(entry, accepted)
  const isLate = ({ timestamp }: { readonly timestamp: string }) =>
    since !== undefined && Date.parse(timestamp) > Date.parse(since)
  const { counted, refused } = (await judged?.()) ?? { counted: new Set(), refused: new Set() }
  const again = sentBy(entry, accepted)
  const gone = new Mailbox(team, entry.location)
    .sent()
    .filter((one) => isLate(one) || (refused.has(one.id) && !again.has(one.id)))
  const stayed = waitingOf(federation, team).filter(({ id }) => !again.has(id))
  const late = new Map([...stayed, ...gone].map((one) => [one.id, one]))
  const sent = [...late.values()]
    .filter(({ id }) => !counted.has(id))
    .map(({ to, type, subject, timestamp: at }) => ({ to, type, subject, at }))
  const here = ownOf(federation)
  const unread = isMoved
    ? []
    : unhandled({ team, accepted, folder: entry.location })
        .filter(({ from, id }) => !here.has(from) && !cameFromElsewhere(root, from, id))
        .map(({ from, type, subject, timestamp: at }) => ({ from, type, subject, at }))
  const aside: Aside = {
    ...{ team, at: now(), site, epoch, isMoved, accepted },
    versions,
    sent,
    unread,
    placementType,
    folder,
  }
  // first: whoever finds it finishes what a killed process left
  replaceFile(path.join(folderOf(root), `${name}.json`), format.textOf(aside), federationLayout(root).fed)
  registry.update((draft) => ({
    ...draft,
    teams: draft.teams.filter(({ domainId }) => domainId !== team),
  }))
  federation.forget(team)
  await finish(federation, aside)
  return aside
}

/** All that is left to be done once the registry does not name the team; done again it changes nothing. */
async function finish(federation: Federation, aside: Aside): Promise<void> {
  takeApart(federation, aside)
  dropSent(federation, aside.team)
  await sendOn(federation, aside)
  createOnce(doneMark(federation.root, aside), '', federationLayout(federation.root).fed)
}

function doneMark(root: string, { team, epoch }: Aside): string {
  return path.join(folderOf(root), `${team}-${epoch}.done`)
}

/**
 * Sends what teams of this site sent to one that lives elsewhere, and it did not read or read too late, after it; what
 * it has already is known there by its id.
 */
async function sendOn(federation: Federation, aside: Aside): Promise<void> {
  const { root } = federation
  const { team } = aside
  const own = ownOf(federation)
  const left = unhandled(aside).filter(({ from }) => own.has(from))
  if (left.length === 0) return
  const to = new Mailbox(team, placeOfAbsent(root, team))
  to.create()
  await deliverAll(
    left.map(({ file: _file, acknowledged: _is, acknowledged_at: _at, ...signal }) => ({
      ...{ signal, to },
      from: federation.mailbox(signal.from),
    })),
  )
}

/** Who lives at this site. */
function ownOf({ root, registry }: Federation): Set<string> {
  const own = new Set(registry.read().teams.map(({ domainId }) => domainId))
  return siteOf(root, META) === undefined ? own.add(META) : own
}

/** Mail in a folder that a team left, which no accepted version of it handled. */
function unhandled({ team, accepted, folder }: Pick<Aside, 'team' | 'accepted' | 'folder'>): FiledSignal[] {
  const late = new Set(
    livesOf(folder, (version) => version > accepted).flatMap(({ handled }) =>
      handled.map(({ signal }) => signal),
    ),
  )
  return new Mailbox(team, folder)
    .all()
    .filter(({ id, acknowledged }) => acknowledged !== true || late.has(id))
}

/** Whether a signal came by the servers: whoever has its recipient now finds it there. */
function cameFromElsewhere(root: string, from: string, id: string): boolean {
  return new Mailbox(from, placeOfAbsent(root, from)).sent().some((one) => one.id === id)
}

function takeApart({ root, config }: Federation, { team, placementType, folder }: Aside): void {
  const workspace = workspaceFor(root, placementType, team)
  holdingName(root, team, () => {
    if (placementType === 'directory') takeApartDirectory(workspace, folder)
    else takeApartWorktree(root, team, workspace, { archive: folder, deliverable: config.deliverable })
  })
}

/** Finishes what a process left that was killed while it put teams aside. */
export async function finishAsides(federation: Federation): Promise<void> {
  const { root, registry } = federation
  const names = disk.list(folderOf(root))
  const done = new Set(names.filter((name) => name.endsWith('.done')).map((name) => name.slice(0, -5)))
  if (names.length === 2 * done.size) return
  const here = new Set(registry.read().teams.map(({ domainId }) => domainId))
  for (const aside of listAside(root))
    if (!done.has(`${aside.team}-${aside.epoch}`) && !here.has(aside.team)) await finish(federation, aside)
}

function ignoreOurs(error: unknown): void {
  if (!(error instanceof FedError)) throw error
}

function laterVersions({ location }: RegistryEntry, accepted: number): Aside['versions'] {
  return livesOf(location, (version) => version > accepted).map(({ version, snapshot, at }) => ({
    version,
    state: leafOfValue(snapshot.value),
    at,
  }))
}

/** Versions of a life, ascending; one that cannot be read is none. */
function livesOf(location: string, isWanted: (version: number) => boolean): Lifecycle[] {
  return [...versionFiles(location)].flatMap(([number, file]) =>
    isWanted(number) ? (unless(FedError, () => lifeIn(file)) ?? []) : [],
  )
}

/** Signals of the versions that were accepted: whoever goes on from them sends them. */
function sentBy({ location }: RegistryEntry, accepted: number): Set<string> {
  const effects = livesOf(location, (version) => version <= accepted).flatMap((life) => life.effects)
  return new Set(effects.flatMap((effect) => (effect.kind === 'send' ? [effect.signal.id] : [])))
}

function acceptedAt({ location, onboardedAt }: RegistryEntry, accepted: number): string | undefined {
  return livesOf(location, (version) => version === accepted)[0]?.at ?? onboardedAt
}
