import { FedError } from '../errors/fed-error.ts'
import type { Federation } from '../federation/federation.ts'
import { lastFormer } from '../federation/former-teams.ts'
import { LastChange } from '../platform/storage/last-change.ts'
import { versionsDirectory } from '../platform/storage/versioned-steps.ts'
import { workspaceLayout } from '../protocol/folder-layout.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import { META } from '../protocol/team-id.ts'
import { LinkDownError, type Link } from './connection.ts'
import { giveBack } from './line.ts'
import type { View } from './line-view.ts'
import { publishLife, travellingOf, type Published } from './publish-life.ts'

const words: Readonly<Record<Exclude<Published, 'current'>, string>> = {
  replaced: 'it lives at another site now',
  taken: 'another site has a team of that name: one of them needs another name',
  diverged: 'its life here does not follow what this site published before',
}

/** A team of this site, as it was read last. */
interface OwnTeam {
  readonly entry: RegistryEntry
  readonly life: LastChange
  /** Its entry as it was published last. */
  published?: string | undefined
}

/** Publishes what the teams of this site committed, where something changed since it was looked before. */
export class LivesPublisher {
  readonly #federation: Federation
  readonly #view: View
  #teams = new Map<string, OwnTeam>()
  /** Teams whose life does not leave this site, and why. */
  readonly held = new Map<string, string>()

  constructor(federation: Federation, view: View) {
    this.#federation = federation
    this.#view = view
  }

  /** Folders in which versions appear. */
  folders(): string[] {
    return [...this.#teams.values()].map(({ entry }) => livesIn(entry))
  }

  /** The folder in which a team's versions appear; undefined for one that did not live here at the last look. */
  folderOf(team: string): string | undefined {
    const own = this.#teams.get(team)
    return own && livesIn(own.entry)
  }

  /**
   * @param changed folders in which something changed; all teams are looked at when it is left out.
   * @param senders of signals that wait: of each, what it committed goes first.
   * @throws {LinkDownError}
   */
  async publish(
    link: Link,
    changed: ReadonlySet<string> | undefined,
    senders: ReadonlySet<string>,
  ): Promise<void> {
    const isMeant = ({ entry }: OwnTeam) =>
      changed === undefined || senders.has(entry.domainId) || changed.has(livesIn(entry))
    const isKnown = (team: string) => team === META || this.#teams.has(team)
    const isNew = changed !== undefined && this.folders().some((folder) => changed.has(folder))
    if (changed === undefined || isNew || ![...senders].every(isKnown)) this.#readTeams()
    for (const team of this.held.keys()) if (!this.#teams.has(team)) this.held.delete(team)
    for (const [id, team] of this.#teams) {
      if (!isMeant(team) || !(mayHaveChanged(team) || this.held.has(id))) continue
      const why = await this.#publish(link, team)
      if (why === undefined) this.held.delete(id)
      else this.held.set(id, why)
    }
  }

  #readTeams(): void {
    const before = this.#teams
    this.#teams = new Map(
      this.#federation.registry.read().teams.map((entry) => {
        const known = before.get(entry.domainId)
        const isSame = known?.entry.location === entry.location
        return [entry.domainId, { life: new LastChange(livesIn(entry)), ...(isSame && known), entry }]
      }),
    )
  }

  async #publish(link: Link, team: OwnTeam): Promise<string | undefined> {
    const { entry } = team
    try {
      await this.#giveBackFormer(link, entry)
      const published = await publishLife(link, this.#view, entry, this.#federation.config.deliverable)
      return published === 'current' ? undefined : words[published]
    } catch (error) {
      // looked at again, whatever changed meanwhile
      team.published = undefined
      if (error instanceof LinkDownError || !(error instanceof FedError)) throw error
      return error.message
    }
  }

  /** A new team may have the name before the link told that the one before it was offboarded. */
  async #giveBackFormer(link: Link, { domainId: team, onboardedAt }: RegistryEntry): Promise<void> {
    const known = this.#view.own(team)
    const before = known?.entry?.['onboardedAt']
    if (known === undefined || before === onboardedAt) return
    const former = lastFormer(this.#federation.root, team)
    if (former?.offboarding.entry.onboardedAt === before) await giveBack(link, this.#view, team, known)
  }
}

function mayHaveChanged(team: OwnTeam): boolean {
  const text = JSON.stringify(travellingOf(team.entry))
  const isSame = team.published === text
  team.published = text
  return team.life.happened() || !isSame
}

/** Where the versions of a team's life appear. */
function livesIn({ location }: RegistryEntry): string {
  return versionsDirectory(workspaceLayout(location).lifecycle)
}
