import { FedError } from '../errors/fed-error.ts'
import type { Federation } from '../federation/federation.ts'
import { disk } from '../platform/storage/disk.ts'
import { presentMs } from '../protocol/clock.ts'
import { placeOfAbsent } from '../protocol/folder-layout.ts'
import { META } from '../protocol/team-id.ts'
import { deliverAll } from '../records/signals/deliver.ts'
import { Mailbox, type FiledSignal } from '../records/signals/mailbox.ts'
import { putAway } from '../records/signals/put-away.ts'
import { asDown, type Link } from './connection.ts'
import { keepFile } from './files.ts'
import { headersOf } from './line.ts'
import type { View } from './line-view.ts'
import { EPOCH, KEPT } from './link-names.ts'
import { mailElsewhere } from './mail-elsewhere.ts'
import { groupsOf, idOf, textOf, type Group } from './message-groups.ts'
import { LivesPublisher } from './publish-lives.ts'

/** What keeps a team or a signal from leaving this site, for people. */
export interface Held {
  readonly team: string
  readonly why: string
}

/** So many signals that were sent on stay in a mailbox, and each for so long, in milliseconds. */
const mostSent = 1000
const sentMs = 60_000
/** What the servers need of a message besides its text, in bytes. */
const headroom = 4096

/** So many mailboxes are sent from at once; of each one signal after the other. */
const atOnce = 16

/**
 * Sends what waits here for other sites: first what teams committed, then their signals. Each pass sends what it finds;
 * what the servers do not take waits for the next, in its order.
 */
export class Outgoing {
  readonly #federation: Federation
  readonly #view: View
  readonly #lives: LivesPublisher
  readonly #mailboxes = new Map<string, Mailbox>()
  /** Signals that stay, by sender and recipient, and why. */
  #held = new Map<string, string>()
  /** Mailboxes from which is sent on, as they were found last. */
  #known: readonly Mailbox[] = []
  /** How many signals lie in a mailbox that were sent on. */
  readonly #sentFrom = new WeakMap<Mailbox, number>()
  /** What the view had learnt when mailboxes were made last. */
  #prepared = -1
  /** How many signals the servers took. */
  sent = 0

  constructor(federation: Federation, view: View) {
    this.#federation = federation
    this.#view = view
    this.#lives = new LivesPublisher(federation, view)
  }

