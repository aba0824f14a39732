import type { Chart } from '../../../../diagram/chart.ts'
import { takenEdges, type Move } from '../../../../diagram/mission-path.ts'

export interface Lit {
  readonly chart: Chart
  /** In order. */
  readonly moves: readonly Pick<Move, 'event' | 'from' | 'to'>[]
  /** Names of the states that were entered. */
  readonly entered: ReadonlySet<string>
  /** Name of the present state. */
  readonly here: string | undefined
  /** What the present state is coloured by. */
  readonly tone: string
}

/** Lights the present state in a drawing, the states that were entered and the edges that were taken. */
export function light(drawing: HTMLElement, { chart, moves, entered, here, tone }: Lit): void {
  drawing.dataset.tone = tone
  const taken = takenEdges(chart, moves)
  const [last] = takenEdges(chart, moves.slice(-1))
  for (const state of drawing.querySelectorAll<SVGGElement>('[data-state]')) {
    const name = state.dataset.name ?? ''
    const isLeaf = state.querySelector('.leaf') !== null
    state.classList.toggle('current', isLeaf && name === here)
    state.classList.toggle('visited', isLeaf && entered.has(name))
  }
  for (const edge of drawing.querySelectorAll<SVGGElement>('[data-edge],[data-label]')) {
    const name = edge.dataset.edge ?? edge.dataset.label ?? ''
    edge.classList.toggle('taken', taken.has(name))
    edge.classList.toggle('last', name === last)
  }
}
