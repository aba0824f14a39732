import type { Inline } from './inline.ts'

/** Where a block stands in the document. */
interface Place {
  /** 1-based line of the whole file, front matter included. */
  line: number
  /** Inside a quote, a list item or a footnote: not part of the document's own outline. */
  nested: boolean
  /** Number of the outermost list that the block stands in, 0 outside of lists. */
  list: number
}

/** An ATX (`## Text`) or setext (underlined) heading. */
interface HeadingBlock extends Place {
  kind: 'heading'
  level: number
  style: 'atx' | 'setext'
  inline: Inline
}

interface ParagraphBlock extends Place {
  kind: 'paragraph'
  /** Raw inline Markdown. */
  source: string
  inline: Inline
}

/** One row of a GFM table, its cells joined; the delimiter row is none. */
interface RowBlock extends Place {
  kind: 'row'
  inline: Inline
}

/** A fenced or indented code block; `line` is the fence that opens it. */
export interface CodeBlock extends Place {
  kind: 'code'
  fenced: boolean
  /** What stands behind the opening fence. */
  info: string
  /** Lines of content, without the fences. */
  lines: number
  /** The first line of content that is not blank, trimmed; empty in an empty block. */
  opening: string
  /** False for a fence that nothing closes; true for indented code. */
  closed: boolean
}

/** Raw HTML, comments included. */
interface HtmlBlock extends Place {
  kind: 'html'
  text: string
}

/** The start of a list; the content of its items follows as blocks of their own. */
export interface ListBlock extends Place {
  kind: 'list'
  /** The bullet, or the delimiter behind the number. */
  marker: string
}

export type Block = HeadingBlock | ParagraphBlock | RowBlock | CodeBlock | HtmlBlock | ListBlock
