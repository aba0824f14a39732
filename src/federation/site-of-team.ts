import { RefusedError } from '../errors/fed-error.ts'
import { META } from '../protocol/team-id.ts'
import { readKnown } from '../records/sites/known-teams.ts'
import { readSite } from '../records/sites/site-record.ts'

/** The other site at which a team, or `meta`, lives; undefined where it lives here, nowhere, or nothing is linked. */
export function siteOf(root: string, id: string): string | undefined {
  const own = readSite(root)
  if (own === undefined) return undefined
  const { teams } = readKnown(root)
  const known = Object.hasOwn(teams, id) ? teams[id] : undefined
  return known === undefined || known.isGone || known.site === own.site ? undefined : known.site
}

/**
 * `meta` speaks from its own site: another site's words in its name would not count there.
 * @throws {RefusedError}
 */
export function assertMetaReaches(root: string, to: string): void {
  const site = siteOf(root, to)
  const home = site && siteOf(root, META)
  if (home !== undefined)
    throw new RefusedError(
      `${to} lives at site ${site}, and meta speaks from site ${home}: give the command there`,
    )
}
