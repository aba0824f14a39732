import * as z from 'zod/mini'
import { defineRequest } from '../../agents/requests/request.ts'
import type { WaitsFor } from '../../agents/sessions/open-questions.ts'
import { FedError } from '../../errors/fed-error.ts'
import { UntrustedError } from '../../errors/untrusted-error.ts'
import type { Spent } from '../../agents/usage/session-usage.ts'
import { teamsElsewhere, type TeamElsewhere } from '../../federation/elsewhere.ts'
import type { Team } from '../../federation/team.ts'
import type { TeamStatus } from '../../federation/team-status.ts'
import type { HealthFinding } from '../../monitor/health-finding.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'

/** The team's last agent session. */
export interface SessionSummary {
  readonly agent: string
  readonly at: string
  readonly running: boolean
  /** Whether walls held it. */
  readonly confined: boolean
  /** The same for people, with the reason where none did. */
  readonly hold: string
  readonly log: string
}

/** As a monitoring cycle finds it (spec §6). */
interface Health {
  readonly healthy: boolean
  /** Whether its mission was begun; of a team that was never launched nobody can say that it is well. */
  readonly started: boolean
  readonly findings: readonly HealthFinding[]
}

/** All that is shown of one team. */
export type Shown = TeamStatus &
  Health & {
    readonly session: SessionSummary | null
    /** What its present mission used up, as far as its agents tell it. */
    readonly used: Spent
    /** Why it is paused, where that was said. */
    readonly pause: string | null
    /** The answer that it waits for, null when it waits for none. */
    readonly waitsFor: WaitsFor | null
  }

/** What the list of all teams shows of one; most of a status takes longer to find out than all of this. */
export type Row = Pick<
  Shown,
  'team' | 'domain' | 'archetype' | 'state' | 'status' | 'started' | 'waitsFor' | 'findings'
> & {
  readonly mission: { readonly subject: string } | null
  readonly mailbox: { readonly unacknowledged: number }
  readonly session: { readonly running: boolean } | null
}

/** A team whose files are damaged, or whose archetype is not trusted: it does not hide the others. */
export interface Unreadable extends Health {
  readonly team: string
  readonly domain: string
  readonly archetype: string
  readonly state: null
  readonly accepts: readonly []
  readonly status: RegistryEntry['status']
  readonly error: string
}

/** Where one team stands; processes are looked at where they are seen, which is not in an agent's session. */
export const standing = defineRequest({
  name: 'status',
  description: 'Where a team stands.',
  input: z.strictObject({ team: z.optional(z.string()) }),
  isReadOnly: true,
  carryOut: async (
    { federation, address },
    { team = address },
  ): Promise<Shown | Unreadable | TeamElsewhere> => {
    const id = federation.addressOf(team)
    const absent = teamsElsewhere(federation.root).find((one) => one.team === id)
    if (absent !== undefined) return absent
    const entry = federation.registry.entry(federation.addressOf(team))
    try {
      return await statusOf(entry, await federation.openEntry(entry))
    } catch (error) {
      if (!(error instanceof UntrustedError)) throw error
      return unseen(entry, error)
    }
  },
})

/** The same of all teams: what the list of them shows, or the whole of it. */
export const standings = defineRequest({
  name: 'status-of-all',
  description: 'Where all teams stand.',
  input: z.strictObject({ whole: z.boolean() }),
  isReadOnly: true,
  carryOut: async ({ federation }, { whole }): Promise<(Row | Unreadable | TeamElsewhere)[]> => {
    const { teams } = federation.registry.read()
    const open = await federation.opener(teams)
    const look: (entry: RegistryEntry, team: Team) => Promise<Row> = whole ? statusOf : rowOf
    const here = await Promise.all(teams.map((entry) => orUnreadable(entry, () => look(entry, open(entry)))))
    return [...here, ...teamsElsewhere(federation.root)]
  },
})

async function statusOf(entry: RegistryEntry, team: Team): Promise<Shown> {
  const [
    { describeHold, lastSession },
    { workspaceLayout },
    { isAlive },
    { presentLook },
    { waitsFor },
    usage,
  ] = await Promise.all([
    import('../../agents/sessions/session-record.ts'),
    import('../../protocol/folder-layout.ts'),
    import('../../monitor/session-health.ts'),
    import('../../monitor/team-health.ts'),
    import('../../agents/sessions/open-questions.ts'),
    import('../../agents/usage/session-usage.ts'),
  ])
  const last = lastSession(workspaceLayout(team.actor.workspace).sessions)
  const session =
    last === undefined
      ? null
      : {
          agent: last.agent,
          at: last.at,
          running: isAlive(last),
          confined: last.open === null,
          hold: describeHold(last),
          log: last.log,
        }
  const { findings, facts } = presentLook(entry, team)
  const pause = team.reasonOfPause() ?? null
  return {
    ...(await team.status(entry)),
    pause,
    waitsFor: waitsFor(facts.asks),
    session,
    used: usage.spentByMission(team),
    healthy: findings.length === 0,
    started: facts.started,
    findings,
  }
}

async function rowOf(entry: RegistryEntry, team: Team): Promise<Row> {
  const [{ presentLook }, { initialStatus }, { isAlive }, { waitsFor }] = await Promise.all([
    import('../../monitor/team-health.ts'),
    import('../../records/registry/move-status.ts'),
    import('../../monitor/session-health.ts'),
    import('../../agents/sessions/open-questions.ts'),
  ])
  const { facts, waiting, findings } = presentLook(entry, team)
  if (facts.session instanceof FedError) throw facts.session
  return {
    team: team.id,
    domain: entry.domain,
    archetype: entry.archetypeId,
    state: facts.state,
    status: entry.status ?? initialStatus(),
    mission: facts.mission,
    mailbox: { unacknowledged: waiting.length },
    session: facts.session === undefined ? null : { running: isAlive(facts.session) },
    waitsFor: waitsFor(facts.asks),
    started: facts.started,
    findings,
  }
}

async function orUnreadable(entry: RegistryEntry, look: () => Promise<Row>): Promise<Row | Unreadable> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    return unseen(entry, error)
  }
}

async function unseen(entry: RegistryEntry, error: FedError): Promise<Unreadable> {
  const { domainId: team, domain, archetypeId: archetype, status } = entry
  const { unreadable } = await import('../../monitor/health.ts')
  return {
    team,
    domain,
    archetype,
    state: null,
    accepts: [],
    status,
    healthy: false,
    started: true,
    findings: [unreadable(entry, error)],
    error: error.message,
  }
}
