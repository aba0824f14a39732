import type { JsMsg } from '@nats-io/jetstream'
import { FedError } from '../errors/fed-error.ts'
import { unless } from '../errors/unless.ts'
import type { Federation } from '../federation/federation.ts'
import { disk } from '../platform/storage/disk.ts'
import { isSystemError } from '../platform/storage/system-error.ts'
import { placeOfAbsent } from '../protocol/folder-layout.ts'
import type { SignalMessage } from '../protocol/signal.ts'
import { META } from '../protocol/team-id.ts'
import { decodeSignals } from '../records/signals/decode.ts'
import { deliverAll, type Dispatch } from '../records/signals/deliver.ts'
import { Mailbox } from '../records/signals/mailbox.ts'
import { CorruptDocumentError } from '../errors/document-errors.ts'
import type { Link } from './connection.ts'
import { keepCopy } from './copies.ts'
import { fetchFile } from './files.ts'
import { messagesOf } from './read-stream.ts'
import { makeReady } from './work.ts'
import { faultOfSender, lineFormat, type LineEntry } from './line-entry.ts'
import { EPOCH, KEPT, readSubject } from './link-names.ts'
import type { View } from './line-view.ts'

/** A message of the stream, as far as it is of concern here. */
export interface Message {
  readonly sequence: number
  readonly subject: string
  /** When the servers took it, by their clock, in milliseconds since 1970. */
  readonly takenAt?: number
  readonly text: () => string
  readonly header: (name: string) => string | undefined
}

export function messageOf(message: JsMsg): Message {
  return {
    sequence: message.seq,
    subject: message.subject,
    takenAt: message.time.getTime(),
    text: () => message.string(),
    header: (name) => message.headers?.get(name) || undefined,
  }
}

/** A signal of a message, and what a site makes of it. */
interface Judged {
  readonly sequence: number
  readonly site: string
  readonly to: string
  /** Undefined where it is none. */
  readonly signal: SignalMessage | undefined
  /** Why it does not count; undefined where it does. */
  readonly why: string | undefined
}

/** A signal that counts. */
type Arrived = Judged & { readonly signal: SignalMessage; readonly why: undefined }
/** One that does not, and why. */
type Refused = Judged & { readonly why: string }

/** What a batch brought. */
export interface Brought {
  /** Teams, or `meta`, that got signals. */
  readonly recipients: ReadonlySet<string>
  readonly refused: readonly Refused[]
}

/**
 * Takes in messages in the stream's order: lines first, because signals count by where their senders lived at their
 * place in the stream, and then the signals for teams of this site, durable before it returns. Taking a message in again
 * changes nothing.
 * @throws {LinkDownError} where a part of one cannot be fetched now.
 */
export async function takeIn(
  federation: Federation,
  link: Pick<Link, 'files'>,
  view: View,
  messages: readonly Message[],
): Promise<Brought> {
  const refused: Refused[] = []
  for (const message of messages) refused.push(...(await takeInLine(federation, link, view, message)))
  const arrived: Arrived[] = []
  for (const message of messages) {
    const { to, site } = signalOf(message) ?? {}
    if (to === undefined) continue
    const isOurs =
      view.team(to)?.tenures.findLast(({ sequence }) => sequence < message.sequence)?.site === view.site
    // one's own that do not count are what went on here after somebody took over
    if (!isOurs && site !== view.site) continue
    const judged = await judge(link, view, message)
    if (isOurs) arrived.push(...judged.filter(isArrived))
    refused.push(...judged.filter(isRefused).filter(({ signal }) => isOurs || signal?.to === to))
  }
  const delivered = await deliverHere(federation, link, arrived)
  const last = messages.at(-1)
  if (last !== undefined) view.reached(last.sequence, last.takenAt)
  return { ...delivered, refused: [...refused, ...delivered.refused] }
}

/** Delivers all signals that count to a team that came to live here, wherever it lived when they were sent. */
export async function bringSignals(
  federation: Federation,
  link: Link,
  view: View,
  id: string,
): Promise<void> {
  const messages = await messagesOf(link, link.names.signal('*', id))
  // what stands beyond is taken in in its turn: this site may not know yet who was replaced
  const read = messages.filter(({ seq }) => seq <= view.sequence)
  await deliverHere(federation, link, await counting(link, view, read))
}

/** Which signals of this site's teams to other sites count, of those that the stream has now, and which do not, by id. */
export interface Judgement {
  readonly counted: ReadonlySet<string>
  readonly refused: ReadonlySet<string>
}

/**
 * Judges what left this site.
 * @throws {LinkDownError}
 */
export async function judgeSent(link: Link, view: View): Promise<Judgement> {
  const judged = await judgeAll(link, view, await messagesOf(link, link.names.signal(view.site, '*')))
  const idsOf = (some: readonly Judged[]) => new Set(some.flatMap(({ signal }) => signal?.id ?? []))
  return { counted: idsOf(judged.filter(isArrived)), refused: idsOf(judged.filter(isRefused)) }
}

