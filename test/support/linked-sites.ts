import { git } from '../../src/platform/git/git.ts'
import { Federation } from '../../src/federation/federation.ts'
import { connectTo, openLink, type Link } from '../../src/link/connection.ts'
import type { LinkEvent } from '../../src/link/link-report.ts'
import { runLink } from '../../src/link/run-link.ts'
import { takeOver, type TakenOver } from '../../src/link/take-over.ts'
import { moveTeam } from '../../src/link/move-team.ts'
import { View } from '../../src/link/line-view.ts'
import { META } from '../../src/protocol/team-id.ts'
import { now } from '../../src/protocol/time.ts'
import { readKnown, type KnownTeam } from '../../src/records/sites/known-teams.ts'
import { writeSite, type SiteRecord } from '../../src/records/sites/site-record.ts'
import { newFederation, newFolder } from './federation.ts'
import { until } from './until.ts'

/** A bare repository that sites share. */
export function sharedRemote(): string {
  const remote = newFolder('remote')
  git(remote, 'init', '--quiet', '--bare')
  return remote
}

/** One site of a linked federation, with its link in this process. */
export class Site {
  readonly name: string
  readonly root: string
  readonly record: SiteRecord
  readonly federation: Federation
  readonly events: LinkEvent[] = []
  readonly #replicas: number
  #link: { readonly end: AbortController; readonly over: Promise<void> } | undefined

  constructor(
    name: string,
    servers: readonly string[],
    { replicas = 1, ...settings }: Partial<SiteRecord> & { readonly replicas?: number } = {},
    remote = sharedRemote(),
  ) {
    this.name = name
    this.#replicas = replicas
    this.root = newFederation()
    git(this.root, 'remote', 'add', 'origin', remote)
    this.record = {
      servers: [...servers],
      federation: 'proof',
      meta: 'a',
      site: name,
      labels: [],
      remote: 'origin',
      since: now(),
      ...settings,
    }
    writeSite(this.root, this.record)
    this.federation = new Federation(this.root)
  }

  /** As a process finds it that has just started. */
  opened(): Federation {
    return new Federation(this.root)
  }

  /** Starts its link. */
  up(): void {
    const end = new AbortController()
    const over = runLink(this.opened(), this.record, {
      signal: end.signal,
      replicas: this.#replicas,
      slots: this.record.slots ?? 0,
      onEvent: (event) => this.events.push(event),
    })
    over.catch((error: unknown) => console.error(`the link of ${this.name} ended:`, error))
    this.#link = { end, over }
  }

  get isUp(): boolean {
    return this.#link !== undefined
  }

  /** Ends its link; what it ended with is thrown. */
  async down(): Promise<void> {
    this.#link?.end.abort()
    await this.#link?.over
    this.#link = undefined
  }

  /** Does something with the servers, as a command does. */
  async with<Result>(act: (link: Link, view: View) => Promise<Result>): Promise<Result> {
    const connection = await connectTo(this.root, this.record)
    try {
      return await act(await openLink(this.record, connection), new View(this.root, this.name))
    } finally {
      await connection.close()
    }
  }

  takeOver(site: string): Promise<TakenOver[]> {
    return this.with((link, view) => takeOver(link, view, site, true))
  }

  move(team: string, site: string, isForced = false): ReturnType<typeof moveTeam> {
    return this.with((link, view) => moveTeam(this.opened(), link, view, { team, site, isForced }))
  }

  /** Where this site thinks that a team lives. */
  siteOf(team: string): string | undefined {
    const known = readKnown(this.root).teams[team]
    return known === undefined || known.isGone ? undefined : known.site
  }

  /** What this site knows of a team. */
  known(team: string): KnownTeam | undefined {
    return readKnown(this.root).teams[team]
  }

  knows(team: string, site: string): Promise<unknown> {
    return until(`${this.name} to know that ${team} lives at ${site}`, () => this.siteOf(team) === site)
  }

  /** Up to which message everything was taken in. */
  get readTo(): number {
    return readKnown(this.root).sequence
  }

  /** Resolves when a team is registered here. */
  has(team: string): Promise<unknown> {
    return until(`${team} at ${this.name}`, () => this.teams().includes(team))
  }

  teams(): string[] {
    return this.opened()
      .registry.read()
      .teams.map(({ domainId }) => domainId)
  }

  async onboard(...teams: string[]): Promise<void> {
    for (const domain of teams) await this.federation.onboard({ domain, archetype: 'deliverable' })
  }

  async send(from: string, to: string, subject: string): Promise<string> {
    const { id } = await this.opened().send({ from, to, type: 'report', subject })
    return id
  }

  /** Ids of all signals in a mailbox here, in their order, with what was acknowledged. */
  mail(address: string): string[] {
    return this.opened()
      .mailbox(address)
      .all()
      .map(({ id }) => id)
  }

  subjects(address: string): string[] {
    return this.opened()
      .mailbox(address)
      .all()
      .map(({ subject }) => subject)
  }

  /** Resolves when all these signals lie in a mailbox here. */
  got(address: string, ids: readonly string[]): Promise<unknown> {
    return until(`${ids.length} signals for ${address} at ${this.name}`, () => {
      const there = new Set(this.mail(address))
      return ids.every((id) => there.has(id))
    })
  }

  /** Which signals its link found not to count, in words. */
  get refusals(): string[] {
    return this.events.flatMap((event) => (event.kind === 'refused' ? [event.words] : []))
  }
}

/** Resolves when a site of meta is known at all of them. */
export async function areLinked(...sites: Site[]): Promise<void> {
  for (const site of sites) await site.knows(META, sites[0]?.record.meta ?? 'a')
}
