/** What the page sends to the frame in which a diagram is drawn, with a port for the answers. */
export interface DiagramJob {
  readonly source: string
  readonly isDark: boolean
}

/** A frame's first message: it has begun to draw. Only after it a timeout is blamed on the diagram. */
export const begun = 'begun'

/** What became of a diagram: its natural size in pixels, or why it is shown as its source. */
export type DiagramOutcome = { readonly width: number; readonly height: number } | { readonly why: string }

/** A longer source is not drawn, in characters. */
export const longestSource = 50_000
/** A flowchart with more edges is not drawn. */
export const mostEdges = 500
