import type { Area, Point } from './drawing.ts'

const tipLength = 9

/** A line with rounded corners through level and upright segments, and its arrowhead. */
export function lineElements(points: readonly Point[], main: boolean, also = ''): string {
  const [before, tip] = [points.at(-2), points.at(-1)]
  if (before === undefined || tip === undefined) return ''
  const [dx, dy] = [Math.sign(tip.x - before.x), Math.sign(tip.y - before.y)]
  const end = { x: tip.x - dx * tipLength, y: tip.y - dy * tipLength }
  const sides = [1, -1].map((side) => `${end.x - dy * 4.5 * side} ${end.y + dx * 4.5 * side}`)
  const emphasis = `${main ? ' main' : ''}${also}`
  return `<path class="line${emphasis}" d="${roundedPath([...points.slice(0, -1), end])}"/><path class="tip${emphasis}" d="M${tip.x} ${tip.y}L${sides.join('L')}Z"/>`
}

const cornerRadius = 10

function roundedPath(points: readonly Point[]): string {
  return points
    .map((point, index) => {
      const [before, after] = [points[index - 1], points[index + 1]]
      if (before === undefined) return `M${point.x} ${point.y}`
      if (after === undefined) return `L${point.x} ${point.y}`
      const [into, out] = [towards(point, before), towards(point, after)]
      return `L${into.x} ${into.y}Q${point.x} ${point.y} ${out.x} ${out.y}`
    })
    .join('')
}

/** From a corner along one of its lines, by the radius or half of the line; lines are level or upright. */
function towards(corner: Point, end: Point): Point {
  const length = Math.abs(end.x - corner.x) + Math.abs(end.y - corner.y)
  const radius = Math.min(cornerRadius, Math.floor(length / 2))
  return {
    x: corner.x + Math.sign(end.x - corner.x) * radius,
    y: corner.y + Math.sign(end.y - corner.y) * radius,
  }
}

/** An area as the attributes of a `<rect>`. */
export function at({ x, y, width, height }: Area): string {
  return `x="${x}" y="${y}" width="${width}" height="${height}"`
}
