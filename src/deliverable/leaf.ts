import type { CodeBlock, HtmlBlock, ParagraphBlock } from './block.ts'
import type { FenceStart } from './block-starts.ts'
import { leadingDefinitions } from './definition.ts'

export interface Paragraph {
  kind: 'paragraph'
  line: number
  lines: string[]
}

interface Code {
  kind: 'code'
  line: number
  /** Undefined for indented code. */
  fence: FenceStart | undefined
  /** Lines so far, and lines up to the last that is not blank. */
  lines: number
  content: number
  opening: string
}

interface Html {
  kind: 'html'
  line: number
  end: RegExp | undefined
  lines: string[]
}

/** A block that is still open while the lines are read; the rows of a table are blocks of their own. */
export type Leaf = Paragraph | Code | Html | { kind: 'table' }

/** `first` is the first line of indented code; a fence has no content yet. */
export function codeLeaf(line: number, fence: FenceStart | undefined, first: string): Leaf {
  const lines = fence === undefined ? 1 : 0
  return { kind: 'code', line, fence, lines, content: lines, opening: first.trimEnd() }
}

type Unplaced<T> = Omit<T, 'nested' | 'list'>

/** The block that a leaf is when it ends; `closed` tells whether a fence closed it. */
export function finished(
  leaf: Leaf,
  closed: boolean,
): Unplaced<ParagraphBlock> | Unplaced<HtmlBlock> | Unplaced<CodeBlock> | undefined {
  if (leaf.kind === 'table') return undefined
  const { line } = leaf
  if (leaf.kind !== 'code') {
    return leaf.lines.length === 0 ? undefined : { kind: leaf.kind, line, text: leaf.lines.join('\n') }
  }
  const { fence, lines, content, opening } = leaf
  return fence === undefined
    ? { kind: 'code', line, opening, fenced: false, info: '', lines: content, closed: true }
    : { kind: 'code', line, opening, fenced: true, info: fence.info, lines, closed }
}

/** Takes link definitions off the start of a paragraph and returns their normalized labels. */
export function takeDefinitions(paragraph: Paragraph): string[] {
  if (paragraph.lines[0]?.startsWith('[') !== true) return []
  const text = paragraph.lines.join('\n')
  const { labels, end } = leadingDefinitions(text)
  const taken = end === text.length ? paragraph.lines.length : text.slice(0, end).split('\n').length - 1
  paragraph.lines.splice(0, taken)
  paragraph.line += taken
  return labels
}
