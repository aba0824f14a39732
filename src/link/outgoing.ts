import { FedError } from '../errors/fed-error.ts'
import { LastChange } from '../platform/storage/last-change.ts'
import { disk } from '../platform/storage/disk.ts'
import { versionsDirectory } from '../platform/storage/versioned-steps.ts'
import { placeOfAbsent, workspaceLayout } from '../protocol/folder-layout.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import { META } from '../protocol/team-id.ts'
import type { SignalMessage } from '../protocol/signal.ts'
import type { Federation } from '../federation/federation.ts'
import { deliverAll } from '../records/signals/deliver.ts'
import { Mailbox, type FiledSignal } from '../records/signals/mailbox.ts'
import { asDown, LinkDownError, type Link } from './connection.ts'
import { mailElsewhere } from './mail-elsewhere.ts'
import { keepFile } from './files.ts'
import { headersOf } from './line.ts'
import { EPOCH } from './names.ts'
import { publishLife, travellingOf, type Published } from './publish-life.ts'
import type { View } from './view.ts'

/** What keeps a team or a signal from leaving this site, for people. */
export interface Held {
  readonly team: string
  readonly why: string
}

/** Header of a signal that is too large for a message: the digest under which it is kept. */
export const KEPT = 'Fed-Kept'

const words: Readonly<Record<Exclude<Published, 'current'>, string>> = {
  replaced: 'it lives at another site now',
  taken: 'another site has a team of that name: one of them needs another name',
  diverged: 'its life here does not follow what this site published before',
}

/** So many mailboxes are sent from at once; of each one signal after the other. */
const atOnce = 16

/**
 * Sends what waits here for other sites: first what teams committed, then their signals. Each pass sends what it finds;
 * what the servers do not take waits for the next, in its order.
 */
export class Outgoing {
  readonly #federation: Federation
  readonly #view: View
  readonly #mailboxes = new Map<string, Mailbox>()
  readonly #lives = new Map<string, LastChange>()
  #held = new Map<string, string>()
  /** Entries as they were published last. */
  readonly #entries = new Map<string, string>()
  /** How many signals the servers took. */
  sent = 0

  constructor(federation: Federation, view: View) {
    this.#federation = federation
    this.#view = view
  }

  /** What is held here, and why. */
  get held(): Held[] {
    return [...this.#held].map(([team, why]) => ({ team, why }))
  }

  /**
   * One pass.
   * @throws {LinkDownError}
   */
  async pass(link: Link): Promise<void> {
    // listed first: what a version sent was delivered after its commit, and is published after it
    const waiting = this.#waiting()
    const senders = new Set(waiting.flatMap(({ signals }) => signals.map(({ from }) => from)))
    const held = new Map<string, string>()
    for (const entry of this.#federation.registry.read().teams)
      if (senders.has(entry.domainId) || this.#mayHaveChanged(entry)) {
        const why = await this.#publish(link, entry)
        if (why !== undefined) held.set(entry.domainId, why)
      } else {
        const before = this.#held.get(entry.domainId)
        if (before !== undefined) held.set(entry.domainId, before)
      }
    this.#held = held
    for (let from = 0; from < waiting.length; from += atOnce)
      await Promise.all(
        waiting
          .slice(from, from + atOnce)
          .map(({ mailbox, signals }) => this.#sendAll(link, mailbox, signals)),
      )
  }

  /** Folders in which something to be sent appears. */
  watched(): string[] {
    const lives = this.#federation.registry
      .read()
      .teams.map(({ location }) => versionsDirectory(workspaceLayout(location).lifecycle))
    return [...lives, ...this.#folders().map(({ inbox }) => inbox)].filter((folder) => disk.exists(folder))
  }

  #mayHaveChanged(entry: RegistryEntry): boolean {
    const { domainId: team, location } = entry
    const folder = versionsDirectory(workspaceLayout(location).lifecycle)
    const change = this.#lives.get(folder) ?? new LastChange(folder)
    this.#lives.set(folder, change)
    const text = JSON.stringify(travellingOf(entry))
    const isSame = this.#entries.get(team) === text
    this.#entries.set(team, text)
    return change.happened() || !isSame
  }

  async #publish(link: Link, entry: RegistryEntry): Promise<string | undefined> {
    try {
      const published = await publishLife(link, this.#view, entry, this.#federation.config.deliverable)
      return published === 'current' ? undefined : words[published]
    } catch (error) {
      // looked at again, whatever changed meanwhile
      this.#entries.delete(entry.domainId)
      if (error instanceof LinkDownError || !(error instanceof FedError)) throw error
      return error.message
    }
  }

  #folders(): Mailbox[] {
    const absent = mailElsewhere(this.#federation.root).map((name) => this.#mailbox(name))
    const meta = this.#federation.mailbox(META)
    // reports to meta wait in its inbox here, where it lives elsewhere
    const isElsewhere = this.#view.team(META) !== undefined && !this.#view.isHome
    return isElsewhere ? [meta, ...absent] : absent
  }

  #mailbox(id: string): Mailbox {
    const known = this.#mailboxes.get(id) ?? new Mailbox(id, placeOfAbsent(this.#federation.root, id))
    this.#mailboxes.set(id, known)
    return known
  }

  #waiting(): { readonly mailbox: Mailbox; readonly signals: readonly FiledSignal[] }[] {
    return this.#folders().flatMap((mailbox) => {
      const isMeta = mailbox.address === META
      // mail of others that lies in meta's inbox came while meta lived here
      const signals = mailbox
        .unacknowledged()
        .filter(({ from }) => !isMeta || this.#view.own(from) !== undefined)
      return signals.length === 0 ? [] : [{ mailbox, signals }]
    })
  }

