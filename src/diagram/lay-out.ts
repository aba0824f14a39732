import { asideColumn, beside } from './aside-column.ts'
import { asidesOf } from './asides.ts'
import type { Chart } from './chart.ts'
import { historySize, margin, rounded, type Drawing } from './drawing.ts'
import { shippedLayouts, type LayoutPlaces } from './kept-layouts.ts'
import { layOutSpine } from './spine.ts'

/**
 * Lays a chart out: the main path straight down, ways back and shortcuts beside it, and the states that
 * only the whole of a compound state leads to (`paused`, `failed`) in a column on its right. The same chart
 * gives the same drawing, to the last digit.
 */
export async function layOut(chart: Chart, places: LayoutPlaces = shippedLayouts): Promise<Drawing> {
  const asides = asidesOf(chart)
  if (asides === undefined) return rounded(await layOutSpine(chart, places))
  const column = asideColumn(chart, asides)
  const spine = await layOutSpine(chart, places, {
    states: new Set([...asides.column, ...asides.histories].map(({ id }) => id)),
    host: asides.host.id,
    hostRoom: column.height,
    hostMarginRight: asides.histories.length === 0 ? margin : 2 * margin + historySize,
  })
  const host = spine.boxes.find(({ state }) => state.id === asides.host.id)
  const crossed = host === undefined || host.x + host.width < spine.width - margin - 1
  // something stands on the right of the host, in the way of its lines to the column
  return rounded(crossed ? await layOutSpine(chart, places) : beside(spine, host, column))
}
