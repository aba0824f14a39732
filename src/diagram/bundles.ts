import type { Chart, ChartState, ChartTransition } from './chart.ts'

/** All transitions from one state to another: one edge with one label. */
export interface Bundle {
  readonly source: string
  readonly target: string
  readonly transitions: readonly ChartTransition[]
}

/** What becomes an edge. */
export function bundlesOf({ transitions }: Chart): Bundle[] {
  const bundles = new Map<string, ChartTransition[]>()
  for (const transition of transitions.filter(({ inside }) => !inside)) {
    for (const target of transition.targets) {
      const key = JSON.stringify([transition.source, target])
      bundles.set(key, [...(bundles.get(key) ?? []), transition])
    }
  }
  return [...bundles].map(([key, together]) => {
    const [source, target] = JSON.parse(key) as [string, string]
    return { source, target, transitions: together }
  })
}

/** Transitions with the same guards together, in the order in which their guards first appear. */
export function byGuard(transitions: readonly ChartTransition[]): ChartTransition[][] {
  const groups = new Map<string, ChartTransition[]>()
  for (const transition of transitions) {
    const key = JSON.stringify(transition.guards)
    groups.set(key, [...(groups.get(key) ?? []), transition])
  }
  return [...groups.values()]
}

/**
 * The same chart with less to read, for a place beside other things: no descriptions, no guards, nothing that
 * stays inside of a state, and of more than two events on one edge only their sort (`alert.* ×5`).
 */
export function compact(chart: Chart): Chart {
  const drawn = new Set(bundlesOf(chart).flatMap(({ transitions }) => briefly(transitions)))
  return { root: withoutWords(chart.root), transitions: [...drawn] }
}

function withoutWords(state: ChartState): ChartState {
  return { ...state, description: '', states: state.states.map(withoutWords) }
}

function briefly(transitions: readonly ChartTransition[]): ChartTransition[] {
  const plain = transitions.map((each) => ({ ...each, guards: [], actions: [] }))
  const [first] = plain
  if (first === undefined || plain.length <= 2) return plain
  const sorts = [...new Set(plain.map(({ event }) => event.split('.')[0] ?? event))]
  return sorts.map((sort) => {
    const alike = plain.filter(({ event }) => event.startsWith(`${sort}.`) || event === sort)
    return alike.length === 1 ? (alike[0] ?? first) : { ...first, event: `${sort}.* ×${alike.length}` }
  })
}
