import { covers } from '../engine/decide/transitions.ts'
import { statesWithin, type Chart, type ChartState } from './chart.ts'
import { timeInWords } from './time-words.ts'

/** One move of a machine as its history tells it; states by the names of their leaves. */
export interface Move {
  /** ISO 8601. */
  readonly at: string
  readonly event: string
  readonly from: string
  readonly to: string
}

/** A time that a machine spent in one state without leaving it. */
export interface Stay {
  readonly state: string
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly until: number
}

/** The way that a machine took through its chart. */
export interface Path {
  /** In order; the last one is the present state. */
  readonly stays: readonly Stay[]
  /** Edges of the chart that were taken, by `edgeKey`. */
  readonly taken: ReadonlySet<string>
}

/** Names an edge of a chart: all transitions from one state to another. */
export function edgeKey({ source, target }: { readonly source: string; readonly target: string }): string {
  return `${source} ${target}`
}

/**
 * The way from the beginning of a mission until now.
 * @param state the present state, which is used only where there are no moves.
 * @param begun when the mission began, and `until` when to stop looking, in milliseconds since the epoch.
 */
export function pathOf(
  chart: Chart,
  moves: readonly Move[],
  { state, begun, until }: { readonly state: string; readonly begun: number; readonly until: number },
): Path {
  return { stays: staysOf(moves, { state, begun, until }), taken: takenEdges(chart, moves) }
}

/** The stays in order. `state` is used only where there are no moves: then the mission never left it. */
function staysOf(
  moves: readonly Move[],
  { state, begun, until }: { readonly state: string; readonly begun: number; readonly until: number },
): Stay[] {
  const stays: Stay[] = []
  let here = { state: moves[0]?.from ?? state, from: begun }
  for (const { at, to } of moves) {
    const left = Date.parse(at)
    stays.push({ ...here, until: left })
    here = { state: to, from: left }
  }
  return [...stays, { ...here, until: Math.max(until, here.from) }]
}

/** All stays in one state. */
export interface Visits {
  /** Positions of the stays on the way, counted from 1. */
  readonly turns: readonly number[]
  /** How long they took together, in milliseconds. */
  readonly time: number
}

/** Visits by the name of the state. */
export function visitsOf(stays: readonly Stay[]): Map<string, Visits> {
  const visits = new Map<string, { turns: number[]; time: number }>()
  for (const [index, { state, from, until }] of stays.entries()) {
    const visit = visits.get(state) ?? { turns: [], time: 0 }
    visits.set(state, visit)
    visit.turns.push(index + 1)
    visit.time += Math.max(0, until - from)
  }
  return visits
}

const mostTurns = 4

/** Visits as a drawing shows them, such as `2, 4 · 12 s`; the time is left out where it is 0. */
export function visitsInWords({ turns, time }: Visits): string {
  const more = turns.length > mostTurns ? [`… ${turns.length}×`] : []
  return [[...turns.slice(0, mostTurns), ...more].join(', '), ...(time > 0 ? [timeInWords(time)] : [])].join(
    ' · ',
  )
}

/** The edges that moves went along. */
export function takenEdges(chart: Chart, moves: readonly Pick<Move, 'event' | 'from' | 'to'>[]): Set<string> {
  const states = statesWithin(chart.root)
  const byId = new Map(states.map((state) => [state.id, state]))
  const parents = new Map(states.flatMap((state) => state.states.map((child) => [child.id, state] as const)))
  const holds = (state: ChartState | undefined, leaf: string) =>
    state !== undefined &&
    statesWithin(state).some(({ name, states: inner }) => inner.length === 0 && name === leaf)
  const leadsTo = (id: string, leaf: string) => {
    const target = byId.get(id)
    return holds(target?.kind === 'history' ? parents.get(id) : target, leaf)
  }
  const taken = new Set<string>()
  // a long life goes the same few ways over and over
  const different = new Map(moves.map((move) => [JSON.stringify([move.event, move.from, move.to]), move]))
  for (const { event, from, to } of different.values()) {
    const ways = chart.transitions
      .filter((each) => !each.inside && covers(each.event, event) && holds(byId.get(each.source), from))
      .flatMap(({ source, targets, event: descriptor }) =>
        targets.filter((target) => leadsTo(target, to)).map((target) => ({ source, target, descriptor })),
      )
    // the exact event stands before a wildcard, and the innermost state before those around it
    const size = (id: string) => statesWithin(byId.get(id) ?? chart.root).length
    const [way] = ways.toSorted(
      (a, b) =>
        size(a.source) - size(b.source) ||
        Number(a.descriptor.endsWith('*')) - Number(b.descriptor.endsWith('*')),
    )
    if (way !== undefined) taken.add(edgeKey(way))
  }
  return taken
}
