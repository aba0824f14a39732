import { createHash } from 'node:crypto'
import path from 'node:path'
import type { ElkNode } from 'elkjs/lib/elk.bundled.js'
import * as z from 'zod/mini'
import { unless } from '../errors/unless.ts'
import { packageRoot, packageVersion } from '../platform/process/package.ts'
import { createOnce, disk, makeDirectory } from '../platform/storage/disk.ts'
import { readOutside } from '../platform/storage/outside-file.ts'
import { isSystemError } from '../platform/storage/system-error.ts'

/** Where layouts are looked for, and where those that were not found are kept. */
export interface LayoutPlaces {
  readonly from: readonly string[]
  readonly keepIn?: string
}

/** The shipped machines' layouts, which the build made. */
export const shippedLayouts: LayoutPlaces = { from: [path.join(packageRoot, 'dist', 'layouts')] }

/** A larger layout was not written by fed. */
const largestBytes = 4 * 1024 * 1024

const pointSchema = z.object({ x: z.number(), y: z.number() })
const areaFields = {
  x: z.optional(z.number()),
  y: z.optional(z.number()),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
}
const edgeSchema = z.object({
  id: z.string(),
  sections: z.optional(
    z.array(
      z.object({
        startPoint: pointSchema,
        endPoint: pointSchema,
        bendPoints: z.optional(z.array(pointSchema)),
      }),
    ),
  ),
  labels: z.optional(z.array(z.object(areaFields))),
})
/** Numbers and ids only: whoever may write the folder may move a box, and put no words into a drawing. */
const nodeSchema = z.object({
  id: z.string(),
  ...areaFields,
  get children(): z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniType>> {
    return z.optional(z.array(nodeSchema))
  },
  edges: z.optional(z.array(edgeSchema)),
})

/** The same graph has the same name, for one release of fed and its layout engine. */
function layoutName(graph: ElkNode): string {
  const text = JSON.stringify([packageVersion, graph])
  return `${createHash('sha256').update(text).digest('hex').slice(0, 32)}.json`
}

function readLayout({ from, keepIn }: LayoutPlaces, name: string): ElkNode | undefined {
  for (const folder of keepIn === undefined ? from : [...from, keepIn]) {
    const outside = readOutside(path.join(folder, name), { largestBytes, followLinks: false })
    if (outside.kind !== 'text') continue
    try {
      return nodeSchema.parse(JSON.parse(outside.text)) as ElkNode
    } catch {
      // whatever it is, laying out anew does as well
    }
  }
  return undefined
}

function keepLayout({ keepIn }: LayoutPlaces, name: string, laidOut: ElkNode): void {
  if (keepIn === undefined) return
  // a full disk only costs the time again
  unless(isSystemError, () => {
    makeDirectory(keepIn)
    const file = path.join(keepIn, name)
    // one that could not be read is in the way
    disk.unlink(file)
    createOnce(file, `${JSON.stringify(nodeSchema.parse(laidOut))}\n`, keepIn, { isDurable: false })
  })
}

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
