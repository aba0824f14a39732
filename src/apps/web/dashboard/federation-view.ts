import path from 'node:path'
import { unless } from '../../../errors/unless.ts'
import { presentMs } from '../../../protocol/clock.ts'
import { FedError, NotFoundError } from '../../../errors/fed-error.ts'
import { teamsElsewhere } from '../../../federation/elsewhere.ts'
import type { Federation } from '../../../federation/federation.ts'
import { federationLayout, workspaceLayout } from '../../../protocol/folder-layout.ts'
import type { RegistryEntry } from '../../../protocol/registry-schema.ts'
import { META } from '../../../protocol/team-id.ts'
import { LastChange } from '../../../platform/storage/last-change.ts'
import { isSystemError } from '../../../platform/storage/system-error.ts'
import type { Team } from '../../../federation/team.ts'
import { noPast } from './life-view.ts'
import { Mail } from './mail-view.ts'
import { Places } from './places.ts'
import type { Change, Part, ShownElsewhere, ShownMail, TeamNews, TeamNow } from './shown.ts'
import { TeamView, unseen } from './team-view.ts'

/** What comes together is told once: time from the first notice, in milliseconds. */
const gatherMs = 8
/** How often the disk is asked although no notice came: notices get lost under load. */
const pollMs = 2000
/** How often a team is looked at although nothing changed: time alone makes one late. */
const recheckMs = 15_000
/** So many teams are looked at in one go, so that nobody who asks meanwhile waits for all of them. */
const mostAtOnce = 25

/** The whole federation as the page shows it; says what changed, soon after it did. */
export class FederationView {
  readonly #federation: Federation
  readonly #open: (entry: RegistryEntry) => Team
  readonly #onChange: (change: Change) => void
  readonly #views = new Map<string, TeamView>()
  readonly #places = new Map<string, Places>()
  readonly #rows = new Map<string, { readonly row: TeamNow; readonly text: string; readonly at: number }>()
  readonly #meta: Mail
  readonly #registry: LastChange
  readonly #touched = new Map<string, Set<Part>>()
  #entries: readonly RegistryEntry[] = []
  #isRegistryTouched = true
  #soon: NodeJS.Timeout | undefined
  readonly #poll: NodeJS.Timeout
  readonly #root: Places
  /** What was told last of other sites' teams. */
  #elsewhere = ''

