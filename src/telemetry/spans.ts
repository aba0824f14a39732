import { v5 as uuidOf } from 'uuid'
import type { Handled } from '../engine/decide/lifecycle.ts'
import type { SpanRecord, TeamLedger } from './telemetry-ledger.ts'
import { attribute } from './names.ts'

/** Namespace of the ids of spans. */
const NAMESPACE = '5d2f5c55-6e0f-4b0e-a1a4-3f0f8f3c7b52'

/** A span has at most so many events, as the SDK's default is; the last ones stay. */
export const mostEvents = 128

/** A mission's trace bears the id of the commit that began it, so that whoever exports it again says the same. */
export function traceOf(commit: string): string {
  return commit.replaceAll('-', '').toLowerCase()
}

/** A span's id, the same for whoever derives it. */
export function spanIdOf(trace: string, what: string): string {
  return uuidOf(`${trace}/${what}`, NAMESPACE).replaceAll('-', '').slice(0, 16)
}

/** The id of a mission's own span, the root of its trace. */
export function missionSpanId(trace: string): string {
  return spanIdOf(trace, 'mission')
}

type Mission = NonNullable<TeamLedger['mission']>
type State = NonNullable<TeamLedger['state']>

interface Ending {
  readonly team: string
  readonly archetype: string
  readonly end: string
}

export function missionSpan(mission: Mission, outcome: string, { team, archetype, end }: Ending): SpanRecord {
  return {
    trace: mission.trace,
    id: missionSpanId(mission.trace),
    name: 'mission',
    start: mission.since,
    end,
    attributes: {
      [attribute.team]: team,
      [attribute.archetype]: archetype,
      [attribute.missionNumber]: mission.number,
      [attribute.missionSubject]: mission.subject,
      [attribute.missionOutcome]: outcome,
    },
    events: [],
    droppedEvents: 0,
    ...(outcome === 'failed' ? { error: 'the mission failed' } : {}),
  }
}

export function stateSpan(
  mission: Mission,
  state: State,
  events: SpanRecord['events'],
  { team, archetype, end }: Ending,
): SpanRecord {
  return {
    trace: mission.trace,
    id: spanIdOf(mission.trace, `state/${state.version}/${state.index}`),
    parent: missionSpanId(mission.trace),
    name: state.name,
    start: state.since,
    end,
    attributes: {
      [attribute.team]: team,
      [attribute.archetype]: archetype,
      [attribute.missionNumber]: mission.number,
      [attribute.state]: state.name,
    },
    events,
    droppedEvents: Math.max(0, state.handled - events.length),
  }
}

/** A signal that a commit handled, as an event of the state that it came to. */
export function signalEvent(entry: Handled, at: string): SpanRecord['events'][number] {
  return {
    name: entry.event,
    at,
    attributes: {
      [attribute.signalId]: entry.signal,
      [attribute.signalType]: entry.type,
      [attribute.signalSender]: entry.sender,
      [attribute.signalOutcome]: entry.outcome,
      ...(entry.refusal === undefined ? {} : { [attribute.refusalKind]: entry.refusal.kind }),
    },
  }
}
