import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { nodesOf, transitionsOf, type MachineProblem } from './machine-rules.ts'

/**
 * Problems of a machine's graph: no final state can be reached, a state that nothing leads to, a state from
 * which no end can be reached, two states of one name, or a pause that does not come back to the state that
 * was left.
 */
export function brokenWays(machine: AnyStateMachine): MachineProblem[] {
  const ends = (Object.values(machine.root.states) as AnyStateNode[]).filter(({ type }) => type === 'final')
  const reached = reachedFrom(entered(machine.root))
  const working = [...reached].filter((leaf) => leaf.type === 'atomic' && leaf.key !== 'paused')
  if (!ends.some((end) => reached.has(end))) {
    const message = 'no final state can be reached; a mission must be able to end'
    return [{ message, about: 'states:' }]
  }
  const ending = leadingTo(ends, reached)
  return [
    ...twins(machine),
    ...nodesOf(machine)
      .filter((node) => (node.type === 'atomic' || node.type === 'final') && !reached.has(node))
      .map(({ key }) => ({ message: `state '${key}': nothing leads to it`, about: `${key}:` })),
    ...working
      .filter((leaf) => !ending.has(leaf))
      .map(({ key }) => ({ message: `state '${key}': no end can be reached from it`, about: `${key}:` })),
    ...pauseProblems(machine, working),
  ]
}

/** Leaf states in which a machine may be once it enters a state; for a history state, all it may remember. */
function entered(node: AnyStateNode): AnyStateNode[] {
  if (node.type === 'history')
    return (Object.values(node.parent?.states ?? {}) as AnyStateNode[])
      .filter(({ type }) => type !== 'history')
      .flatMap(entered)
  if (node.type !== 'compound') return [node]
  return ((node.initial.target ?? []) as AnyStateNode[]).flatMap(entered)
}

/** A leaf state and every state around it, the innermost first. */
function around(leaf: AnyStateNode): AnyStateNode[] {
  return leaf.parent === undefined ? [leaf] : [leaf, ...around(leaf.parent as AnyStateNode)]
}

/** Leaf states to which some transition leads from a leaf state. */
function nextOf(leaf: AnyStateNode): AnyStateNode[] {
  return around(leaf).flatMap((node) =>
    transitionsOf(node).flatMap(({ target = [] }) => target.flatMap(entered)),
  )
}

/** Leaf states that can be reached from these, and these. */
function reachedFrom(start: readonly AnyStateNode[]): Set<AnyStateNode> {
  const reached = new Set(start)
  // what is added while going through is gone through as well
  for (const leaf of reached) for (const next of nextOf(leaf)) reached.add(next)
  return reached
}

/** The ends, and those of the leaves from which one of them can be reached. */
function leadingTo(ends: readonly AnyStateNode[], leaves: ReadonlySet<AnyStateNode>): Set<AnyStateNode> {
  const before = new Map<AnyStateNode, AnyStateNode[]>()
  for (const leaf of leaves)
    for (const next of nextOf(leaf)) {
      const earlier = before.get(next)
      if (earlier === undefined) before.set(next, [leaf])
      else earlier.push(leaf)
    }
  const leading = new Set(ends)
  for (const leaf of leading) for (const earlier of before.get(leaf) ?? []) leading.add(earlier)
  return leading
}

/** Names that two leaf states share: people, and the history of a team, know a state by its name only. */
function twins(machine: AnyStateMachine): MachineProblem[] {
  const names = nodesOf(machine)
    .filter(({ type }) => type === 'atomic' || type === 'final')
    .map(({ key }) => key)
  return [...new Set(names.filter((name, index) => names.indexOf(name) < index))].map((name) => ({
    message: `two states are called '${name}'; people could not tell them apart`,
    about: `${name}:`,
  }))
}

/** States that `fed pause` cannot pause, or to which `fed resume` does not return. */
function pauseProblems(machine: AnyStateMachine, working: readonly AnyStateNode[]): MachineProblem[] {
  const paused = machine.root.states['paused'] as AnyStateNode | undefined
  if (paused?.type !== 'atomic') {
    const message = "there must be a top state 'paused', where 'fed pause' puts a team"
    return [{ message, about: 'states:' }]
  }
  const targets = (node: AnyStateNode, event: string) =>
    transitionsOf(node).flatMap(({ eventType, target = [] }) => (eventType === event ? target : []))
  const backTo = targets(paused, 'directive.resume')
  return working.flatMap((leaf) => {
    const tell = (message: string, about: string) => [{ message: `state '${leaf.key}': ${message}`, about }]
    if (!around(leaf).some((node) => targets(node, 'directive.pause').includes(paused)))
      return tell("it needs directive.pause to 'paused'", 'directive.pause')
    const isRemembered = backTo.some(
      ({ type, history, parent }) =>
        type === 'history' &&
        (leaf.parent === parent || (history === 'deep' && around(leaf).includes(parent as AnyStateNode))),
    )
    return isRemembered
      ? []
      : tell(
          "directive.resume of 'paused' must lead to a history state that brings it back here",
          'directive.resume',
        )
  })
}
