import { v4 as uuid } from 'uuid'
import { assertIdle } from '../agents/sessions/launchable.ts'
import { RefusedError } from '../errors/fed-error.ts'
import { assertLivesHere } from '../federation/elsewhere.ts'
import type { Federation } from '../federation/federation.ts'
import { META } from '../protocol/team-id.ts'
import { uncommittedWork } from '../platform/git/uncommitted-work.ts'
import { readLinkState } from '../records/sites/link-state.ts'
import { siteOf } from '../federation/site-of-team.ts'
import { listAside, putAside, type Aside } from './put-aside.ts'
import { sendBranch } from './branches.ts'
import type { Link } from './connection.ts'
import { keepFile } from './files.ts'
import { append } from './line.ts'
import { nextEntry } from './line-entry.ts'
import { waitingOf } from './mail-elsewhere.ts'
import { Outgoing } from './outgoing.ts'
import { pack } from './parcel.ts'
import { sitesThere } from './presence.ts'
import { publishLife } from './publish-life.ts'
import { catchUp } from './take-over.ts'
import type { View } from './line-view.ts'

/**
 * Hands a team over to another site, between two commits: with its life, its mail, its files and its branch. That site's
 * link brings it there; what it left here is put aside.
 * @param isForced whether links and pipes of its workspace stay here, with the rest of what it leaves.
 * @throws {TeamNotFoundError}; {RefusedError} while a session of it runs, while it has uncommitted changes or what cannot
 * travel, or where the other site's link does not run or does not know its archetype; {LinkDownError}
 */
export async function moveTeam(
  federation: Federation,
  link: Link,
  view: View,
  {
    team,
    site,
    isForced = false,
  }: { readonly team: string; readonly site: string; readonly isForced?: boolean },
): Promise<Aside> {
  const { root, registry, config } = federation
  const { record } = link
  if (team === META)
    throw new RefusedError(`meta stays at its site; 'fed takeover' moves it from one that is gone`)
  assertLivesHere(root, team)
  const entry = registry.entry(team)
  if (site === record.site) throw new RefusedError(`${team} lives at ${site} already`)
  const there = (await sitesThere(link)).find((one) => one.site === site)
  if (there === undefined)
    throw new RefusedError(`the link of site ${site} does not run; 'fed sites' shows which do`)
  if (there.archetypes?.includes(entry.archetypeId) === false)
    throw new RefusedError(
      `site ${site} does not know the archetype ${entry.archetypeId} of ${team}: its importHook must have it there, be trusted ('fed trust'), and its link be started again`,
    )
  const open = await federation.openEntry(entry)
  await assertIdle(open)
  await open.step()
  const isWorktree = entry.placementType === 'worktree'
  if (isWorktree && uncommittedWork(entry.location) !== undefined)
    throw new RefusedError(
      `${team} has uncommitted changes in ${entry.location}: commit them, they do not travel`,
    )
  const notSent = isWorktree ? sendBranch(root, record.remote, team, { asksRemote: true }) : undefined
  if (notSent !== undefined) throw new RefusedError(`${team} stays: ${notSent}`)
  const { parcel: bytes, staying } = pack(entry.location, isWorktree, config.deliverable)
  if (staying.length > 0 && !isForced)
    throw new RefusedError(
      `${team} stays: ${staying.join(', ')} in ${entry.location} cannot travel, being links or no files; remove them, or --force leaves them here`,
    )
  const parcel = await keepFile(link, bytes)
  await catchUp(link, view)
  const published = await publishLife(link, view, entry, config.deliverable)
  await sendWaiting(federation, link, view, team)
  const known = view.own(team)
  if (published !== 'current' || known === undefined)
    throw new RefusedError(
      `${team} cannot be moved: it is ${published} at the servers; 'fed link status' says more`,
    )
  const said = nextEntry(known, { kind: 'owner', site, parcel })
  if ((await append(link, view, team, said, `${record.site}.${team}.${said.epoch}.${uuid()}`)) !== 'done')
    throw new RefusedError(`${team} moved on while it was handed over: try again`)
  await knownHere(federation, view, team, site)
  // the link that runs may have put it aside by now
  const done = listAside(root).find((one) => one.team === team && one.epoch === said.epoch)
  if (done !== undefined && !registry.read().teams.some(({ domainId }) => domainId === team)) return done
  const aside = await putAside(federation, entry, {
    site,
    epoch: said.epoch,
    accepted: known.version,
    isMoved: true,
  })
  if (aside === undefined)
    throw new RefusedError(`a session of ${team} began meanwhile; this site's link puts it aside`)
  return aside
}

/**
 * Sends what the team sent that waits here: nobody sends it once the team lives elsewhere.
 * @throws {RefusedError} where something of it stays.
 */
async function sendWaiting(federation: Federation, link: Link, view: View, team: string): Promise<void> {
  if (waitingOf(federation, team).length === 0) return
  const outgoing = new Outgoing(federation, view)
  await outgoing.pass(link)
  const [left] = waitingOf(federation, team).filter(({ to }) => {
    const recipient = view.team(to)
    // what nobody can get is put aside with the team
    return recipient !== undefined && !recipient.isGone
  })
  if (left === undefined) return
  const why = outgoing.held.find((one) => one.team === team || one.team === `${team} to ${left.to}`)?.why
  throw new RefusedError(
    `${team} stays: its ${left.type} '${left.subject}' to ${left.to} waits: ${why ?? 'try again'}`,
  )
}

/** How long the link that runs may take to keep what it reads, in milliseconds. */
const keptMs = 5000

/**
 * Has everybody here know that a team lives elsewhere before it is taken out of the registry: what is sent to it
 * meanwhile would be for nobody. A link that runs keeps that itself, and would write over what another process kept.
 */
async function knownHere({ root }: Federation, view: View, team: string, site: string): Promise<void> {
  const deadline = performance.now() + keptMs
  while (siteOf(root, team) !== site && readLinkState(root) !== undefined && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10))
  if (siteOf(root, team) !== site) view.save()
}
