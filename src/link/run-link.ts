import type { NatsConnection } from '@nats-io/transport-node'
import { RefusedError } from '../errors/fed-error.ts'
import type { Federation } from '../federation/federation.ts'
import { claim } from '../platform/storage/claim.ts'
import { federationLayout } from '../protocol/folder-layout.ts'
import { now } from '../protocol/time.ts'
import { META } from '../protocol/team-id.ts'
import { CLAIM } from '../records/sites/link-state.ts'
import type { SiteRecord } from '../records/sites/site-record.ts'
import { asDown, connectTo, LinkDownError, openLink, type Link } from './connection.ts'
import { messageOf, stepAll, takeIn } from './incoming.ts'
import { level, sendBranches } from './level.ts'
import { append, LostStreamError } from './line.ts'
import { beginning } from './line-entry.ts'
import { View } from './line-view.ts'
import { LinkReport, type LinkEvent } from './link-report.ts'
import { Outgoing } from './outgoing.ts'
import { OwnPresence } from './own-presence.ts'
import { sayGone } from './presence.ts'
import { Rest } from './rest.ts'
import { setUp } from './set-up-servers.ts'
import { MessageReader } from './message-reader.ts'
import { trim } from './trim.ts'
import { WatchedFolders } from './watched-folders.ts'
import { takeTasks } from './work.ts'

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
/** After a fault of the servers it tries again after so long, in milliseconds. */
const againMs = 500
/** After so many failures in a row another server is asked. */
const mostFailures = 3
/** So many messages are taken in at once, with one round of flushing. */
const batch = 256

export interface RunLink {
  readonly signal: AbortSignal
  readonly onEvent?: (event: LinkEvent) => void
  /** On so many nodes each message is kept; as it is when left out, at first 3, or 1 with a server that is alone. */
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
  const release = claim(federationLayout(federation.root).link, CLAIM)
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

class Runner {
  readonly #federation: Federation
  readonly #record: SiteRecord
  readonly #options: RunLink
  readonly #slots: number
  readonly #view: View
  readonly #outgoing: Outgoing
  readonly #report: LinkReport
  readonly #presence: OwnPresence
  readonly #rest = new Rest()
  readonly #folders = new WatchedFolders(() => this.#rest.rouse())
  /** Teams that got signals and were not stepped since. */
  readonly #recipients = new Set<string>()
  #reader: MessageReader | undefined
  /** How many looks in a row the servers failed. */
  #failures = 0
  #readAt: string | null = null
  #takenIn = 0
  #branchTrouble: string[] = []
  /** When everything is looked at again, and what was known of teams when it was, last. */
  #lookAt = 0
  #looked = -1
  #trimAt = performance.now() + firstTrimMs

  constructor(federation: Federation, record: SiteRecord, options: RunLink) {
    this.#federation = federation
    this.#record = record
    this.#options = options
    this.#slots = options.slots ?? 0
    this.#view = new View(federation.root, record.site)
    this.#presence = new OwnPresence(federation, this.#view, this.#slots)
    this.#outgoing = new Outgoing(federation, this.#view)
    this.#report = new LinkReport(federation.root, options.onEvent)
  }

  get #isOver(): boolean {
    return this.#options.signal.aborted
  }