  constructor(
    federation: Federation,
    open: (entry: RegistryEntry) => Team,
    onChange: (change: Change) => void,
  ) {
    this.#federation = federation
    this.#open = open
    this.#onChange = onChange
    this.#meta = new Mail(federation.mailbox(META))
    const { registry, fed } = federationLayout(federation.root)
    this.#registry = new LastChange(registry)
    this.#root = new Places((part) => this.#touch(META, part))
    this.#root.watch(workspaceLayout(federation.root).inbox, () => 'mail')
    this.#root.watch(fed, (name) => {
      if (name === null || name === path.basename(registry)) this.#touchRegistry()
      return undefined
    })
    this.#poll = setInterval(() => unless(passing, () => this.#look()), pollMs)
    this.#sync()
  }

  /** Rows in the registry's order, and what `meta` has. */
  whole(): Change {
    const rows = this.#entries.flatMap(({ domainId }) => {
      const row = this.#rows.get(domainId)?.row
      return row === undefined ? [] : [{ ...row, past: this.#views.get(domainId)?.past() ?? noPast }]
    })
    const order = this.#entries.map(({ domainId }) => domainId)
    return { rows, touched: {}, order, meta: this.meta(), elsewhere: elsewhereIn(this.#federation.root) }
  }

  /** @param moment what `meta` had then; undefined for now. */
  meta(moment?: number): ShownMail {
    return moment === undefined ? this.#meta.read() : this.#meta.readAt(moment)
  }

  /** @throws {NotFoundError} */
  view(team: string): TeamView {
    const view = this.#views.get(team)
    if (view === undefined) throw new NotFoundError(`there is no team '${team}' here that can be read`)
    return view
  }

  /** Says at once what a command of this process changed. */
  touch(team: string): void {
    for (const part of ['life', 'mail', 'sessions'] as const) this.#touch(team, part)
    this.#touch(META, 'mail')
  }

  close(): void {
    clearInterval(this.#poll)
    clearTimeout(this.#soon)
    this.#root.close()
    for (const places of this.#places.values()) places.close()
  }

  #touchRegistry(): void {
    this.#isRegistryTouched = true
    this.#tellSoon()
  }

  /** Without a part nothing is known to have changed but time. */
  #touch(team: string, part?: Part): void {
    const parts = this.#touched.get(team) ?? new Set()
    if (part !== undefined) parts.add(part)
    this.#touched.set(team, parts)
    this.#tellSoon()
  }

  #tellSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      unless(passing, () => this.#tell())
    }, gatherMs)
  }

  /** Without notices: whatever looks different than before. */
  #look(): void {
    if (this.#registry.happened() || this.#isRegistryTouched) this.#touchRegistry()
    this.#root.look()
    this.#lookElsewhere()
    const present = presentMs()
    let old = 0
    for (const { domainId } of this.#entries) {
      this.#places.get(domainId)?.look()
      const isOld = present - (this.#rows.get(domainId)?.at ?? 0) > recheckMs
      // a process that died tells nobody
      if (this.#views.get(domainId)?.isWorking === true || (isOld && (old += 1) <= mostAtOnce))
        this.#touch(domainId)
    }
  }

  /** Tells of other sites' teams, when one changed or what is known is older or younger by some seconds. */
  #lookElsewhere(): void {
    const elsewhere = elsewhereIn(this.#federation.root)
    const text = JSON.stringify([elsewhere.teams, Math.round((elsewhere.readAt ?? 0) / recheckMs)])
    const before = this.#elsewhere
    this.#elsewhere = text
    if (before !== text && (before !== '' || elsewhere.teams.length > 0))
      this.#onChange({ rows: [], touched: {}, elsewhere })
  }

  #tell(): void {
    const isReordered = this.#isRegistryTouched && this.#sync()
    const rows: TeamNews[] = []
    const touched: Record<string, readonly Part[]> = {}
    // what cannot be read now stays to be told, as do the teams
    const meta = this.#touched.has(META) ? this.meta() : undefined
    this.#touched.delete(META)
    let looked = 0
    for (const entry of this.#entries) {
      const parts = this.#touched.get(entry.domainId)
      if (parts === undefined) continue
      if (looked === mostAtOnce) break
      this.#touched.delete(entry.domainId)
      if (parts.size > 0) touched[entry.domainId] = [...parts]
      // a log and a branch say nothing about the team, and grow all the time
      if (parts.size > 0 && [...parts].every((part) => part === 'log' || part === 'changes')) continue
      looked += 1
      const row = this.#lookAt(entry)
      if (row !== undefined) rows.push(row)
    }
    if (looked < mostAtOnce) this.#touched.clear()
    else this.#tellSoon()
    if (rows.length === 0 && !isReordered && meta === undefined && Object.keys(touched).length === 0) return
    this.#onChange({
      rows,
      touched,
      ...(isReordered ? { order: this.#entries.map(({ domainId }) => domainId) } : {}),
      ...(meta === undefined ? {} : { meta }),
    })
  }

  /** What was not yet told of a team, if anything. */
  #lookAt(entry: RegistryEntry): TeamNews | undefined {
    const view = this.#views.get(entry.domainId)
    const at = presentMs()
    const unknown = () => unseen(entry, new NotFoundError('its archetype is not known here'))
    const { past, ...row } = view?.news(entry, at) ?? { ...unknown(), past: noPast }
    const text = JSON.stringify(row)
    const before = this.#rows.get(entry.domainId)
    this.#rows.set(entry.domainId, { row, text, at })
    return before?.text === text && past.until === past.after ? undefined : { ...row, past }
  }

  /** Reads the registry; returns whether the teams are others than before, or in another order. */
  #sync(): boolean {
    const before = this.#entries
    try {
      this.#entries = this.#federation.registry.read().teams
      this.#isRegistryTouched = false
    } catch (error) {
      // somebody edits it: what was read before still stands, and the next look tries again
      if (before.length > 0 && error instanceof FedError) return false
      throw error
    }
    const known = new Map(before.map((entry) => [entry.domainId, entry]))
    for (const entry of this.#entries) {
      const { domainId, location, status } = entry
      const old = known.get(domainId)
      if (old?.location === location && old.status === status && this.#rows.has(domainId)) continue
      if (old?.location !== location) this.#watch(entry)
      // one after the other, so that a page of many teams is there before the last one is read
      this.#touch(domainId, 'life')
    }
    const names = new Set(this.#entries.map(({ domainId }) => domainId))
    for (const [team, places] of this.#places) {
      if (names.has(team)) continue
      places.close()
      this.#places.delete(team)
      this.#views.delete(team)
      this.#rows.delete(team)
    }
    return (
      before.length !== this.#entries.length ||
      before.some(({ domainId }, index) => domainId !== this.#entries[index]?.domainId)
    )
  }

  #watch(entry: RegistryEntry): void {
    const { domainId, location, placementType } = entry
    this.#places.get(domainId)?.close()
    const places = new Places((part) => this.#touch(domainId, part))
    places.watchWorkspace(location, this.#federation.config.deliverable)
    if (placementType === 'worktree') places.watchWorktree(location)
    this.#places.set(domainId, places)
    try {
      this.#views.set(domainId, new TeamView(this.#open(entry)))
    } catch (error) {
      // an archetype that nobody knows here is told in its row
      this.#views.delete(domainId)
      this.#rows.set(domainId, { row: unseen(entry, error), text: '', at: 0 })
    }
  }
}

function elsewhereIn(root: string): ShownElsewhere {
  const teams = teamsElsewhere(root)
  const ageMs = teams[0]?.ageMs ?? null
  return {
    readAt: ageMs === null ? null : presentMs() - ageMs,
    teams: teams.map(({ team, site, archetype, state, mission, at }) => ({
      team,
      site,
      archetype,
      state: state ?? null,
      subject: mission?.subject ?? '',
      at: Date.parse(at),
    })),
  }
}

/** What the disk refuses now, or somebody edits at this moment, is looked at again with the next poll. */
const passing = [FedError, isSystemError]