  /** What is held here, and why. */
  get held(): Held[] {
    return [...this.#lives.held, ...this.#held].map(([team, why]) => ({ team, why }))
  }

  /**
   * One pass.
   * @param changed folders in which something changed since the last, of those that are watched; everything is looked
   * through when it is left out.
   * @throws {LinkDownError}
   */
  async pass(link: Link, changed?: ReadonlySet<string>): Promise<void> {
    if (changed === undefined) this.#held = new Map()
    // listed first: what a version sent was delivered after its commit, and is published after it
    const waiting = this.#waiting(changed)
    const senders = new Set(waiting.flatMap(({ signals }) => signals.map(({ from }) => from)))
    await this.#lives.publish(link, changed, senders)
    for (let from = 0; from < waiting.length; from += atOnce)
      await Promise.all(
        waiting
          .slice(from, from + atOnce)
          .map(({ mailbox, signals }) => this.#sendAll(link, mailbox, signals)),
      )
  }

  /** Folders in which something to be sent appears: after a pass over everything. */
  watched(): string[] {
    const inboxes = this.#folders().map(({ inbox }) => inbox)
    return [...this.#lives.folders(), ...inboxes].filter((folder) => disk.exists(folder))
  }

  /** The folder in which a team's versions appear; undefined for one that did not live here at the last pass. */
  lifeOf(team: string): string | undefined {
    return this.#lives.folderOf(team)
  }

  /** Mailboxes from which is sent on. */
  #folders(): readonly Mailbox[] {
    this.#prepare()
    const absent = mailElsewhere(this.#federation.root).map((name) => this.#mailbox(name))
    const meta = this.#federation.mailbox(META)
    // reports to meta wait in its inbox here, where it lives elsewhere
    const isElsewhere = this.#view.team(META) !== undefined && !this.#view.isHome
    this.#known = isElsewhere ? [meta, ...absent] : absent
    return this.#known
  }

  /** Makes the mailbox of each team that came to live elsewhere: so the first signal to it is heard of, too. */
  #prepare(): void {
    if (this.#prepared === this.#view.moves) return
    for (const [team, { site, isGone }] of this.#view.teams()) {
      const isElsewhere = site !== this.#view.site && !isGone && team !== META
      if (isElsewhere && !disk.exists(this.#mailbox(team).inbox)) this.#mailbox(team).create()
    }
    this.#prepared = this.#view.moves
  }

  #mailbox(id: string): Mailbox {
    const known = this.#mailboxes.get(id) ?? new Mailbox(id, placeOfAbsent(this.#federation.root, id))
    this.#mailboxes.set(id, known)
    return known
  }

  #waiting(
    changed: ReadonlySet<string> | undefined,
  ): { readonly mailbox: Mailbox; readonly signals: readonly FiledSignal[] }[] {
    const folders =
      changed === undefined ? this.#folders() : this.#known.filter(({ inbox }) => changed.has(inbox))
    return folders.flatMap((mailbox) => {
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
      for (const group of groupsOf(signals, link.largest - headroom)) {
        const [{ from, to }] = group
        // what its sender sent after one that stays waits behind it: of one sender a recipient reads in order
        if (stuck.has(from)) continue
        const why = await this.#send(link, group)
        if (why === undefined) {
          done.push(...group.map(({ file }) => file))
          this.#held.delete(`${from} to ${to}`)
        } else {
          this.#held.set(`${from} to ${to}`, why)
          stuck.add(from)
        }
      }
    } finally {
      // what a power cut takes is sent again, and known again
      mailbox.acknowledgeFiles(done, false)
      this.#sentFrom.set(mailbox, this.#sentOf(mailbox) + done.length)
    }
  }

  /**
   * Sends signals of one sender to one recipient, in one message.
   * @returns why they stay; undefined where they are with the servers.
   */
  async #send(link: Link, group: Group): Promise<string | undefined> {
    const [{ from, to }] = group
    const recipient = this.#view.team(to)
    if (recipient === undefined || recipient.isGone) return `there is no ${to} at any site`
    // it came to live here while the signal waited, or could not be reached before
    if (recipient.site === this.#view.site) return this.#deliverHere(group)
    const sender = this.#view.own(from)
    if (sender === undefined)
      return from === META ? `meta speaks from its own site` : `${from} does not live here any more`
    const heldBy = this.#lives.held.get(from)
    if (heldBy !== undefined) return `${from} is held: ${heldBy}`
    const { site } = link.record
    const text = Buffer.from(textOf(group))
    const kept = text.length < link.largest - headroom ? undefined : await keepFile(link, text)
    try {
      await link.js.publish(link.names.signal(site, to), kept === undefined ? text : '', {
        // what did not count in one epoch is another message in the next
        msgID: `${site}.${sender.epoch}.${idOf(group)}`,
        headers: headersOf({ [EPOCH]: String(sender.epoch), ...(kept !== undefined && { [KEPT]: kept }) }),
      })
    } catch (error) {
      throw asDown(error)
    }
    this.sent += group.length
    return undefined
  }

  #sentOf(mailbox: Mailbox): number {
    // each with its acknowledgment
    return this.#sentFrom.get(mailbox) ?? disk.list(mailbox.inbox).length / 2
  }

  /** Puts away what was sent on a while ago, where it is so much that looking for what waits would take long. */
  putAway(): void {
    for (const mailbox of this.#known) {
      // meta's is mail that people read here
      if (mailbox.address === META || this.#sentOf(mailbox) < mostSent) continue
      putAway(mailbox, mailbox.workspace, presentMs() - sentMs)
      this.#sentFrom.set(mailbox, 0)
    }
  }

  async #deliverHere(group: Group): Promise<string | undefined> {
    const [{ from: sender, to: recipient }] = group
    const [from, to] = [sender, recipient].map((address) => this.#federation.mailboxOf(address))
    const isThere = to !== undefined && to.workspace !== placeOfAbsent(this.#federation.root, recipient)
    if (from === undefined || !isThere) return `${recipient} is on its way here`
    if (!to.isThere()) return `the workspace of ${recipient} is gone; 'fed doctor' says more`
    try {
      await deliverAll(group.map(({ file: _file, ...signal }) => ({ signal, from, to })))
      return undefined
    } catch (error) {
      if (error instanceof FedError) return error.message
      throw error
    }
  }
}
