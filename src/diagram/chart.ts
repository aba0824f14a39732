type ChartStateKind = 'atomic' | 'compound' | 'parallel' | 'final' | 'history'

export interface ChartState {
  /** Unique in the chart, such as `deliverable.working.scanning`. */
  readonly id: string
  /** What people call it: `scanning`. */
  readonly name: string
  readonly kind: ChartStateKind
  readonly description: string
  /** Whether a history state remembers its parent's whole subtree. */
  readonly deep: boolean
  /** Id of the child that is entered first; undefined for a leaf and for parallel regions. */
  readonly initial: string | undefined
  /** In the order of their declaration. */
  readonly states: readonly ChartState[]
}

export interface ChartTransition {
  readonly source: string
  /** Empty for an internal transition, which stays where it is; several only into parallel regions. */
  readonly targets: readonly string[]
  readonly event: string
  /** All must hold. One that is not a plain name is spelled out: `(a ∨ b)`, `¬a`. */
  readonly guards: readonly string[]
  readonly actions: readonly string[]
  /** Stays in its state, or leads to one around or within it: told inside the source, not drawn as an edge. */
  readonly inside: boolean
}

/** A machine as plain data: what a drawing needs and nothing else. */
export interface Chart {
  readonly root: ChartState
  /** Each declared transition once, in document order; of one event's alternatives the first that may comes first. */
  readonly transitions: readonly ChartTransition[]
}

// xstate's node types carry a dozen type parameters, and a custom archetype may bring its own copy of
// xstate, against which no `instanceof` holds: so a machine is read by shape, and these are all the shapes.
interface MachineNode {
  readonly id: string
  readonly key: string
  /** Keys from the root down; ids may be custom, so only this tells what lies within what. */
  readonly path: readonly string[]
  readonly type: ChartStateKind
  readonly description?: string | undefined
  readonly history: false | 'shallow' | 'deep'
  readonly initial: { readonly target?: readonly MachineTarget[] | undefined }
  readonly states: Readonly<Record<string, MachineNode>>
  // resolved targets stand here and nowhere else: the configuration holds them as unresolved strings
  readonly transitions: ReadonlyMap<string, readonly MachineTransition[]>
  readonly always?: readonly MachineTransition[] | undefined
}

type MachineTarget = Pick<MachineNode, 'id' | 'path'>

interface MachineTransition {
  readonly eventType: string
  readonly target?: readonly MachineTarget[] | undefined
  readonly guard?: unknown
  readonly actions: readonly unknown[]
}

/** Any xstate v5 machine, told by its shape. */
export interface ChartableMachine {
  readonly root: MachineNode
}

// `and([...])`, `or([...])` and `not(...)` return a function that is named so and carries its operands;
// xstate itself reads them from there to evaluate the guard
interface GuardCombination {
  readonly name: string
  readonly guards?: readonly unknown[]
}

/** Reads a machine; inline guards and actions appear under their function's name, or as `inline`. */
export function chartOf(machine: ChartableMachine): Chart {
  return { root: stateOf(machine.root), transitions: transitionsOf(machine.root) }
}

function stateOf(node: MachineNode): ChartState {
  return {
    id: node.id,
    name: node.key,
    kind: node.type,
    description: node.description ?? '',
    deep: node.history === 'deep',
    initial: node.type === 'compound' ? node.initial.target?.[0]?.id : undefined,
    states: Object.values(node.states).map(stateOf),
  }
}

function transitionsOf(node: MachineNode): ChartTransition[] {
  const own = [...node.transitions.values(), node.always ?? []].flat().map((transition) => {
    const targets = transition.target ?? []
    return {
      source: node.id,
      targets: targets.map(({ id }) => id),
      event: eventName(transition.eventType),
      guards: guardTerms(transition.guard),
      actions: transition.actions.map(nameOf),
      inside: targets.every((target) => isWithin(target, node) || isWithin(node, target)),
    }
  })
  return [...own, ...Object.values(node.states).flatMap(transitionsOf)]
}

function isWithin(inner: MachineTarget, outer: MachineTarget): boolean {
  return outer.path.every((key, depth) => key === inner.path[depth])
}

function eventName(type: string): string {
  if (type === '') return 'always'
  // xstate names its own events so; a reader knows them by what the machine's author wrote
  const after = /^xstate\.after\.([^.]+)\./.exec(type)
  if (after !== null) return /^\d+$/.test(after[1] ?? '') ? `after ${after[1]} ms` : `after ${after[1]}`
  if (type.startsWith('xstate.done.')) return 'done'
  if (type.startsWith('xstate.error.')) return 'error'
  return type
}

function guardTerms(guard: unknown): string[] {
  if (guard === undefined) return []
  const { name, guards } = guard as GuardCombination
  return guards !== undefined && name === 'and' ? guards.flatMap(guardTerms) : [guardText(guard)]
}

function guardText(guard: unknown): string {
  const { name, guards } = guard as GuardCombination
  if (guards === undefined) return nameOf(guard)
  if (name === 'not') return `¬${guards.map(guardText).join('')}`
  return `(${guards.map(guardText).join(name === 'or' ? ' ∨ ' : ' ∧ ')})`
}

function nameOf(named: unknown): string {
  if (typeof named === 'string') return named
  const { type, name } = named as { readonly type?: string; readonly name?: string }
  return type ?? (name === undefined || name === '' ? 'inline' : name)
}

/** The state and all states below it, parents first. */
export function statesWithin(state: ChartState): ChartState[] {
  return [state, ...state.states.flatMap(statesWithin)]
}

/** `[fromSelf ∧ hasFindings]`, or nothing. */
export function guardLabel({ guards }: Pick<ChartTransition, 'guards'>): string {
  return guards.length === 0 ? '' : `[${guards.join(' ∧ ')}]`
}

/**
 * The states that a first reader should follow: from the initial leaf along the first transition that leads
 * somewhere new, each leaf once.
 */
export function mainPath({ root, transitions }: Chart): string[] {
  const states = new Map(statesWithin(root).map((state) => [state.id, state]))
  const seen = new Set<string>()
  let here = states.get(root.id)
  while (here !== undefined && !seen.has(here.id)) {
    const { id, initial } = here
    seen.add(id)
    here =
      initial !== undefined
        ? states.get(initial)
        : transitions
            .filter(({ source }) => source === id)
            .flatMap(({ targets }) => targets.map((target) => states.get(target)))
            .find((next) => next !== undefined && next.kind !== 'history' && !seen.has(next.id))
  }
  return [...seen].filter((id) => states.get(id)?.initial === undefined)
}
