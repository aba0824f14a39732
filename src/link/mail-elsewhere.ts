import path from 'node:path'
import type { Federation } from '../federation/federation.ts'
import { siteOf } from '../federation/site-of-team.ts'
import { disk } from '../platform/storage/disk.ts'
import { federationLayout, placeOfAbsent } from '../protocol/folder-layout.ts'
import { META, teamIdSchema } from '../protocol/team-id.ts'
import { Mailbox, type FiledSignal } from '../records/signals/mailbox.ts'

/** Teams, or `meta`, of other sites to which something was sent from here. */
export function mailElsewhere(root: string): string[] {
  return disk
    .list(federationLayout(root).sites)
    .filter((name) => name === META || teamIdSchema.safeParse(name).success)
}

/** The mailboxes here from which mail goes to other sites. */
function boxes(federation: Federation): Mailbox[] {
  const { root } = federation
  const absent = mailElsewhere(root).map((id) => new Mailbox(id, placeOfAbsent(root, id)))
  // reports to meta wait in its inbox here, where it lives elsewhere
  return siteOf(root, META) === undefined ? absent : [federation.mailbox(META), ...absent]
}

/** What a team sent that waits here for other sites. */
export function waitingOf(federation: Federation, team: string): FiledSignal[] {
  return boxes(federation).flatMap((mailbox) => mailbox.unacknowledged().filter(({ from }) => from === team))
}

/** How many signals of teams of this site wait here for other sites. */
export function waitingElsewhere(federation: Federation): number {
  const own = new Set(federation.registry.read().teams.map(({ domainId }) => domainId))
  if (siteOf(federation.root, META) === undefined) own.add(META)
  return boxes(federation)
    .flatMap((mailbox) => mailbox.unacknowledged())
    .filter(({ from }) => own.has(from)).length
}

/**
 * Takes away what a team that lives elsewhere now sent from here to other sites: none of it is sent later, and none
 * stands in the way of what the team sends when it lives here again.
 */
export function dropSent(federation: Federation, team: string): void {
  for (const mailbox of boxes(federation)) {
    const own = mailbox.all().filter(({ from }) => from === team)
    for (const { file } of own)
      for (const name of [file, `${file}.ack`]) disk.unlink(path.join(mailbox.inbox, name))
    if (own.length > 0) disk.syncDirectory(mailbox.inbox)
  }
}
