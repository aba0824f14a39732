import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { HistoryEntry, SignalMessage } from '../../src/index.ts'
import { factsOf, type TestTeam } from './test-team.ts'

/** What anybody sees of a team who looks at its files at a moment when nobody does anything. */
export interface Observed {
  readonly state: string
  readonly facts: Record<string, unknown>
  readonly history: readonly HistoryEntry[]
  readonly status: string | undefined
  /** Signals of its inbox by id. */
  readonly inbox: ReadonlyMap<string, SignalMessage>
  /** Ids of those that have an acknowledgment. */
  readonly acknowledged: ReadonlySet<string>
  /** Subjects of what meta was told by it. */
  readonly heard: readonly string[]
  readonly publishedVersion: number
  readonly newestVersion: number
}

function json(...place: string[]): unknown {
  return JSON.parse(readFileSync(path.join(...place), 'utf8'))
}

/** @throws when a file is torn, or something lies in an inbox that does not belong there. */
function readInbox(workspace: string) {
  const inbox = path.join(workspace, '.fed', 'signals', 'inbox')
  const names = readdirSync(inbox)
  const files = names.filter((name) => name.endsWith('.json'))
  const acknowledged = new Set<string>()
  const signals = files.map((file) => {
    const signal = json(inbox, file) as SignalMessage
    if (names.includes(`${file}.ack`)) {
      json(inbox, `${file}.ack`)
      acknowledged.add(signal.id)
    }
    return signal
  })
  if (new Set(signals.map(({ id }) => id)).size < files.length)
    throw new Error(`a signal is twice in ${inbox}`)
  if (names.length > files.length + acknowledged.size) throw new Error(`strangers in ${inbox}: ${names}`)
  return { signals, acknowledged }
}

export async function observe(team: TestTeam): Promise<Observed> {
  const { signals, acknowledged } = readInbox(team.workspace)
  const opened = await team.open()
  const versions = readdirSync(path.join(team.workspace, '.fed', 'lifecycle.d'))
    .filter((name) => /^\d+\.json$/.test(name))
    .map((name) => Number.parseInt(name, 10))
  return {
    state: opened.present().state,
    facts: { ...factsOf(team.head().snapshot), measured: undefined },
    history: opened.history(),
    status: team.status(),
    inbox: new Map(signals.map((signal) => [signal.id, signal])),
    acknowledged,
    heard: readInbox(team.root).signals.flatMap(({ from, subject }) => (from === team.id ? [subject] : [])),
    publishedVersion: (json(team.workspace, '.fed', 'lifecycle.json') as { version: number }).version,
    newestVersion: Math.max(...versions),
  }
}

/** What meta must have heard of a history: each move, and each refusal of what others sent. */
export function toldToMeta(team: string, history: readonly HistoryEntry[]): string[] {
  return history.flatMap(({ from, to, outcome, sender, subject }) => [
    ...(from === to ? [] : [`${team}: ${from} to ${to}`]),
    ...(outcome === 'refused' && sender === 'meta' ? [`Refused: ${subject}`] : []),
  ])
}
