import type { ElkNode } from 'elkjs/lib/elk.bundled.js'
import { keepLayout, layoutName, readLayout, type LayoutPlaces } from './kept-layouts.ts'

/**
 * Lays a graph out by ELK, or as it was laid out before: loading the engine takes a second, and the same graph is
 * laid out in the same way.
 */
export async function layOutGraph(graph: ElkNode, places: LayoutPlaces): Promise<ElkNode> {
  const name = layoutName(graph)
  const kept = readLayout(places, name)
  if (kept !== undefined) return kept
  const { default: elk } = await import('elkjs/lib/elk.bundled.js')
  const laidOut = await new elk.default().layout(graph)
  keepLayout(places, name, laidOut)
  return laidOut
}
