import { mainPath, type Chart, type ChartState } from './chart.ts'
import { bundlesOf, type Bundle } from './bundles.ts'

/**
 * States beside a compound state: leaves that only the compound as a whole, its history and each other are
 * linked with, such as `paused` and `failed`. They stand in a column of their own, top to bottom.
 */
export interface Asides {
  readonly host: ChartState
  readonly column: readonly ChartState[]
  /** History states of the host to which an aside leads back. */
  readonly histories: readonly ChartState[]
  readonly bundles: readonly Bundle[]
}

/** Finds the states that can stand aside; undefined when there are none, or more than one column shows well. */
export function asidesOf(chart: Chart): Asides | undefined {
  const main = mainPath(chart)
  const host = chart.root.states.find(({ id }) => id === chart.root.initial)
  if (host === undefined || host.states.length === 0) return undefined
  const bundles = bundlesOf(chart)
  const histories = host.states.filter(
    ({ id, kind }) => kind === 'history' && bundles.filter(({ target }) => target === id).length === 1,
  )
  const outside = new Set([host.id, ...histories.map(({ id }) => id)])
  const isLeaf = ({ kind }: ChartState) => kind === 'atomic' || kind === 'final'
  let column = chart.root.states.filter((state) => isLeaf(state) && !main.includes(state.id))
  let settled = false
  while (!settled) {
    const inColumn = new Set(column.map(({ id }) => id))
    const reachesFurther = (id: string) =>
      bundles.some(
        ({ source, target }) =>
          (source === id && !inColumn.has(target) && !outside.has(target)) ||
          (target === id && !inColumn.has(source) && source !== host.id),
      )
    const kept = column.filter(({ id }) => !reachesFurther(id))
    settled = kept.length === column.length
    column = kept
  }
  const ids = new Set(column.map(({ id }) => id))
  const touching = bundles.filter(({ source, target }) => ids.has(source) || ids.has(target))
  const ordered = bestOrder(column, touching)
  if (ordered === undefined || ordered.length === 0) return undefined
  return {
    host,
    column: ordered,
    histories: histories.filter(({ id }) => touching.some(({ target }) => target === id)),
    bundles: touching,
  }
}

/** The first order that puts the most linked states next to each other; at most one link may skip a state. */
function bestOrder(column: readonly ChartState[], bundles: readonly Bundle[]): ChartState[] | undefined {
  if (column.length > 6) return undefined
  const skipping = (order: readonly ChartState[]) => {
    const place = new Map(order.map(({ id }, index) => [id, index]))
    return bundles.filter(
      ({ source, target }) => Math.abs((place.get(source) ?? NaN) - (place.get(target) ?? NaN)) > 1,
    ).length
  }
  const best = permutations(column).reduce((a, b) => (skipping(b) < skipping(a) ? b : a))
  return skipping(best) > 1 ? undefined : best
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((first, at) => permutations(items.toSpliced(at, 1)).map((rest) => [first, ...rest]))
}
