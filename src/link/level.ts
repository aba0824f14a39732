import { FedError } from '../errors/fed-error.ts'
import type { Federation } from '../federation/federation.ts'
import { lastFormer } from '../federation/former-teams.ts'
import { META } from '../protocol/team-id.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import type { KnownTeam, Tenure } from '../records/sites/known-teams.ts'
import { adopt } from './adopt.ts'
import { finishAsides, putAside, type Aside } from './put-aside.ts'
import { LinkDownError, type Link } from './connection.ts'
import { bringMail, bringMeta, isBeingBrought, isBrought, markBrought } from './bring-mail.ts'
import { judgeSent, type Judgement } from './incoming.ts'
import { giveBack, lastOf } from './line.ts'
import { waitingOf } from './mail-elsewhere.ts'
import { wholeLineOf } from './read-stream.ts'
import { sendBranch } from './branches.ts'
import type { View } from './line-view.ts'

/** What levelling did, or could not do. */
export interface Levelled {
  readonly team: string
  readonly what: 'goes on here' | 'is put aside' | 'gave its name back' | 'is stuck'
  /** More about it, in words. */
  readonly words: string
  readonly aside?: Aside
}

/**
 * Makes the teams of this site those whose lines say that they live here: brings those that came, puts those aside that
 * went, gives names back that were offboarded. Only for whoever has read the stream to its end.
 * @throws {LinkDownError}
 */
export async function level(federation: Federation, link: Link, view: View): Promise<Levelled[]> {
  await finishAsides(federation)
  await bringMeta(federation, link, view)
  const entries = new Map(federation.registry.read().teams.map((entry) => [entry.domainId, entry]))
  const done: Levelled[] = []
  let judgement: Promise<Judgement> | undefined
  const attempt = async (team: string, act: () => Promise<Levelled | undefined>) => {
    try {
      const levelled = await act()
      if (levelled !== undefined) done.push(levelled)
    } catch (error) {
      if (error instanceof LinkDownError || !(error instanceof FedError)) throw error
      done.push({ team, what: 'is stuck', words: error.message })
    }
  }
  for (const [team, known] of view.teams()) {
    if (team === META) continue
    const entry = entries.get(team)
    if (entry === undefined && view.own(team) !== undefined)
      await attempt(team, () => bringOrGiveBack(federation, link, view, team, known))
    if (entry !== undefined && view.own(team) !== undefined && isBeingBrought(federation.root, team))
      await attempt(team, async () => {
        await bringMail(federation, link, view, team)
        return { team, what: 'goes on here', words: '' }
      })
    else if (entry !== undefined && isOfAnother(federation.root, view, known, entry))
      await attempt(team, async () => {
        const next = replacement(known, view.site)
        // it never lived here: a name that two sites gave; `Outgoing` tells of it
        if (next === undefined) return undefined
        const line = await wholeLineOf(link, team)
        const at = line.findIndex(({ sequence }) => sequence === next.sequence)
        const isAnew = line.slice(at + 1).some(({ entry: said }) => said.kind === 'gone')
        if (isAnew && view.own(team) !== undefined && isOne(known, entry)) {
          // the name was free since, and the team that has it began here
          markBrought(federation.root, team, known.epoch)
          return undefined
        }
        const taken = line[at]?.entry
        const aside = await putAside(federation, entry, {
          site: next.site,
          epoch: next.epoch,
          accepted: taken?.version ?? 0,
          isMoved: taken?.parcel !== undefined,
          judged: () => (judgement ??= judgeSent(link, view)),
        })
        if (aside === undefined) return undefined
        return { team, what: 'is put aside', words: `it lives at ${aside.site} now`, aside }
      })
  }
  return done
}

/**
 * Whether what is here of a team was replaced: it lives at another site, was offboarded there, or came back to this one
 * before that was seen here.
 */
function isOfAnother(root: string, view: View, known: KnownTeam, entry: RegistryEntry): boolean {
  if (known.isGone) return isOne(known, entry) && known.site !== view.site
  if (known.site !== view.site) return true
  return replacement(known, view.site) !== undefined && !isBrought(root, entry.domainId, known.epoch)
}

/** Whether the team that is known of is the one that is registered here, and not another of its name. */
function isOne(known: KnownTeam, { onboardedAt }: RegistryEntry): boolean {
  return known.entry?.['onboardedAt'] === onboardedAt
}

/** Who had a team next after this site had it last; undefined where nobody did. */
function replacement({ tenures }: KnownTeam, site: string): Tenure | undefined {
  return tenures.findLast((one, at) => one.site !== site && tenures[at - 1]?.site === site)
}

async function bringOrGiveBack(
  federation: Federation,
  link: Link,
  view: View,
  team: string,
  known: KnownTeam,
): Promise<Levelled | undefined> {
  const former = lastFormer(federation.root, team)
  if (former !== undefined && former.offboarding.entry.onboardedAt === known.entry?.['onboardedAt']) {
    // its last words count as long as it has its name
    if (waitingOf(federation, team).some(({ to }) => view.team(to)?.isGone !== true && view.team(to)))
      return undefined
    await giveBack(link, view, team, known)
    return { team, what: 'gave its name back', words: 'it was offboarded' }
  }
  // a command may have moved it this very moment
  const last = await lastOf(link, team)
  if (last !== undefined) view.apply(team, last.sequence, last.entry)
  if (view.own(team) === undefined) return undefined
  const missing = await adopt(federation, link, view, team)
  return { team, what: 'goes on here', words: missing.join('; ') }
}

/** Sends the branches of this site's teams on, where they changed; returns what could not be sent, in words. */
export function sendBranches(federation: Federation, link: Link, view: View): string[] {
  return federation.registry
    .read()
    .teams.filter(({ domainId, placementType }) => placementType === 'worktree' && view.own(domainId))
    .flatMap(({ domainId }) => sendBranch(federation.root, link.record.remote, domainId) ?? [])
}
