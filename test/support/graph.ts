import { getAdjacencyMap } from '@xstate/graph'
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate'
import type { TeamContext, TeamEvent } from '../../machines/team-event.ts'
import { builtInArchetypes } from '../../src/federation/archetypes.ts'
import { eventOf } from '../../src/protocol/event-name.ts'
import { accepted, type Sample } from './samples.ts'

/** The lifecycles of the archetypes that ship. */
export const lifecycles: readonly AnyStateMachine[] = builtInArchetypes
  .filter(({ id }) => id !== 'coordinator')
  .map(({ logic }) => logic.machine)

/** A situation that a team can be in, and the shortest way there. */
export interface Situation {
  /** Leaf, with what it remembers: `paused in scanning`. */
  readonly name: string
  readonly snapshot: AnyMachineSnapshot
  readonly path: readonly Sample[]
}

/** One transition out of a situation. */
interface Edge {
  readonly source: Situation
  readonly sample: Sample
  readonly target: string
  /** The transition that the machine declares: its node, event and place among the candidates. */
  readonly declared: string
}

interface ModelFacts extends TeamContext {
  readonly testedCommit?: string | null
}

/** What the model of a team named `team` is told of a sample; the id is the sample's name, so that it can be found again. */
export function modelEvent(sample: Sample): TeamEvent {
  const sender = sample.from === 'self' ? 'team' : sample.from
  const { name, subject, body, evidence } = sample
  return {
    type: eventOf(sample),
    signal: { id: name, at: '2026-01-01T00:00:00.000Z', from: sender, subject, body },
    evidence,
  }
}

function leafNode(snapshot: AnyMachineSnapshot): AnyStateNode {
  const [leaf] = (snapshot._nodes as AnyStateNode[]).toSorted((a, b) => b.order - a.order)
  return leaf as AnyStateNode
}

function rememberedLeaf(snapshot: AnyMachineSnapshot): string | undefined {
  return Object.values(snapshot.historyValue)
    .flatMap((nodes) => nodes as AnyStateNode[])
    .map(({ key }) => key)[0]
}

/**
 * The leaf's name, with what of the history and the context decides what it accepts. xstate's own identity of a
 * state leaves out its history, and with it every way back from a pause.
 */
export function situationOf(snapshot: AnyMachineSnapshot): string {
  const leaf = leafNode(snapshot).key
  const { mission, testedCommit } = snapshot.context as ModelFacts
  const notes = [
    ...(leaf === 'paused' ? [`in ${rememberedLeaf(snapshot)}`] : []),
    ...(snapshot.status === 'active' && mission === null ? ['without a mission'] : []),
    ...(snapshot.status === 'active' && typeof testedCommit === 'string' ? ['tested'] : []),
  ]
  return [leaf, ...notes].join(' ')
}

/** Every situation that the samples lead to and every transition between them, by exploring the machine. */
export function explore(
  machine: AnyStateMachine,
  taken: readonly Sample[] = accepted[machine.id] ?? [],
): {
  readonly situations: readonly Situation[]
  readonly edges: readonly Edge[]
} {
  const samples = new Map(taken.map((one) => [one.name, one]))
  const adjacency = getAdjacencyMap(machine, {
    input: { team: 'team' } as never,
    events: (snapshot) =>
      [...samples.values()].map((one) => modelEvent(one)).filter((event) => snapshot.can(event)),
    serializeState: (snapshot) => situationOf(snapshot as AnyMachineSnapshot),
    serializeEvent: (event) => (event as TeamEvent).signal.id,
  })
  const [first] = Object.keys(adjacency)
  const situations = new Map<string, Situation>()
  const edges: Edge[] = []
  const queue: [string, readonly Sample[]][] = [[first as string, []]]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [key, path] = next
    const vertex = adjacency[key as never]
    if (situations.has(key) || vertex === undefined) continue
    const snapshot = vertex.state as AnyMachineSnapshot
    const source = { name: situationOf(snapshot), snapshot, path }
    situations.set(key, source)
    for (const { event, state } of Object.values(vertex.transitions)) {
      const sample = samples.get((event as TeamEvent).signal.id) as Sample
      const target = situationOf(state as AnyMachineSnapshot)
      edges.push({ source, sample, target, declared: takenBy(snapshot, event as TeamEvent) })
      queue.push([target, [...path, sample]])
    }
  }
  return { situations: [...situations.values()], edges }
}

interface DeclaredTransition {
  readonly eventType: string
  readonly guard?: { readonly guards?: readonly string[] }
}

function transitionsOf(node: AnyStateNode): [string, DeclaredTransition][] {
  const declared = node.transitions as unknown as Map<string, DeclaredTransition[]>
  return [...declared].flatMap(([event, candidates]) =>
    candidates.map((one, index): [string, DeclaredTransition] => [`${event} #${index + 1}`, one]),
  )
}

/** Whether a nearer transition is taken wherever another of the same event would be. */
function alwaysTakes(nearer: DeclaredTransition, other: DeclaredTransition): boolean {
  const guards = other.guard?.guards ?? []
  return (
    nearer.eventType === other.eventType &&
    nearer.guard?.guards?.every((guard) => guards.includes(guard)) === true
  )
}

/** The transition of a machine's literal that an event takes, as `declaredTransitions` names it. */
export function takenBy(snapshot: AnyMachineSnapshot, event: TeamEvent): string {
  const [taken] = snapshot.machine.getTransitionData(snapshot, event) ?? []
  const names = (snapshot._nodes as AnyStateNode[]).flatMap((node) =>
    transitionsOf(node).flatMap(([name, one]) => (one === (taken as unknown) ? [name] : [])),
  )
  const leaf = leafNode(snapshot).key
  return `${leaf === 'paused' ? `paused in ${rememberedLeaf(snapshot)}` : leaf}: ${names[0]}`
}

/**
 * Every transition that a machine declares, counted in each state that has it; a pause is another one for each
 * state that it remembers. A team has its mission before it leaves its first state, so becoming the mission is
 * declared, but cannot happen, in later ones; nor can what a state takes itself whenever its parent would.
 */
export function declaredTransitions(machine: AnyStateMachine): string[] {
  const nodes = [...(machine as unknown as { idMap: Map<string, AnyStateNode> }).idMap.values()]
  const leaves = nodes.filter(({ type }) => type === 'atomic')
  const working = leaves.filter(({ parent }) => parent !== machine.root)
  return leaves.flatMap((leaf) => {
    const nearer: DeclaredTransition[] = []
    const own: string[] = []
    for (let node: AnyStateNode | undefined = leaf; node !== undefined; node = node.parent as typeof node) {
      for (const [name, one] of transitionsOf(node)) {
        if (nearer.some((other) => alwaysTakes(other, one))) continue
        if (leaf === working[0] || one.guard?.guards?.includes('hasNoMission') !== true) own.push(name)
      }
      nearer.push(...transitionsOf(node).map(([, one]) => one))
    }
    const places = leaf.key === 'paused' ? working.map(({ key }) => `paused in ${key}`) : [leaf.key]
    return places.flatMap((place) => own.map((name) => `${place}: ${name}`))
  })
}
