import { DeliverPolicy, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { FedError, RefusedError } from '../errors/fed-error.ts'
import type { Federation } from '../federation/federation.ts'
import { claim } from '../platform/storage/claim.ts'
import { federationLayout } from '../protocol/folder-layout.ts'
import { now } from '../protocol/time.ts'
import { META } from '../protocol/team-id.ts'
import { directoryHints } from '../records/signals/watch.ts'
import type { SiteRecord } from '../records/sites/site-record.ts'
import { asDown, connectTo, LinkDownError, openLink, type Link } from './connection.ts'
import { messageOf, stepAll, takeIn } from './incoming.ts'
import { level, sendBranches, type Levelled } from './level.ts'
import { append, LostStreamError } from './line.ts'
import { CLAIM, writeLinkState } from '../records/sites/link-state.ts'
import { Outgoing } from './outgoing.ts'
import { nonceOf, sayGone, sayHere, sayMs } from './presence.ts'
import { setUp } from './set-up-servers.ts'
import { trim } from './trim.ts'
import { View } from './line-view.ts'
import { membersAtWork, takeTasks } from './work.ts'

/** What a running link tells whoever started it. */
export type LinkEvent =
  | { readonly kind: 'connected'; readonly server: string }
  | { readonly kind: 'trouble'; readonly words: string }
  | { readonly kind: 'caught-up'; readonly sequence: number }
  | { readonly kind: 'levelled'; readonly levelled: Levelled }
  | { readonly kind: 'refused'; readonly words: string }

/**
 * What changes without a notice is looked at after so long, in milliseconds; where there are many teams after longer, so
 * that looking takes no more than one part of so many of a processor.
 */
const lookMs = 1000
const lookShare = 50
const longestLookMs = 5000
/** How often the site of meta looks whether the stream fills up, and when first, in milliseconds. */
const trimMs = 3_600_000
const firstTrimMs = 60_000
/** What it tells of itself when nothing but counts and times changed is as old as this at most, in milliseconds. */
const tellMs = 5000
/** After a fault of the servers it tries again after so long, in milliseconds. */
const againMs = 500
/** After so many failures in a row another server is asked. */
const mostFailures = 3
/** So many messages are taken in at once, with one round of flushing. */
const batch = 256
/** So many may wait to be taken in. */
const mostWaiting = 2000
const mostNotes = 20

export interface RunLink {
  readonly signal: AbortSignal
  readonly onEvent?: (event: LinkEvent) => void
  /** On so many nodes each message is kept, where this site makes what the federation needs; 3 when left out, 1 with a server that is alone. */
  readonly replicas?: number | undefined
  /** How many teams of goals may work here at once: without any, no task is taken. */
  readonly slots?: number
}

/**
 * Carries what waits for other sites to the servers, and what came for this one into its files, until it is ended. One
 * runs for a site. Servers that do not answer are waited for; whatever is killed, the next run goes on.
 * @throws {RefusedError} where one runs already, here or with this site's name elsewhere.
 */
export async function runLink(federation: Federation, record: SiteRecord, options: RunLink): Promise<void> {
  const { root } = federation
  const release = claim(federationLayout(root).link, CLAIM)
  if (release === undefined)
    throw new RefusedError(
      `a link of this site runs already; 'fed link status' shows it, 'fed link down' ends it`,
    )
  try {
    await new Runner(federation, record, options).run()
  } finally {
    release()
  }
}

/** Whether the last message that was read is there as it was: a disk may have lost it, and others taken its number. */
async function isSameStream({ manager, names }: Link, { sequence, takenAt }: View): Promise<boolean> {
  if (takenAt === undefined) return true
  const message = await manager.streams.getMessage(names.stream, { seq: sequence })
  return message?.time.getTime() === takenAt
}

class Runner {
  readonly #federation: Federation
  readonly #record: SiteRecord
  readonly #options: RunLink
  readonly #view: View
  readonly #outgoing: Outgoing
  readonly #nonce: string
  readonly #watches = new Map<string, { close(): void } | undefined>()
  #waiting: JsMsg[] = []
  /** What is being read; undefined once that has ended by itself. */
  #messages: ConsumerMessages | undefined
  /** Number of the last message that came, and what it and the stream's last were at the look before. */
  #received = 0
  #before = { received: 0, last: 0, atMs: 0 }
  /** How many looks in a row the servers failed. */
  #failures = 0
  #wake: () => void = () => {}
  #isWoken = false
  #isCaughtUp = false
  #readAt: string | null = null
  #takenIn = 0
  #notes: string[] = []
  #trouble: string | null = null
  #saidAt = 0
  #branchTrouble: string[] = []
  /** Teams that got signals and were not stepped since. */
  readonly #recipients = new Set<string>()
  /** Folders in which something changed since the last pass. */
  #changed = new Set<string>()
  /** When everything is looked at again, and what was known of teams when it was, last. */
  #lookAt = 0
  #looked = -1
  #trimAt = performance.now() + firstTrimMs
  #told = { text: '', atMs: -Infinity }

  constructor(federation: Federation, record: SiteRecord, options: RunLink) {
    this.#federation = federation
    this.#record = record
    this.#options = options
    this.#view = new View(federation.root, record.site)
    this.#nonce = nonceOf(federation.root)
    this.#outgoing = new Outgoing(federation, this.#view)
  }

  get #slots(): number {
    return this.#options.slots ?? 0
  }

  get #isOver(): boolean {
    return this.#options.signal.aborted
  }

  async run(): Promise<void> {
    const stop = () => this.#rouse()
    this.#options.signal.addEventListener('abort', stop)
    let connection: NatsConnection | undefined
    try {
      while (!this.#isOver) {
        try {
          connection = await connectTo(this.#federation.root, this.#record)
          await this.#carry(connection)
        } catch (error) {
          if (error instanceof RefusedError) throw error
          this.#tellTrouble(asDown(error))
        } finally {
          await connection?.close().catch(() => {})
          this.#tellState(undefined)
        }
        if (!this.#isOver) await this.#rest(againMs)
      }
    } finally {
      this.#options.signal.removeEventListener('abort', stop)
      for (const watch of this.#watches.values()) watch?.close()
      this.#view.save()
    }
  }

  /** Works with the servers until the connection is gone, or it is ended. */
  async #carry(connection: NatsConnection): Promise<void> {
    const link = await this.#open(connection)
    const server = connection.getServer()
    this.#options.onEvent?.({ kind: 'connected', server })
    this.#trouble = null
    this.#failures = 0
    await this.#sayHere(link)
    const messages = await this.#read(link)
    void this.#endAtReconnection(connection, messages)
    try {
      while (!this.#isOver && !connection.isClosed() && this.#messages !== undefined) {
        await this.#work(link)
        // this node may be cut off from the others: another one is asked
        if (this.#failures >= mostFailures) break
        this.#tellState(server)
        await this.#rest(Math.max(1, Math.min(lookMs, this.#lookAt - performance.now())))
      }
      // whoever only reads anew is there all the while
      if (this.#isOver) await sayGone(link)
    } finally {
      this.#messages = undefined
      messages.stop()
      this.#waiting = []
    }
  }

  /** A node that comes back may have lost the end of the stream: it is looked at as at the beginning. */
  async #endAtReconnection(connection: NatsConnection, messages: ConsumerMessages): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type !== 'reconnect' || this.#messages !== messages) continue
      this.#messages = undefined
      this.#rouse()
      return
    }
  }

  async #open(connection: NatsConnection): Promise<Link> {
    const { federation, meta, site } = this.#record
    if (meta === undefined || meta === site) await setUp(connection, federation, this.#options.replicas)
    return openLink(this.#record, connection)
  }

  /** Reads the stream from where it was left; what arrives waits to be taken in. */
  async #read(link: Link): Promise<ConsumerMessages> {
    this.#isCaughtUp = false
    this.#lookAt = 0
    const { state } = await link.manager.streams.info(link.names.stream)
    // made anew: nothing of what was known stands there
    if (state.last_seq < this.#view.sequence || !(await isSameStream(link, this.#view))) this.#view.forget()
    this.#waiting = []
    this.#received = this.#view.sequence
    this.#before = { received: -1, last: 0, atMs: performance.now() }
    const consumer = await link.js.consumers.get(link.names.stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: this.#view.sequence + 1,
    })
    const messages = await consumer.consume({ max_messages: 500, idle_heartbeat: 2000 })
    if (state.last_seq <= this.#view.sequence) this.#isCaughtUp = true
    this.#messages = messages
    void this.#collect(messages)
    return messages
  }

  async #collect(messages: ConsumerMessages): Promise<void> {
    try {
      for await (const message of messages) {
        this.#waiting.push(message)
        this.#received = message.seq
        this.#rouse()
        while (this.#waiting.length > mostWaiting) await new Promise((resolve) => setTimeout(resolve, 5))
      }
    } catch {
      // the connection is gone: the next one reads on
    }
    if (this.#messages === messages) this.#messages = undefined
    this.#rouse()
  }

  async #work(link: Link): Promise<void> {
    try {
      do {
        while (this.#waiting.length > 0 && !this.#isOver) await this.#takeIn(link)
        if (this.#isOver) return
        if (this.#isCaughtUp) await this.#send(link)
      } while (await this.#stepNext())
      await this.#keepReading(link)
      this.#trouble = null
      this.#failures = 0
    } catch (error) {
      if (!(error instanceof LinkDownError)) throw error
      // everything, because nobody knows what was not sent
      this.#lookAt = performance.now() + againMs
      this.#failures += 1
      if (error instanceof LostStreamError) {
        this.#view.forget()
        this.#messages = undefined
      }
      this.#tellTrouble(error)
    } finally {
      this.#view.saveInTime()
    }
  }

  /** Grows with what a look at everything may follow from: a task to be taken follows from any version. */
  get #learnt(): number {
    return this.#slots === 0 ? this.#view.moves : this.#view.changes
  }

  /** Sends what waits: where something changed, or, now and then and where teams came or went, everywhere. */
  async #send(link: Link): Promise<void> {
    const beginMs = performance.now()
    const begun = process.cpuUsage()
    this.#readAt = now()
    const changed = this.#changed
    this.#changed = new Set()
    if (beginMs < this.#lookAt && this.#learnt === this.#looked)
      return changed.size === 0 ? undefined : this.#outgoing.pass(link, changed)
    this.#looked = this.#learnt
    await this.#claimMeta(link)
    // first: whoever looks for a team that is put aside finds it where it lives now
    this.#view.save()
    for (const levelled of await level(this.#federation, link, this.#view)) {
      this.#tellLevelled(levelled)
      // its mail came with it
      if (levelled.what === 'adopted') this.#recipients.add(levelled.team)
    }
    await this.#outgoing.pass(link)
    await takeTasks(this.#federation, link, this.#view, this.#slots)
    this.#outgoing.putAway()
    this.#watch()
    if (beginMs - this.#saidAt > sayMs) {
      await this.#sayHere(link)
      this.#branchTrouble = sendBranches(this.#federation, link, this.#view)
    }
    if (beginMs > this.#trimAt) await this.#trim(link)
    const { user, system } = process.cpuUsage(begun)
    const tookMs = (user + system) / 1000
    this.#lookAt = beginMs + Math.min(longestLookMs, Math.max(lookMs, tookMs * lookShare))
  }

  async #trim(link: Link): Promise<void> {
    this.#trimAt = performance.now() + trimMs
    try {
      const { versions, signals } = await trim(link, this.#view)
      if (versions + signals > 0)
        this.#note(
          `the stream was half full: ${versions} old versions and ${signals} old signals were taken off`,
        )
    } catch (error) {
      if (!(error instanceof LinkDownError)) throw error
      this.#note(`the stream could not be trimmed: ${error.message}`)
    }
  }

  /** Has one team take up what came, between two looks at what comes. */
  async #stepNext(): Promise<boolean> {
    const [team] = this.#recipients
    if (team === undefined || this.#isOver) return false
    this.#recipients.delete(team)
    await stepAll(this.#federation, [team])
    // what it committed leaves at once, also where no notice of it came yet
    const folder = this.#outgoing.lifeOf(team)
    if (folder !== undefined) this.#changed.add(folder)
    return true
  }

  /** Begins to read anew where the servers have what does not come: a reader is gone with the node that had it. */
  async #keepReading(link: Link): Promise<void> {
    const atMs = performance.now()
    if (atMs - this.#before.atMs < sayMs) return
    // it is here, however much there is to be read
    if (!this.#isCaughtUp) await this.#sayHere(link)
    const { state } = await link.manager.streams.info(link.names.stream).catch((error: unknown) => {
      throw asDown(error)
    })
    const { received, last } = this.#before
    this.#before = { received: this.#received, last: state.last_seq, atMs }
    if (last <= this.#received || received !== this.#received) return
    this.#isCaughtUp = false
    this.#messages?.stop()
    this.#messages = undefined
  }

  async #takeIn(link: Link): Promise<void> {
    const messages = this.#waiting.slice(0, batch)
    const { recipients, refused } = await takeIn(this.#federation, link, this.#view, messages.map(messageOf))
    this.#waiting.splice(0, messages.length)
    this.#takenIn += messages.length
    for (const { site, to, signal, why } of refused) {
      const words = `a signal of ${signal?.from ?? 'nobody'} at ${site} to ${to} does not count: ${why}`
      this.#note(words)
      this.#options.onEvent?.({ kind: 'refused', words })
    }
    for (const team of recipients) if (this.#view.own(team) !== undefined) this.#recipients.add(team)
    if (this.#isCaughtUp || messages.at(-1)?.info.pending !== 0) return
    this.#isCaughtUp = true
    this.#options.onEvent?.({ kind: 'caught-up', sequence: this.#view.sequence })
  }

  /** The site of meta is that of its line's beginning, or who took over. */
  async #claimMeta(link: Link): Promise<void> {
    const { meta, site } = this.#record
    if ((meta !== undefined && meta !== site) || this.#view.team(META) !== undefined) return
    const said = { kind: 'owner' as const, site, epoch: 1, tenures: [], at: now(), version: 0 }
    await append(link, this.#view, META, said, `${site}.${META}.1.${this.#nonce}`)
  }

  async #sayHere(link: Link): Promise<void> {
    this.#saidAt = performance.now()
    const slots = this.#slots
    const teams = [...this.#view.teams()].filter(([id, one]) => id !== META && one.site === this.#view.site)
    await sayHere(link, {
      nonce: this.#nonce,
      slots,
      taken: slots === 0 ? 0 : membersAtWork(this.#federation),
      teams: teams.filter(([, one]) => !one.isGone).length,
      sequence: this.#view.sequence,
    })
  }

  #watch(): void {
    const wanted = new Set(this.#outgoing.watched())
    for (const folder of wanted)
      if (!this.#watches.has(folder))
        this.#watches.set(
          folder,
          directoryHints(folder, (name) => {
            // what it acknowledged itself
            if (name?.endsWith('.ack')) return
            this.#changed.add(folder)
            this.#rouse()
          }),
        )
    for (const [folder, watch] of this.#watches) {
      if (wanted.has(folder)) continue
      watch?.close()
      this.#watches.delete(folder)
    }
  }

  #rouse(): void {
    this.#isWoken = true
    this.#wake()
  }

  /** Waits until something happens, or so long in milliseconds. */
  async #rest(milliseconds: number): Promise<void> {
    if (!this.#isWoken && !this.#isOver)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.#isWoken = false
    this.#wake = () => {}
  }

  #tellTrouble(error: FedError): void {
    if (this.#trouble !== error.message) this.#options.onEvent?.({ kind: 'trouble', words: error.message })
    this.#trouble = error.message
  }

  #tellLevelled(levelled: Levelled): void {
    const { team, what, words } = levelled
    const told = `${team}: ${what}${words === '' ? '' : `: ${words}`}`
    if (this.#notes.at(-1)?.endsWith(told)) return
    this.#note(told)
    this.#options.onEvent?.({ kind: 'levelled', levelled })
  }

  #note(words: string): void {
    this.#notes = [...this.#notes, `${now()} ${words}`].slice(-mostNotes)
  }

  /** Tells how it stands: at once what a person waits for, and counts and times now and then. */
  #tellState(server: string | undefined): void {
    const stands = {
      pid: process.pid,
      server: server ?? null,
      trouble: this.#trouble,
      isCaughtUp: this.#isCaughtUp,
      held: this.#outgoing.held,
      notes: [...this.#notes, ...this.#branchTrouble],
    }
    const text = JSON.stringify(stands)
    const nowMs = performance.now()
    if (text === this.#told.text && nowMs - this.#told.atMs < tellMs) return
    this.#told = { text, atMs: nowMs }
    const counts = { sent: this.#outgoing.sent, takenIn: this.#takenIn, readAt: this.#readAt }
    writeLinkState(this.#federation.root, { ...stands, ...counts, at: now() })
  }
}
