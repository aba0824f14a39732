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
import { makeReady } from './work.ts'
import { faultOfSender, lineFormat, type LineEntry } from './line-entry.ts'
import { EPOCH, readSubject } from './link-names.ts'
import { KEPT } from './outgoing.ts'
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

/** A signal that does not count, and why. */
interface Refused {
  readonly sequence: number
  readonly site: string
  readonly to: string
  readonly signal: SignalMessage | undefined
  readonly why: string
}

/** A signal for a team that lives here. */
interface Arrived {
  readonly sequence: number
  readonly signal: SignalMessage
}

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
  for (const message of messages) await takeInLine(federation, link, view, message, refused)
  const arrived: Arrived[] = []
  for (const message of messages) {
    const subject = readSubject(message.subject)
    if (subject?.kind !== 'signal') continue
    const tenure = view.team(subject.team)?.tenures.findLast((one) => one.sequence < message.sequence)
    const isOurs = tenure?.site === view.site
    // one's own that do not count are what went on here after somebody took over
    if (!isOurs && subject.site !== view.site) continue
    for (const judged of await judge(link, view, message, subject, isOurs))
      if ('why' in judged) refused.push(judged)
      else arrived.push(judged)
  }
  const recipients = await deliverHere(federation, link, arrived, { refused, site: view.site })
  const last = messages.at(-1)
  if (last !== undefined) view.reached(last.sequence, last.takenAt)
  return { recipients, refused }
}

/** Delivers all signals to a team that came to live here, wherever it lived when they were sent. */
export async function bringSignals(
  federation: Federation,
  link: Pick<Link, 'files'>,
  view: View,
  messages: readonly Message[],
): Promise<void> {
  const arrived: Arrived[] = []
  for (const message of messages) {
    const subject = readSubject(message.subject)
    const judged = subject?.kind === 'signal' ? await judge(link, view, message, subject, true) : []
    arrived.push(...judged.filter((one): one is Arrived => !('why' in one)))
  }
  await deliverHere(federation, link, arrived, { refused: [], site: view.site })
}

/** Ids of the signals of a sender among these messages that count. */
export async function countingFrom(
  link: Pick<Link, 'files'>,
  view: View,
  from: string,
  messages: readonly Message[],
): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const message of messages) {
    const subject = readSubject(message.subject)
    const judged = subject?.kind === 'signal' ? await judge(link, view, message, subject, true) : []
    for (const one of judged) if (!('why' in one) && one.signal.from === from) ids.add(one.signal.id)
  }
  return ids
}

async function takeInLine(
  federation: Federation,
  link: Pick<Link, 'files'>,
  view: View,
  message: Message,
  refused: Refused[],
): Promise<void> {
  const subject = readSubject(message.subject)
  if (subject?.kind !== 'line') return
  const json = unless(SyntaxError, () => JSON.parse(message.text()) as unknown)
  let entry: LineEntry
  try {
    entry = lineFormat.decode(json, message.subject)
  } catch (error) {
    if (!(error instanceof CorruptDocumentError)) throw error
    const { sequence } = message
    refused.push({ sequence, site: '', to: subject.team, signal: undefined, why: error.message })
    return
  }
  view.apply(subject.team, message.sequence, entry)
  if (entry.site === view.site) return
  const coordinator = entry.entry?.['coordinator']
  const withDocument = typeof coordinator === 'string' && view.own(coordinator) !== undefined
  await keepCopy(federation.root, link, subject.team, { entry, withDocument })
}

/**
 * Which signals of a message count.
 * @param isOurs whether they are for a team of this site.
 * @returns none where they are of no concern here.
 */
async function judge(
  link: Pick<Link, 'files'>,
  view: View,
  message: Message,
  { site, team: to }: { readonly site: string; readonly team: string },
  isOurs: boolean,
): Promise<(Arrived | Refused)[]> {
  const { sequence } = message
  const epoch = Number(message.header(EPOCH))
  const signals = await readSignals(link, message)
  return signals.flatMap((signal): (Arrived | Refused)[] => {
    const isRead = typeof signal !== 'string'
    const why = !isRead
      ? signal
      : signal.to === to
        ? faultOfSender(view.team(signal.from), { site, epoch, sequence })
        : `it is for ${signal.to}`
    if (!isRead || signal.to !== to)
      return isOurs ? [{ sequence, site, to, signal: isRead ? signal : undefined, why: why ?? '' }] : []
    if (why !== undefined) return [{ sequence, site, to, signal, why }]
    return isOurs ? [{ sequence, signal }] : []
  })
}

/** @returns what is wrong with it in the place of each that is none. */
async function readSignals(link: Pick<Link, 'files'>, message: Message): Promise<(SignalMessage | string)[]> {
  const kept = message.header(KEPT)
  const bytes = kept === undefined ? undefined : await fetchFile(link, kept)
  if (kept !== undefined && bytes === undefined) return [`the servers do not have ${kept}`]
  return decodeSignals(bytes === undefined ? message.text() : Buffer.from(bytes).toString('utf8')).map(
    ({ signal, fault }) => signal ?? fault,
  )
}

async function deliverHere(
  federation: Federation,
  link: Pick<Link, 'files'>,
  arrived: readonly Arrived[],
  { refused, site }: { readonly refused: Refused[]; readonly site: string },
): Promise<Set<string>> {
  const dispatches = arrived.flatMap(({ signal, sequence }) => {
    const to = federation.mailboxOf(signal.to)
    // it is being brought here, or was taken away: whoever brings it looks for its signals
    if (to === undefined || to.workspace === placeOfAbsent(federation.root, signal.to)) return []
    return [{ signal, from: senderHere(federation, signal.from), to, sequence }]
  })
  for (const { signal } of dispatches) await makeReady(federation, link, signal)
  try {
    await deliverAll(dispatches)
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    await deliverOrPark(federation, dispatches, { refused, site })
  }
  return new Set(dispatches.map(({ signal }) => signal.to))
}

/** Delivers one by one; what a damaged recipient cannot get waits beside it, and holds up nobody else. */
async function deliverOrPark(
  federation: Federation,
  dispatches: readonly (Dispatch & { readonly sequence: number })[],
  { refused, site }: { readonly refused: Refused[]; readonly site: string },
): Promise<void> {
  for (const dispatch of dispatches) {
    const { signal, from, sequence } = dispatch
    try {
      await deliverAll([dispatch])
    } catch (error) {
      if (!(error instanceof FedError)) throw error
      const aside = new Mailbox(signal.to, placeOfAbsent(federation.root, signal.to))
      aside.create()
      await deliverAll([{ signal, from, to: aside }])
      refused.push({ sequence, site, to: signal.to, signal, why: `not yet: ${error.message}` })
    }
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
