import { RefusedError } from '../errors/fed-error.ts'
import { placeOfAbsent } from '../protocol/folder-layout.ts'
import { presentMs } from '../protocol/clock.ts'
import { META } from '../protocol/team-id.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import { absentEntries, readKnown } from '../records/sites/known-teams.ts'
import { lastCaughtUp } from '../records/sites/link-state.ts'
import { readSite } from '../records/sites/site-record.ts'
import { siteOf } from './site-of-team.ts'

/** A team that lives at another site, as this one knows it. */
export interface TeamElsewhere {
  readonly team: string
  readonly domain: string
  readonly archetype: string
  readonly site: string
  readonly state: string | undefined
  readonly version: number
  readonly mission: { readonly subject: string } | null
  /** When its site wrote that, by that one's clock, ISO 8601. */
  readonly at: string
  /** How long ago everything that the servers have was read here, in milliseconds; null where it never was. */
  readonly ageMs: number | null
  /** File name and digest of its document, where it has one. */
  readonly document: { readonly name: string; readonly digest: string } | null
  /** Where a copy of its life is, and of what was fetched. */
  readonly place: string
}

/** Entries of the other sites' teams, each with the place that stands for it here; none where nothing is linked. */
export function entriesElsewhere(root: string): RegistryEntry[] {
  const own = readSite(root)
  return own === undefined ? [] : absentEntries(root, own.site)
}

/** The other sites' teams, in the order of their names; none in a federation that is not linked. */
export function teamsElsewhere(root: string): TeamElsewhere[] {
  const own = readSite(root)
  if (own === undefined) return []
  const read = lastCaughtUp(root)
  const ageMs = read === undefined ? null : Math.max(0, presentMs() - read)
  return Object.entries(readKnown(root).teams)
    .filter(([team, { site, isGone }]) => team !== META && site !== own.site && !isGone)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([team, { site, entry, state, version, mission, at, document }]) => ({
      team,
      domain: String(entry?.['domain'] ?? team),
      archetype: String(entry?.['archetypeId'] ?? ''),
      site,
      state,
      version,
      mission: mission === undefined ? null : { subject: mission },
      at,
      ageMs,
      document: document ?? null,
      place: placeOfAbsent(root, team),
    }))
}

/**
 * Refuses what only the site of a team can do.
 * @throws {RefusedError} where it lives at another one.
 */
export function assertLivesHere(root: string, team: string): void {
  const site = siteOf(root, team)
  if (site !== undefined)
    throw new RefusedError(
      `${team} lives at site ${site}: give the command there, or 'fed send ${team}' from here`,
    )
}
