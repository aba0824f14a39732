import type { Block, CodeBlock, ListBlock } from './block.ts'
import type { FrontMatter } from './front-matter.ts'
import type { InlineLink } from './inline.ts'
import type { Heading, Section } from './outline.ts'

/** A diagram in a fenced block: `mermaid`, or `plantuml` (also `puml`, or a block that begins `@start…`). */
export interface Diagram {
  kind: 'mermaid' | 'plantuml'
  line: number
  lines: number
}

export interface Link extends InlineLink {
  /** 1-based line of the whole file. */
  line: number
  /** Number of the outermost list that it stands in, 0 outside of lists. */
  list: number
}

/** Running text before the first section, or under a heading such as Summary. */
export interface Summary {
  /** Its first line. */
  line: number
  text: string
  sentences: number
}

export interface TableOfContents {
  /** Line of its heading, or of its list where it has none. */
  line: number
  /** Its links into this document. */
  links: Link[]
}

/** A code example: a fenced or indented block that is no diagram. */
export interface CodeExample {
  /** First word behind the opening fence; empty where there is none. */
  language: string
  line: number
  lines: number
  fenced: boolean
  /** False for a block of blank lines. */
  filled: boolean
}

/** What a Markdown deliverable (spec §2.6) consists of. Lines are 1-based and count from the file's first. */
export interface DeliverableModel {
  frontMatter: FrontMatter
  title: Heading | undefined
  /** Every heading of the outline, the title included. */
  headings: Heading[]
  summary: Summary | undefined
  tableOfContents: TableOfContents | undefined
  sections: Section[]
  code: CodeExample[]
  diagrams: Diagram[]
  links: Link[]
  lists: ListBlock[]
  /** Every code block, diagrams included, as written. */
  codeBlocks: CodeBlock[]
  /** Paragraphs that look like a heading without the space behind `#`. */
  tightHeadings: { line: number; text: string }[]
  /** Anchors that a link in this document may point to, without `#`. */
  anchors: ReadonlySet<string>
  nextSteps: boolean
  /** Words of all text; code blocks, front matter and HTML blocks are not counted. */
  words: number
  /** Size of the text in UTF-8. */
  sizeBytes: number
  /** Nothing but blank space, comments and front matter. */
  empty: boolean
  /** First line behind the front matter, and last line that is not blank. */
  firstLine: number
  lastLine: number
}

/** Which diagram a code block is, if it is one. */
export function diagramKind(block: CodeBlock): Diagram['kind'] | undefined {
  const language = languageOf(block)
  if (language === 'mermaid') return 'mermaid'
  if (language === 'plantuml' || language === 'puml') return 'plantuml'
  return /^@start[a-z]+/.test(block.opening) ? 'plantuml' : undefined
}

/** The language tag of a fence in lower case: the first word of its info string. */
export function languageOf(block: CodeBlock): string {
  return /^[^\s{},]*/.exec(block.info)?.[0].toLowerCase() ?? ''
}

/** A block that a reader of the rendered page sees. */
export function isVisible(block: Block): boolean {
  return block.kind !== 'html' || block.text.replaceAll(/<!--[^]*?(?:-->|$)/g, '').trim() !== ''
}
