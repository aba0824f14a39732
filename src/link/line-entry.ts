import * as z from 'zod/mini'
import { ownFormat } from '../protocol/own-format.ts'
import { now, timestampSchema } from '../protocol/time.ts'
import { siteSchema } from '../protocol/config-link.ts'
import {
  digestSchema,
  sharedFileSchema,
  travellingEntrySchema,
  type KnownTeam,
  type Tenure,
} from '../records/sites/known-teams.ts'

const lineEntrySchema = z.strictObject({
  /**
   * `owner` makes a site the team's from here on, in a new epoch; `version` is a commit of its life, or its entry as it
   * is now; `gone` gives its name back.
   */
  kind: z.enum(['owner', 'version', 'gone']),
  site: siteSchema,
  epoch: z.int().check(z.minimum(1)),
  tenures: z.array(z.strictObject({ epoch: z.int(), site: siteSchema, sequence: z.int() })),
  at: timestampSchema,
  entry: z.optional(travellingEntrySchema),
  version: z.int().check(z.minimum(0)),
  commit: z.optional(z.guid()),
  /** Leaf state, and subject of the mission, of that version. */
  state: z.optional(z.string()),
  mission: z.optional(z.string()),
  /** The version's file as it is, or where it is kept, if it is too large for a message. */
  life: z.optional(z.string()),
  lifeFile: z.optional(digestSchema),
  document: z.optional(sharedFileSchema),
  log: z.optional(sharedFileSchema),
  parcel: z.optional(digestSchema),
})

/** A message of a team's line. */
export type LineEntry = z.infer<typeof lineEntrySchema>

/** How it is written. */
export const lineFormat = ownFormat('fed-line-1', lineEntrySchema)

/** The next message of a team's line: what is known of it stands on, but for what changes. */
export function nextEntry(
  { sequence: _sequence, isGone: _isGone, parcel, ...stands }: KnownTeam,
  changes: Pick<LineEntry, 'kind' | 'site'> & Partial<LineEntry>,
): LineEntry {
  const isNewOwner = changes.kind === 'owner'
  return {
    ...stands,
    epoch: stands.epoch + (isNewOwner ? 1 : 0),
    tenures: [...stands.tenures],
    // what it took along is on its way until it goes on
    ...(isNewOwner && parcel !== undefined && { parcel }),
    at: now(),
    ...changes,
  }
}

/** The message by which a site takes a name, or a task, that no team has: of one that had it only the tenures stand. */
export function beginning(
  before: KnownTeam | undefined,
  began: Pick<LineEntry, 'site'> & Partial<LineEntry>,
): LineEntry {
  const { epoch = 0, tenures = [] } = before ?? {}
  return { version: 0, at: now(), ...began, kind: 'owner', epoch: epoch + 1, tenures: [...tenures] }
}

/** What is known of a team after a message of its line. */
export function afterEntry(known: KnownTeam | undefined, sequence: number, entry: LineEntry): KnownTeam {
  const { kind, site, epoch, at, version } = entry
  const before =
    known !== undefined && known.tenures.length > entry.tenures.length ? known.tenures : entry.tenures
  const own: Tenure = { epoch, site, sequence }
  const tenures = kind === 'owner' ? [...before.filter((one) => one.epoch < epoch), own] : before
  return {
    site,
    epoch,
    tenures,
    sequence,
    at,
    version,
    ...defined({
      entry: entry.entry ?? known?.entry,
      commit: entry.commit,
      state: entry.state,
      mission: entry.mission,
      document: entry.document,
      log: entry.log,
      parcel: entry.parcel,
    }),
    ...(kind === 'gone' && { isGone: true }),
  }
}

function defined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/**
 * Why a signal does not count that stands at this place in the stream; undefined where it does. Its sender must have
 * lived, at that place, at the site and in the epoch from which it comes: so a site that was replaced while it was slow
 * moves nobody, and what it sent before counts.
 */
export function faultOfSender(
  sender: KnownTeam | undefined,
  { site, epoch, sequence }: Tenure,
): string | undefined {
  if (sender === undefined) return 'its sender is a team of no site'
  const at = sender.tenures.findLast((one) => one.sequence < sequence)
  if (at === undefined) return 'its sender lived nowhere yet'
  if (at.site !== site) return `its sender lives at ${at.site}, and it comes from ${site}`
  if (at.epoch !== epoch) return `it is of epoch ${epoch}, and its sender's is ${at.epoch}`
  return undefined
}
