/** Where a block stands in the document. */
interface Place {
  /** 1-based line of the whole file, front matter included. */
  line: number
  /** Inside a quote, a list item or a footnote: not part of the document's own outline. */
  nested: boolean
  /** Number of the outermost list that the block stands in, 0 outside of lists. */
  list: number
}

/** An ATX (`## Text`) or setext (underlined) heading; `text` is its raw inline Markdown. */
interface HeadingBlock extends Place {
  kind: 'heading'
  level: number
  style: 'atx' | 'setext'
  text: string
}

/** `text` is raw inline Markdown, its lines joined by `\n`, without their indentation. */
export interface ParagraphBlock extends Place {
  kind: 'paragraph'
  text: string
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
export interface HtmlBlock extends Place {
  kind: 'html'
  text: string
}

/** One row of a GFM table; the delimiter row is none. */
interface RowBlock extends Place {
  kind: 'row'
  cells: string[]
}

/** The start of a list item; its content follows as blocks of their own. */
export interface ItemBlock extends Place {
  kind: 'item'
  /** The bullet, or the delimiter behind the number. */
  marker: '-' | '*' | '+' | '.' | ')'
  /** Begins its list; items of one list share their marker. */
  first: boolean
}

export type Block = HeadingBlock | ParagraphBlock | CodeBlock | HtmlBlock | RowBlock | ItemBlock

/** The blocks in the order of their lines, and the normalized labels of link definitions and (`^label`) footnotes. */
export interface Blocks {
  blocks: Block[]
  labels: ReadonlySet<string>
}
