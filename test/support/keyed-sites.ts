import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Federation } from '../../src/federation/federation.ts'
import { initialize } from '../../src/federation/onboarding/set-up.ts'
import type { LinkEvent } from '../../src/link/link-report.ts'
import { runLink, type RunLink } from '../../src/link/run-link.ts'
import { readKnown, type KnownTeam } from '../../src/records/sites/known-teams.ts'
import { writeSite, type SiteRecord } from '../../src/records/sites/site-record.ts'
import { newFolder } from './federation.ts'
import { gitIn } from './repository.ts'
import { until } from './until.ts'

/** A bare repository with one commit, which all sites share. */
export function newHub(): string {
  const hub = newFolder('hub')
  const first = newFolder('first')
  gitIn(hub, ['init', '--quiet', '--bare', '--initial-branch=main', '--template='])
  gitIn(first, ['clone', '--quiet', '--template=', hub, '.'])
  gitIn(first, ['checkout', '--quiet', '-B', 'main'])
  writeFileSync(path.join(first, 'app.js'), 'export const answer = 42\n')
  gitIn(first, ['add', '--all'])
  gitIn(first, ['commit', '--quiet', '-m', 'Begin'])
  gitIn(first, ['push', '--quiet', 'origin', 'main'])
  return hub
}

/** What a site of a test is told of the servers, as `fed link up` would be. */
export type SiteSettings = Partial<Omit<SiteRecord, 'site'>> & Pick<SiteRecord, 'servers'>

/** A site of a test: a clone with a federation, and its link where that runs. */
export class LinkedSite {
  readonly root: string
  readonly federation: Federation
  readonly record: SiteRecord
  readonly events: LinkEvent[] = []
  #stop: AbortController | undefined
  #ended: Promise<void> = Promise.resolve()

  constructor(site: string, hub: string, settings: SiteSettings) {
    this.root = newFolder(`site-${site}`)
    gitIn(this.root, ['clone', '--quiet', '--template=', hub, '.'])
    gitIn(this.root, ['config', 'user.name', 'Tester'])
    gitIn(this.root, ['config', 'user.email', 'tester@example.org'])
    initialize(this.root)
    this.federation = new Federation(this.root)
    this.record = {
      federation: 'fed',
      labels: [],
      remote: 'origin',
      since: new Date().toISOString(),
      ...settings,
      site,
    }
    writeSite(this.root, this.record)
  }

  /** Begins to link it. */
  up(options: Partial<RunLink> = {}): this {
    this.#stop = new AbortController()
    const onEvent = (event: LinkEvent) => void this.events.push(event)
    this.#ended = runLink(this.federation, this.record, { signal: this.#stop.signal, onEvent, ...options })
    // who waits for its end hears of it
    this.#ended.catch(() => {})
    return this
  }

  /** Ends its link, and throws what that threw. */
  async down(): Promise<void> {
    this.#stop?.abort()
    await this.#ended
  }

  /** The link's end by itself. */
  get ended(): Promise<void> {
    return this.#ended
  }

  /** What it knows of a team, or of `meta`. */
  known(team: string): KnownTeam | undefined {
    return readKnown(this.root).teams[team]
  }

  /** Waits until it knows of a team what it is to know. */
  knows(team: string, what: (known: KnownTeam) => boolean = () => true): Promise<KnownTeam> {
    return until(`${this.record.site} to know ${team}`, () => {
      const known = this.known(team)
      return known !== undefined && what(known) && known
    })
  }

  /** Subjects of the signals that wait for a team here, or for `meta`. */
  subjects(team: string): string[] {
    return this.federation
      .mailbox(team)
      .all()
      .map(({ subject }) => subject)
  }
}
