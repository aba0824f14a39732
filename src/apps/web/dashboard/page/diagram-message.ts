/** What the page tells the frame in which a diagram is drawn, with a port for the one answer. */
export interface DiagramJob {
  readonly source: string
  readonly isDark: boolean
}

/** A frame's first word: what it does from then on is the diagram's doing. */
export const begun = 'begun'

/** What became of a diagram: its natural size in pixels, or why it is shown as its source. */
export type DiagramOutcome = { readonly width: number; readonly height: number } | { readonly why: string }

/** A longer source is not drawn, in characters. */
export const longestSource = 50_000
/** A flowchart with more edges is not drawn. */
export const mostEdges = 500
