import type { Chart, ChartTransition } from './chart.ts'

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