/** The signals among these messages that count. */
export async function counting(
  link: Pick<Link, 'files'>,
  view: View,
  messages: readonly JsMsg[],
): Promise<Arrived[]> {
  return (await judgeAll(link, view, messages)).filter(isArrived)
}

async function judgeAll(
  link: Pick<Link, 'files'>,
  view: View,
  messages: readonly JsMsg[],
): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const message of messages) judged.push(...(await judge(link, view, messageOf(message))))
  return judged
}

function isArrived(judged: Judged): judged is Arrived {
  return judged.why === undefined
}

function isRefused(judged: Judged): judged is Refused {
  return judged.why !== undefined
}

/** Of which site the signal of a message is, and to whom; undefined where it is none. */
function signalOf({ subject }: Message): { readonly site: string; readonly to: string } | undefined {
  const read = readSubject(subject)
  return read?.kind === 'signal' ? { site: read.site, to: read.team } : undefined
}

async function takeInLine(
  federation: Federation,
  link: Pick<Link, 'files'>,
  view: View,
  { subject, sequence, text }: Message,
): Promise<Refused[]> {
  const read = readSubject(subject)
  if (read?.kind !== 'line') return []
  const { team } = read
  let entry: LineEntry
  try {
    entry = lineFormat.decode(
      unless(SyntaxError, () => JSON.parse(text()) as unknown),
      subject,
    )
  } catch (error) {
    if (!(error instanceof CorruptDocumentError)) throw error
    return [{ sequence, site: '', to: team, signal: undefined, why: error.message }]
  }
  view.apply(team, sequence, entry)
  if (entry.site === view.site) return []
  const coordinator = entry.entry?.['coordinator']
  const withDocument = typeof coordinator === 'string' && view.own(coordinator) !== undefined
  await keepCopy(federation.root, link, team, { entry, withDocument })
  return []
}

/** Which signals of a message count; none where it holds none. */
async function judge(link: Pick<Link, 'files'>, view: View, message: Message): Promise<Judged[]> {
  const { site, to } = signalOf(message) ?? {}
  if (site === undefined || to === undefined) return []
  const { sequence } = message
  const epoch = Number(message.header(EPOCH))
  const kept = message.header(KEPT)
  const bytes = kept === undefined ? undefined : await fetchFile(link, kept)
  if (kept !== undefined && bytes === undefined)
    return [{ sequence, site, to, signal: undefined, why: `the servers do not have ${kept}` }]
  const text = bytes === undefined ? message.text() : Buffer.from(bytes).toString('utf8')
  return decodeSignals(text).map(({ signal, fault }) => {
    const why =
      signal === undefined
        ? fault
        : signal.to === to
          ? faultOfSender(view.team(signal.from), { site, epoch, sequence })
          : `it is for ${signal.to}`
    return { sequence, site, to, signal, why }
  })
}

/** Delivers signals to teams of this site; what a damaged one cannot get waits beside it, and holds up nobody else. */
async function deliverHere(
  federation: Federation,
  link: Pick<Link, 'files'>,
  arrived: readonly Arrived[],
): Promise<Brought> {
  const dispatches = arrived.flatMap((judged) => {
    const { signal } = judged
    const to = federation.mailboxOf(signal.to)
    // it is being brought here, or was taken away: whoever brings it looks for its signals
    if (to === undefined || to.workspace === placeOfAbsent(federation.root, signal.to)) return []
    return [{ judged, signal, from: senderHere(federation, signal.from), to }]
  })
  for (const { signal } of dispatches) await makeReady(federation, link, signal)
  const recipients = new Set(dispatches.map(({ signal }) => signal.to))
  const refused: Refused[] = []
  // all at once, and where that fails one by one
  if ((await faultOf(dispatches)) !== undefined)
    for (const dispatch of dispatches) {
      const why = await faultOf([dispatch])
      if (why === undefined) continue
      const aside = new Mailbox(dispatch.signal.to, placeOfAbsent(federation.root, dispatch.signal.to))
      aside.create()
      await deliverAll([{ ...dispatch, to: aside }])
      refused.push({ ...dispatch.judged, why: `not yet: ${why}` })
    }
  return { recipients, refused }
}

/** Why signals could not be delivered; undefined where they were. */
async function faultOf(dispatches: readonly Dispatch[]): Promise<string | undefined> {
  try {
    await deliverAll(dispatches)
    return undefined
  } catch (error) {
    if (error instanceof FedError) return error.message
    throw error
  }
}

/** Where the record of a signal from another site lies. */
export function senderHere(federation: Federation, from: string): Mailbox {
  const known =
    from === META ? federation.mailbox(META) : new Mailbox(from, placeOfAbsent(federation.root, from))
  if (!disk.exists(known.outbox)) known.create()
  return known
}

/** Has the teams take up what came; what is wrong with one stops no other. */
export async function stepAll(federation: Federation, teams: Iterable<string>): Promise<void> {
  for (const id of teams) {
    if (id === META) continue
    try {
      const team = await federation.team(id)
      await team.step()
    } catch (error) {
      if (!(error instanceof FedError) && !isSystemError(error)) throw error
    }
  }
}