  async #sendAll(link: Link, mailbox: Mailbox, signals: readonly FiledSignal[]): Promise<void> {
    const done: string[] = []
    const stuck = new Set<string>()
    try {
      for (const signal of signals) {
        // what its sender sent after one that stays waits behind it: of one sender a recipient reads in order
        if (stuck.has(signal.from)) continue
        const why = await this.#send(link, signal)
        if (why === undefined) done.push(signal.file)
        else {
          this.#held.set(`${signal.from} to ${signal.to}`, why)
          stuck.add(signal.from)
        }
      }
    } finally {
      // what a power cut takes is sent again, and known again
      mailbox.acknowledgeFiles(done, false)
    }
  }

  /** @returns why it stays; undefined where it is with the servers. */
  async #send(link: Link, { file: _file, ...signal }: FiledSignal): Promise<string | undefined> {
    const { from, to, id } = signal
    const recipient = this.#view.team(to)
    if (recipient === undefined || recipient.isGone) return `there is no ${to} at any site`
    // it came to live here while the signal waited, or could not be reached before
    if (recipient.site === this.#view.site) return this.#deliverHere(signal)
    const sender = this.#view.own(from)
    if (sender === undefined)
      return from === META ? `meta speaks from its own site` : `${from} does not live here any more`
    if (this.#held.has(from)) return `${from} is held: ${this.#held.get(from)}`
    const text = Buffer.from(JSON.stringify(signal))
    const isSmall = text.length < link.largest - 4096
    const kept = isSmall ? undefined : await keepFile(link, text)
    try {
      await link.js.publish(link.names.signal(link.record.site, to), kept === undefined ? text : '', {
        // what did not count in one epoch is another message in the next
        msgID: `${link.record.site}.${sender.epoch}.${id}`,
        headers: headersOf({ [EPOCH]: String(sender.epoch), ...(kept !== undefined && { [KEPT]: kept }) }),
      })
    } catch (error) {
      throw asDown(error)
    }
    this.sent += 1
    return undefined
  }

  async #deliverHere(signal: SignalMessage): Promise<string | undefined> {
    const [from, to] = [signal.from, signal.to].map((address) => this.#federation.mailboxOf(address))
    const isThere = to !== undefined && to.workspace !== placeOfAbsent(this.#federation.root, signal.to)
    if (from === undefined || !isThere) return `${signal.to} is on its way here`
    if (!to.isThere()) return `the workspace of ${signal.to} is gone; 'fed doctor' says more`
    try {
      await deliverAll([{ signal, from, to }])
      return undefined
    } catch (error) {
      if (error instanceof FedError) return error.message
      throw error
    }
  }
}
