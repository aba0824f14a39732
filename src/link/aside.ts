import path from 'node:path'
import * as z from 'zod/mini'
import { takeApartDirectory, takeApartWorktree } from '../agents/offboarding/remove-workspace.ts'
import { isDriven } from '../agents/sessions/launchable.ts'
import { CorruptDocumentError } from '../errors/document-errors.ts'
import { FedError } from '../errors/fed-error.ts'
import { unless } from '../errors/unless.ts'
import { leafOfValue } from '../engine/decide/phase.ts'
import { lifecycleDocument } from '../engine/step/lifecycle-document.ts'
import type { Federation } from '../federation/federation.ts'
import { holdingName } from '../federation/onboarding/name-claim.ts'
import { workspaceFor } from '../federation/place-of-team.ts'
import { disk, makeDirectory, replaceFile } from '../platform/storage/disk.ts'
import { federationLayout } from '../protocol/folder-layout.ts'
import { ownFormat } from '../protocol/own-format.ts'
import { placementTypes, type RegistryEntry } from '../protocol/registry-schema.ts'
import { now, timestampSchema } from '../protocol/time.ts'
import { Mailbox } from '../records/signals/mailbox.ts'

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
  /** Signals that it sent after that: within this site they were read, and what others did by them stands. */
  sent: z.array(
    z.strictObject({ to: z.string(), type: z.string(), subject: z.string(), at: timestampSchema }),
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
}

/**
 * Takes a team out of this site that lives at another one, and keeps everything that it left, with a list of what went
 * on here since. Its agent is stopped first.
 * @returns undefined while its agent still runs: whoever comes next goes on.
 */
export async function putAside(
  federation: Federation,
  entry: RegistryEntry,
  { site, epoch, accepted, isMoved }: Gone,
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
  const sent = new Mailbox(team, entry.location)
    .sent()
    .filter(({ timestamp }) => since !== undefined && Date.parse(timestamp) > Date.parse(since))
    .map(({ to, type, subject, timestamp: at }) => ({ to, type, subject, at }))
  const aside: Aside = {
    team,
    at: now(),
    site,
    epoch,
    isMoved,
    accepted,
    versions,
    sent,
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
  takeApart(federation, aside)
  return aside
}

function takeApart({ root, config }: Federation, { team, placementType, folder }: Aside): void {
  const workspace = workspaceFor(root, placementType, team)
  holdingName(root, team, () => {
    if (placementType === 'directory') takeApartDirectory(workspace, folder)
    else takeApartWorktree(root, team, workspace, { archive: folder, deliverable: config.deliverable })
  })
}

/** Finishes what a process left that was killed while it put a team aside. */
export function finishAsides(federation: Federation): void {
  const { root, registry } = federation
  const asides = listAside(root)
  if (asides.length === 0) return
  const here = new Set(registry.read().teams.map(({ domainId }) => domainId))
  for (const aside of new Map(asides.map((one) => [one.team, one])).values()) {
    const isLeft = disk.exists(workspaceFor(root, aside.placementType, aside.team))
    if (isLeft && !here.has(aside.team)) takeApart(federation, aside)
  }
}

function ignoreOurs(error: unknown): void {
  if (!(error instanceof FedError)) throw error
}

function laterVersions({ location }: RegistryEntry, accepted: number): Aside['versions'] {
  const document = lifecycleDocument(location)
  const numbers = document.versions().filter((number) => number > accepted)
  return numbers.flatMap((version) => {
    const content = unless(FedError, () => document.version(version))
    return content === undefined
      ? []
      : [{ version, state: leafOfValue(content.snapshot.value), at: content.at }]
  })
}

function acceptedAt({ location, onboardedAt }: RegistryEntry, accepted: number): string | undefined {
  return unless(FedError, () => lifecycleDocument(location).version(accepted)?.at) ?? onboardedAt
}
