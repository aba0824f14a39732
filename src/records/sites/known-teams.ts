import { statSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { unless } from '../../errors/unless.ts'
import { disk, makeDirectory, replaceFile, WRITABLE } from '../../platform/storage/disk.ts'
import { federationLayout, placeOfAbsent } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { registryEntrySchema, type RegistryEntry } from '../../protocol/registry-schema.ts'
import { timestampSchema } from '../../protocol/time.ts'

/** A team's entry as it travels: where it lies is each site's own. */
export const travellingEntrySchema = z.looseObject(z.omit(registryEntrySchema, { location: true }).shape)
export type TravellingEntry = z.infer<typeof travellingEntrySchema>

/** When a site became a team's: from that message of the stream on, until the next. */
const tenureSchema = z.strictObject({ epoch: z.int(), site: z.string(), sequence: z.int() })
export type Tenure = z.infer<typeof tenureSchema>

/** Something at the servers, by its digest: `sha256:` and 64 hexadecimal digits. */
export const digestSchema = z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/, 'is no sha256 digest'))

/** A file of a team, as its site has it. */
export const sharedFileSchema = z.strictObject({
  name: z.string().check(z.regex(/^[^/\\\0.][^/\\\0]*$/, 'is no name of a file')),
  digest: digestSchema,
})
export type SharedFile = z.infer<typeof sharedFileSchema>

/** What all sites know of a team, or of `meta`: what its line says, up to the last message that was read. */
const knownTeamSchema = z.strictObject({
  site: z.string(),
  epoch: z.int(),
  tenures: z.array(tenureSchema),
  /** Number of its last message in the stream. */
  sequence: z.int(),
  /** When its site wrote that, by that one's clock. */
  at: timestampSchema,
  /** Undefined for `meta`. */
  entry: z.optional(travellingEntrySchema),
  /** Of its lifecycle; 0 before the first. */
  version: z.int(),
  commit: z.optional(z.string()),
  state: z.optional(z.string()),
  mission: z.optional(z.string()),
  document: z.optional(sharedFileSchema),
  log: z.optional(sharedFileSchema),
  /** What it took along, where it was moved. */
  parcel: z.optional(digestSchema),
  /** It was offboarded: its name is free. */
  isGone: z.optional(z.boolean()),
})
export type KnownTeam = z.infer<typeof knownTeamSchema>

const knownSchema = z.strictObject({
  /** Number of the last message that was read and carried out. */
  sequence: z.int(),
  /** When the servers took that one, by their clock: by it the stream is known again. Milliseconds since 1970. */
  takenAt: z.optional(z.number()),
  teams: z.record(z.string(), knownTeamSchema),
})
export type Known = z.infer<typeof knownSchema>

const format = ownFormat('fed-known-teams-1', knownSchema)

function fileOf(root: string): string {
  return path.join(federationLayout(root).link, 'teams.json')
}

const nothing: Known = { sequence: 0, teams: {} }

/** What was read last, by root, with the mark of the file. */
const cache = new Map<string, { readonly mark: string; readonly known: Known }>()

/**
 * What this site knows of the teams of all sites; nothing before the link ran. A file that is no such file is read
 * as nothing: the link makes it anew.
 * @throws {NewerFormatError}
 */
export function readKnown(root: string): Known {
  const file = fileOf(root)
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return nothing
  const mark = `${stat.ino} ${stat.mtimeMs} ${stat.size}`
  const before = cache.get(root)
  if (before?.mark === mark) return before.known
  const text = unless(CorruptDocumentError, () => disk.read(file))
  const json = text === undefined ? undefined : unless(SyntaxError, () => JSON.parse(text) as unknown)
  const known = format.decodeOrNothing(json, file) ?? nothing
  cache.set(root, { mark, known })
  return known
}

/** Keeps what is known; a power cut may take it, and then it is read from the servers again. */
export function writeKnown(root: string, known: Known): void {
  const { link } = federationLayout(root)
  makeDirectory(link)
  const text = `${JSON.stringify(format.stamp(known))}\n`
  replaceFile(fileOf(root), text, link, { mode: WRITABLE, isDurable: false })
}

/** The entries of teams that live at other sites; each names the place that stands for the team here. */
export function absentEntries(root: string, site: string): RegistryEntry[] {
  return Object.entries(readKnown(root).teams).flatMap(([id, team]) => {
    if (team.site === site || team.isGone || team.entry === undefined) return []
    return [{ ...team.entry, domainId: id, location: placeOfAbsent(root, id) } as RegistryEntry]
  })
}
