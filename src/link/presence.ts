import { hostname } from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'
import { RefusedError } from '../errors/fed-error.ts'
import { v4 as uuid } from 'uuid'
import { unless } from '../errors/unless.ts'
import { createOnce, disk, makeDirectory } from '../platform/storage/disk.ts'
import { presentMs } from '../protocol/clock.ts'
import { federationLayout } from '../protocol/folder-layout.ts'
import { ownFormat } from '../protocol/own-format.ts'
import { asDown, type Link } from './connection.ts'
import { absentMs } from './set-up-servers.ts'

const presenceSchema = z.strictObject({
  /** Of one clone: of two with one name the later is refused. */
  nonce: z.string(),
  host: z.string(),
  labels: z.array(z.string()),
  /** Archetypes that it knows: a team of another cannot go on there. */
  archetypes: z.optional(z.array(z.string())),
  /** How many tasks of others it takes, and how many it has. */
  slots: z.int(),
  taken: z.int(),
  teams: z.int(),
  /** Number of the last message that it carried out. */
  sequence: z.int(),
  /** By its own clock, in milliseconds since 1970. */
  clock: z.number(),
})
export type Presence = z.infer<typeof presenceSchema>

/** How a site's presence is written. */
export const presenceFormat = ownFormat('fed-presence-1', presenceSchema)

/** What tells this clone from any other: the next run of a link that was killed is the same site, at once. */
export function nonceOf(root: string): string {
  const { link } = federationLayout(root)
  makeDirectory(link)
  const file = path.join(link, 'nonce')
  createOnce(file, `${uuid()}\n`, link)
  // a copy of the folder is another clone
  return `${disk.read(file)?.trim()} ${hostname()} ${root}`
}

/** A site as the others see it. */
export interface SeenSite extends Presence {
  readonly site: string
  /** When the servers heard of it last, by their clock, in milliseconds since 1970. */
  readonly heard: number
}

/** How often a site says that it is there, in milliseconds. */
export const sayMs = 5000

/**
 * Sites whose links run; one that was not heard of for half a minute is not among them.
 * @throws {LinkDownError}
 */
export async function sitesThere({
  sites,
  manager,
  names,
}: Pick<Link, 'sites' | 'manager' | 'names'>): Promise<SeenSite[]> {
  try {
    const seen: SeenSite[] = []
    const prefix = `$KV.${names.sites}.`
    // one answer: a list that is sent in pieces would never end where one is lost
    const { state } = await manager.streams.info(`KV_${names.sites}`, { subjects_filter: `${prefix}>` })
    for (const subject of Object.keys(state.subjects ?? {})) {
      const site = subject.slice(prefix.length)
      const entry = await sites.get(site)
      if (entry === null || entry.operation !== 'PUT') continue
      const json = unless(SyntaxError, () => entry.json())
      const presence = presenceFormat.decodeOrNothing(json, site)
      if (presence !== undefined) seen.push({ ...presence, site, heard: entry.created.getTime() })
    }
    return seen.toSorted((one, other) => (one.site < other.site ? -1 : 1))
  } catch (error) {
    throw asDown(error)
  }
}

/**
 * Says that this site is there.
 * @throws {RefusedError} where another link has the name; {LinkDownError}
 */
export async function sayHere(
  { sites, record }: Pick<Link, 'sites' | 'record'>,
  said: Omit<Presence, 'host' | 'labels' | 'clock'>,
): Promise<void> {
  try {
    const before = await sites.get(record.site)
    const other =
      before?.operation === 'PUT'
        ? presenceFormat.decodeOrNothing(
            unless(SyntaxError, () => before.json()),
            record.site,
          )
        : undefined
    if (other !== undefined && other.nonce !== said.nonce)
      throw new RefusedError(
        `site ${record.site} is linked already, from ${other.host}: stop that link, or wait ${absentMs / 1000} s if it is gone`,
      )
    const text = presenceFormat.textOf({
      ...said,
      host: hostname(),
      labels: record.labels,
      clock: presentMs(),
    })
    const revision = before?.revision ?? 0
    await (revision === 0 ? sites.put(record.site, text) : sites.update(record.site, text, revision))
  } catch (error) {
    throw asDown(error)
  }
}

/** Says that this site's link ends. */
export async function sayGone({ sites, record }: Pick<Link, 'sites' | 'record'>): Promise<void> {
  await sites.delete(record.site).catch(() => {})
}