  async run(): Promise<void> {
    const stop = () => this.#rest.rouse()
    this.#options.signal.addEventListener('abort', stop)
    try {
      while (!this.#isOver) {
        let connection: NatsConnection | undefined
        try {
          connection = await connectTo(this.#federation.root, this.#record)
          await this.#carry(connection)
        } catch (error) {
          if (error instanceof RefusedError) throw error
          this.#report.troubled(asDown(error))
        } finally {
          await connection?.close().catch(() => {})
          this.#tell(null)
        }
        if (!this.#isOver) await this.#rest.wait(againMs)
      }
    } finally {
      this.#options.signal.removeEventListener('abort', stop)
      this.#folders.set([])
      this.#view.save()
    }
  }

  /** Works with the servers until the connection is gone, or it is ended. */
  async #carry(connection: NatsConnection): Promise<void> {
    const { federation, meta, site } = this.#record
    const { replicas } = this.#options
    if (meta === undefined || meta === site) {
      const nodes = await setUp(connection, federation, replicas)
      if (nodes !== undefined) this.#report.note(nodes, 'set-up')
    } else if (replicas !== undefined)
      this.#report.note(
        `--replicas ${replicas} does nothing here: ${meta}, the site of meta, says it`,
        'set-up',
      )
    const link = await openLink(this.#record, connection)
    const server = connection.getServer()
    this.#report.event('connected', `linked by ${server}`)
    this.#report.trouble = null
    this.#failures = 0
    await this.#presence.begin(link)
    const reader = await MessageReader.begin(link, this.#view, () => this.#rest.rouse())
    this.#reader = reader
    this.#lookAt = 0
    try {
      // a node that failed often may be cut off from the others: another one is asked
      while (!this.#isOver && !connection.isClosed() && !reader.isOver && this.#failures < mostFailures) {
        await this.#work(link, reader)
        this.#tell(server)
        await this.#rest.wait(Math.max(1, Math.min(lookMs, this.#lookAt - performance.now())))
      }
      // whoever only reads anew is there all the while
      if (this.#isOver) await sayGone(link)
    } finally {
      reader.stop()
    }
  }

  async #work(link: Link, reader: MessageReader): Promise<void> {
    try {
      do {
        while (reader.isWaiting && !this.#isOver) await this.#takeIn(link, reader)
        if (this.#isOver) return
        if (reader.isCaughtUp) await this.#send(link)
      } while (await this.#stepNext())
      await this.#sayAndCheck(link, reader)
      this.#report.trouble = null
      this.#failures = 0
    } catch (error) {
      if (!(error instanceof LinkDownError)) throw error
      // everything, because nobody knows what was not sent
      this.#lookAt = performance.now() + againMs
      this.#failures += 1
      if (error instanceof LostStreamError) {
        this.#view.forget()
        reader.stop()
      }
      this.#report.troubled(error)
    } finally {
      this.#view.saveInTime()
    }
  }

  async #takeIn(link: Link, reader: MessageReader): Promise<void> {
    const wasCaughtUp = reader.isCaughtUp
    const messages = reader.next(batch)
    const { recipients, refused } = await takeIn(this.#federation, link, this.#view, messages.map(messageOf))
    reader.done(messages)
    this.#takenIn += messages.length
    for (const { site, to, signal, why } of refused)
      this.#report.note(
        `a signal of ${signal?.from ?? 'nobody'} at ${site} to ${to} does not count: ${why}`,
        'refused',
      )
    for (const team of recipients) if (this.#view.own(team) !== undefined) this.#recipients.add(team)
    if (reader.isCaughtUp && !wasCaughtUp)
      this.#report.event('caught-up', `everything is read, up to message ${this.#view.sequence}`)
  }

  /** Sends what waits: where something changed, or, now and then and where teams came or went, everywhere. */
  async #send(link: Link): Promise<void> {
    const beginMs = performance.now()
    this.#readAt = now()
    const changed = this.#folders.take()
    // a task to be taken follows from any version
    const learnt = this.#slots === 0 ? this.#view.moves : this.#view.changes
    if (beginMs < this.#lookAt && learnt === this.#looked)
      return changed.size === 0 ? undefined : this.#outgoing.pass(link, changed)
    this.#looked = learnt
    const begun = process.cpuUsage()
    await this.#lookAround(link)
    const { user, system } = process.cpuUsage(begun)
    const tookMs = (user + system) / 1000
    this.#lookAt = beginMs + Math.min(longestLookMs, Math.max(lookMs, tookMs * lookShare))
  }

  async #lookAround(link: Link): Promise<void> {
    const view = this.#view
    await this.#claimMeta(link)
    // first: whoever looks for a team that is put aside finds it where it lives now
    view.save()
    for (const { team, what, words } of await level(this.#federation, link, view)) {
      this.#report.note(`${team} ${what}${words === '' ? '' : `: ${words}`}`, 'levelled')
      // its mail came with it
      if (view.own(team) !== undefined) this.#recipients.add(team)
    }
    await this.#outgoing.pass(link)
    await takeTasks(this.#federation, link, view, this.#slots)
    this.#outgoing.putAway()
    this.#folders.set(this.#outgoing.watched())
    if (performance.now() > this.#trimAt) await this.#trim(link)
  }

  async #trim(link: Link): Promise<void> {
    this.#trimAt = performance.now() + trimMs
    try {
      const { versions, signals } = await trim(link, this.#view)
      if (versions + signals > 0)
        this.#report.note(
          `the stream was half full: ${versions} old versions and ${signals} old signals were taken off`,
        )
    } catch (error) {
      if (!(error instanceof LinkDownError)) throw error
      this.#report.note(`the stream could not be trimmed: ${error.message}`)
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
    if (folder !== undefined) this.#folders.changed(folder)
    return true
  }

  /** Now and then: says that this site is there, however much there is to be read, and that what the servers have comes. */
  async #sayAndCheck(link: Link, reader: MessageReader): Promise<void> {
    if (!this.#presence.isDue) return
    await this.#presence.say(link)
    await reader.check()
    if (reader.isCaughtUp) this.#branchTrouble = sendBranches(this.#federation, link, this.#view)
  }

  /** The site of meta is that of its line's beginning, or who took over. */
  async #claimMeta(link: Link): Promise<void> {
    const { meta, site } = this.#record
    if ((meta !== undefined && meta !== site) || this.#view.team(META) !== undefined) return
    await append(
      link,
      this.#view,
      META,
      beginning(undefined, { site }),
      `${site}.${META}.1.${this.#presence.nonce}`,
    )
  }

  #tell(server: string | null): void {
    const { held, sent } = this.#outgoing
    const isCaughtUp = this.#reader?.isCaughtUp === true
    this.#report.tell(
      { server, isCaughtUp, held, notes: this.#branchTrouble },
      { sent, takenIn: this.#takenIn, readAt: this.#readAt },
    )
  }
}
