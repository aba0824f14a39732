/** Sizes as Mermaid draws them, in pixels: a letter, what stands around a label, the gaps between boxes and ranks. */
const [LETTER, FRAME, GAP, RANK_GAP, PASSING] = [7.5, 60, 25, 45, 20]

/** Boxes of a rank stand apart where those above and below them do: by so much is a picture from the top down wider. */
const SPREAD = 1.45

interface Shape {
  readonly key: string
  readonly label: string
}

interface Arrow {
  readonly from: string
  readonly to: string
  readonly label?: string
}

/** The way in which a picture gets less wide: from left to right, or from the top down. */
export function narrower(nodes: readonly Shape[], edges: readonly Arrow[]): 'LR' | 'TD' {
  const { leftRight, topDown } = widthsOf(nodes, edges)
  return leftRight <= topDown ? 'LR' : 'TD'
}

/** About how wide a picture gets at its best. */
export const widthOf = (nodes: readonly Shape[], edges: readonly Arrow[]): number => {
  const { leftRight, topDown } = widthsOf(nodes, edges)
  return Math.min(leftRight, topDown)
}

/** By ranks, in which arrows point forward, as the layout makes them. */
function widthsOf(nodes: readonly Shape[], edges: readonly Arrow[]): { leftRight: number; topDown: number } {
  const ranks = ranksOf(nodes, edges)
  const rows: { sum: number; widest: number }[] = []
  for (const { key, label } of nodes) {
    const row = (rows[ranks.get(key) ?? 0] ??= { sum: 0, widest: 0 })
    const width = label.length * LETTER + FRAME
    row.sum += width + GAP
    row.widest = Math.max(row.widest, width)
  }
  for (const { from, to } of edges) {
    const [a = 0, b = 0] = [ranks.get(from), ranks.get(to)].toSorted((x = 0, y = 0) => x - y)
    for (let rank = a + 1; rank < b; rank++) (rows[rank] ??= { sum: 0, widest: 0 }).sum += PASSING
  }
  const labels = edges.some(({ label }) => label !== undefined) ? RANK_GAP : 0
  return {
    leftRight: rows.reduce((sum, { widest }) => sum + widest + RANK_GAP + labels, 0),
    topDown: SPREAD * Math.max(0, ...rows.map(({ sum }) => sum)),
  }
}

/** The longest way to each node, arrows that close a circle left aside. */
function ranksOf(nodes: readonly Shape[], edges: readonly Arrow[]): Map<string, number> {
  const next = new Map<string, string[]>()
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to])
  const order: string[] = []
  const state = new Map<string, 'open' | 'done'>()
  const back = new Set<string>()
  const visit = (node: string): void => {
    state.set(node, 'open')
    for (const to of next.get(node) ?? []) {
      if (state.get(to) === 'open') back.add(`${node}\0${to}`)
      else if (!state.has(to)) visit(to)
    }
    state.set(node, 'done')
    order.unshift(node)
  }
  for (const { key } of nodes) if (!state.has(key)) visit(key)
  const ranks = new Map(order.map((node) => [node, 0]))
  for (const node of order)
    for (const to of next.get(node) ?? [])
      if (!back.has(`${node}\0${to}`)) ranks.set(to, Math.max(ranks.get(to) ?? 0, (ranks.get(node) ?? 0) + 1))
  return ranks
}
