import { headers } from '@nats-io/transport-node'
import { asDown, isOvertaken, LinkDownError, type Link } from './connection.ts'
import { lineFormat, nextEntry, type LineEntry } from './line-entry.ts'
import type { KnownTeam } from '../records/sites/known-teams.ts'
import type { View } from './line-view.ts'

/** The stream is not the one that was read: it is to be read anew. */
export class LostStreamError extends LinkDownError {}

/** What became of a message for a team's line. */
export type Appended = 'done' | 'overtaken'

const MESSAGE_ID = 'Nats-Msg-Id'

/**
 * Appends a message to a team's line, if nothing was appended since this site looked: so of all sites one has a team,
 * and of its life one line of versions stands.
 * @param id the same whenever the same is appended: where it was before, it is done.
 * @returns `overtaken` where something else came first; the view knows it then.
 * @throws {LinkDownError} where it is not known whether it was done: whoever tries again finds out.
 */
export async function append(
  link: Link,
  view: View,
  team: string,
  entry: LineEntry,
  id: string,
): Promise<Appended> {
  const subject = link.names.line(team)
  const after = view.team(team)?.sequence ?? 0
  try {
    const { seq, duplicate } = await link.js.publish(subject, lineFormat.textOf(entry), {
      msgID: id,
      expect: { lastSubjectSequence: after },
      retries: 0,
    })
    if (!duplicate) view.apply(team, seq, entry)
    // it was done before, maybe in other words, and others may have come after it
    else await applyLast(link, view, team)
    return 'done'
  } catch (error) {
    if (!isOvertaken(error)) throw asDown(error)
    const last = await lastOf(link, team)
    if (last === undefined) throw new LostStreamError('the servers lost messages that they had accepted')
    // what was read stands there no more: a node's disk lost the end of the stream
    if (last.sequence < after) throw new LostStreamError('the servers lost messages that they had accepted')
    view.apply(team, last.sequence, last.entry)
    // a repetition beyond the time for which the servers know it looks like somebody else's
    return last.id === id ? 'done' : 'overtaken'
  }
}

/**
 * Gives the name of a team back that was offboarded here.
 * @throws {LinkDownError}
 */
export async function giveBack(link: Link, view: View, team: string, known: KnownTeam): Promise<void> {
  const said = nextEntry(known, { kind: 'gone', site: view.site })
  await append(link, view, team, said, `${view.site}.${team}.${known.epoch}.gone`)
}

async function applyLast(link: Link, view: View, team: string): Promise<void> {
  const last = await lastOf(link, team)
  if (last !== undefined) view.apply(team, last.sequence, last.entry)
}

/** The last message of a team's line; undefined where there is none. */
export async function lastOf(
  link: Link,
  team: string,
): Promise<{ readonly sequence: number; readonly id: string; readonly entry: LineEntry } | undefined> {
  const subject = link.names.line(team)
  const message = await link.manager.streams
    .getMessage(link.names.stream, { last_by_subj: subject })
    .catch((error: unknown) => {
      throw asDown(error)
    })
  if (message === null) return undefined
  return {
    sequence: message.seq,
    id: message.header.get(MESSAGE_ID),
    entry: lineFormat.decode(message.json(), subject),
  }
}

/** Headers of a signal's message. */
export function headersOf(values: Readonly<Record<string, string>>) {
  const made = headers()
  for (const [name, value] of Object.entries(values)) made.set(name, value)
  return made
}
