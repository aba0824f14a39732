import { v4 as uuid } from 'uuid'
import { NotFoundError, RefusedError } from '../errors/fed-error.ts'
import type { Link } from './connection.ts'
import { append } from './line.ts'
import { sitesThere } from './presence.ts'
import { messagesOf } from './read-stream.ts'
import { lineFormat, nextEntry } from './line-entry.ts'
import { readSubject } from './link-names.ts'
import type { View } from './line-view.ts'

/** What became of a team of a site that was taken over. */
export interface TakenOver {
  readonly team: string
  readonly version: number
  readonly state: string | undefined
  /** Since this epoch it lives here. */
  readonly epoch: number
  /** Whether somebody was faster. */
  readonly isLost: boolean
}

/**
 * Makes this site that of every team, and of `meta`, that lives at another one: from the last versions that the servers
 * accepted, in a new epoch. From then on nothing counts that the other site does. This site's link brings them here.
 * @param isForced whether a site is replaced whose link still speaks.
 * @throws {NotFoundError} where nothing lives there; {RefusedError} where its link speaks; {LinkDownError}
 */
export async function takeOver(
  link: Link,
  view: View,
  site: string,
  isForced: boolean,
): Promise<TakenOver[]> {
  if (site === link.record.site) throw new RefusedError(`${site} is this site`)
  const there = (await sitesThere(link)).find((one) => one.site === site)
  if (there !== undefined && !isForced)
    throw new RefusedError(
      `${site} is there: its link spoke less than half a minute ago, from ${there.host}; 'fed link down' there, or --force, which puts aside what it does from now on`,
    )
  await catchUp(link, view)
  const teams = [...view.teams()].filter(([, known]) => known.site === site && !known.isGone)
  if (teams.length === 0)
    throw new NotFoundError(`no team lives at ${site}; 'fed sites' shows what lives where`)
  const taken: TakenOver[] = []
  for (const [team] of teams) {
    for (;;) {
      const known = view.team(team)
      if (known === undefined || known.site !== site || known.isGone) {
        const { version = 0, state, epoch = 0 } = known ?? {}
        taken.push({ team, version, state, epoch, isLost: known?.site !== link.record.site })
        break
      }
      const { version, state } = known
      const said = nextEntry(known, { kind: 'owner', site: link.record.site })
      const done = await append(link, view, team, said, `${said.site}.${team}.${said.epoch}.${uuid()}`)
      // it published one more version at this very moment: that one counts as well
      if (done === 'overtaken') continue
      taken.push({ team, version, state, epoch: said.epoch, isLost: false })
      break
    }
  }
  return taken
}

/** Brings a view up to what the lines say now. */
export async function catchUp(link: Link, view: View): Promise<void> {
  for (const message of await messagesOf(link, link.names.line('*'), 'last')) {
    const subject = readSubject(message.subject)
    if (subject?.kind === 'line')
      view.apply(subject.team, message.seq, lineFormat.decode(message.json(), message.subject))
  }
}
