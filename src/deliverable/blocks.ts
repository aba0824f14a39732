import type { Block, Blocks } from './block.ts'
import {
  atxHeading,
  closesFence,
  delimiterColumns,
  fenceStart,
  footnoteStart,
  isThematicBreak,
  listMarker,
  setextLevel,
  tableCells,
} from './block-starts.ts'
import { normalizeLabel } from './definition.ts'
import { htmlStart } from './html.ts'
import { codeLeaf, finished, takeDefinitions } from './leaf.ts'
import type { Leaf, Paragraph } from './leaf.ts'

/** Containers deeper than this are read as text, so that no input costs time by its depth. */
const deepest = 100

interface Container {
  kind: 'document' | 'quote' | 'item' | 'footnote'
  /** Spaces by which the content of an item or a footnote is indented. */
  width: number
  /** An item that has nothing but its marker so far: a blank line ends it. */
  empty: boolean
  /** Number of the outermost list around or at this container. */
  outermost: number
  /** The list whose next item may follow here. */
  list: { marker: string; number: number } | undefined
}

/**
 * Reads the blocks of a Markdown document, line by line, in time linear in its length (CommonMark 0.31 with
 * GFM tables and footnotes). Of nested blocks it keeps what the standards ask about, not the tree.
 *
 * @param lines the document's lines without their ends
 * @param firstLine the number of the first of them in the file
 */
export function readBlocks(lines: readonly string[], firstLine: number): Blocks {
  const reader = new BlockReader()
  lines.forEach((line, index) => reader.take(expandTabs(line), firstLine + index))
  return reader.end()
}

class BlockReader {
  readonly #blocks: Block[] = []
  readonly #labels = new Set<string>()
  readonly #containers: Container[] = [
    { kind: 'document', width: 0, empty: false, outermost: 0, list: undefined },
  ]
  #leaf: Leaf | undefined
  #lists = 0

  take(text: string, line: number): void {
    const { at, matched } = this.#continueContainers(text)
    let whole = matched === this.#containers.length
    if (!whole && this.#leaf?.kind !== 'paragraph') {
      this.#closeTo(matched)
      whole = true
    }
    if (whole && this.#continueVerbatim(text, at)) return
    this.#open(text, at, matched, line)
  }

  end(): Blocks {
    this.#closeLeaf()
    return { blocks: this.#blocks, labels: this.#labels }
  }

  /** How many of the open containers the line belongs to, and where its own content begins. */
  #continueContainers(text: string): { at: number; matched: number } {
    let at = 0
    let matched = 1
    for (const container of this.#containers.slice(1)) {
      const start = skipSpaces(text, at)
      const indent = start - at
      if (container.kind === 'quote') {
        if (indent > 3 || text[start] !== '>') break
        at = text[start + 1] === ' ' ? start + 2 : start + 1
      } else if (start === text.length) {
        if (container.empty) break
        at += Math.min(indent, container.width)
      } else {
        if (indent < container.width) break
        at += container.width
      }
      matched += 1
    }
    return { at, matched }
  }

  /** Gives the line to an open code or HTML block; false when there is none or the line is not part of it. */
  #continueVerbatim(text: string, at: number): boolean {
    const leaf = this.#leaf
    if (leaf?.kind !== 'code' && leaf?.kind !== 'html') return false
    const start = skipSpaces(text, at)
    const rest = text.slice(start)
    if (leaf.kind === 'html') {
      if (leaf.end === undefined && rest === '') return false
      leaf.lines.push(text.slice(at))
      if (leaf.end?.test(rest)) this.#closeLeaf()
      return true
    }
    if (leaf.fence !== undefined) {
      if (start - at <= 3 && closesFence(rest, leaf.fence)) {
        this.#closeLeaf(true)
        return true
      }
    } else if (rest !== '' && start - at < 4) return false
    leaf.lines += 1
    if (rest !== '') leaf.content = leaf.lines
    leaf.opening ||= rest.trimEnd()
    return true
  }

  /** Opens what starts on the line: containers first, then one leaf, or another line of the open paragraph. */
  #open(text: string, from: number, continued: number, line: number): void {
    let at = from
    let matched = continued
    for (;;) {
      const start = skipSpaces(text, at)
      if (start === text.length) {
        this.#closeLeaf()
        this.#closeTo(matched)
        return
      }
      const indent = start - at
      if (indent > 3) {
        if (this.#leaf?.kind === 'paragraph') this.#leaf.lines.push(text.slice(start))
        else this.#openLeaf(matched, codeLeaf(line, undefined, text.slice(start)))
        return
      }
      const rest = text.slice(start)
      if (this.#finishParagraph(rest, matched, line)) return
      const inside = this.#openContainer(rest, indent, matched, line)
      if (inside === undefined) return this.#openLeafAt(rest, matched, line)
      at = start + inside
      matched = this.#containers.length
    }
  }

  /** A line that makes the open paragraph something else: a setext heading, or the header of a table. */
  #finishParagraph(rest: string, matched: number, line: number): boolean {
    const leaf = this.#leaf
    if (leaf?.kind !== 'paragraph' || matched < this.#containers.length) return false
    const level = setextLevel(rest)
    if (level !== undefined) {
      this.#define(leaf)
      if (leaf.lines.length === 0) this.#leaf = undefined
      else {
        this.#blocks.push({
          kind: 'heading',
          level,
          style: 'setext',
          text: leaf.lines.join('\n'),
          ...this.#place(leaf.line),
        })
        this.#leaf = undefined
        return true
      }
    }
    const columns = delimiterColumns(rest)
    if (columns === undefined || tableCells(leaf.lines.at(-1) ?? '').length !== columns) return false
    const header = leaf.lines.pop() ?? ''
    this.#closeLeaf()
    this.#leaf = { kind: 'table' }
    this.#blocks.push({ kind: 'row', cells: tableCells(header), ...this.#place(line - 1) })
    return true
  }

  /** Enters the quote, footnote or item that starts here; returns how far its content is from the start. */
  #openContainer(rest: string, indent: number, matched: number, line: number): number | undefined {
    if (matched >= deepest) return undefined
    if (rest.startsWith('>')) {
      this.#enter('quote', 0, matched)
      return rest[1] === ' ' ? 2 : 1
    }
    const footnote = footnoteStart(rest)
    if (footnote !== undefined) {
      this.#enter('footnote', 4, matched)
      this.#labels.add(normalizeLabel(footnote.label))
      return footnote.length
    }
    const found = isThematicBreak(rest) ? undefined : listMarker(rest)
    if (found === undefined) return undefined
    const interrupts = this.#leaf?.kind === 'paragraph' && matched === this.#containers.length
    if (interrupts && (found.empty || (found.start ?? 1) !== 1)) return undefined
    const { marker, length, padding, empty } = found
    this.#closeTo(matched)
    this.#closeLeaf()
    const parent = this.#top()
    const first = parent.list?.marker !== marker
    const number = first ? (this.#lists += 1) : (parent.list?.number ?? 0)
    const item = this.#enter('item', indent + length + padding, matched)
    parent.list = { marker, number }
    item.empty = empty
    item.outermost ||= number
    this.#blocks.push({ kind: 'item', marker, first, ...this.#place(line) })
    return Math.min(length + padding, rest.length)
  }

  #openLeafAt(rest: string, matched: number, line: number): void {
    const paragraph = this.#leaf?.kind === 'paragraph' ? this.#leaf : undefined
    const heading = atxHeading(rest)
    if (heading !== undefined) {
      this.#openLeaf(matched, undefined)
      this.#blocks.push({ kind: 'heading', style: 'atx', ...heading, ...this.#place(line) })
      return
    }
    const fence = fenceStart(rest)
    if (fence !== undefined) return this.#openLeaf(matched, codeLeaf(line, fence, ''))
    if (isThematicBreak(rest)) return this.#openLeaf(matched, undefined)
    const html = htmlStart(rest, paragraph !== undefined)
    if (html !== undefined) {
      this.#openLeaf(matched, { kind: 'html', line, end: html.end, lines: [rest] })
      if (html.end?.test(rest)) this.#closeLeaf()
    } else if (paragraph !== undefined) paragraph.lines.push(rest)
    else if (this.#leaf?.kind === 'table')
      this.#blocks.push({ kind: 'row', cells: tableCells(rest), ...this.#place(line) })
    else this.#openLeaf(matched, { kind: 'paragraph', line, lines: [rest] })
  }

  #openLeaf(matched: number, leaf: Leaf | undefined): void {
    this.#closeTo(matched)
    this.#closeLeaf()
    const top = this.#top()
    top.list = undefined
    top.empty = false
    this.#leaf = leaf
  }

  #enter(kind: Container['kind'], width: number, matched: number): Container {
    this.#openLeaf(matched, undefined)
    const container: Container = {
      kind,
      width,
      empty: false,
      outermost: this.#top().outermost,
      list: undefined,
    }
    this.#containers.push(container)
    return container
  }

  #closeTo(matched: number): void {
    if (matched === this.#containers.length) return
    this.#closeLeaf()
    this.#containers.length = matched
  }

  #closeLeaf(closed = false): void {
    const leaf = this.#leaf
    this.#leaf = undefined
    if (leaf?.kind === 'paragraph') this.#define(leaf)
    const content = leaf && finished(leaf, closed)
    if (content !== undefined) this.#blocks.push({ ...content, ...this.#place(content.line) })
  }

  #define(paragraph: Paragraph): void {
    for (const label of takeDefinitions(paragraph)) this.#labels.add(label)
  }

  #place(line: number): { line: number; nested: boolean; list: number } {
    return { line, nested: this.#containers.length > 1, list: this.#top().outermost }
  }

  #top(): Container {
    return this.#containers.at(-1) as Container
  }
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (text[at] === ' ') at += 1
  return at
}

/** Tab stops are every four columns; only their width matters here, so the whole line may be expanded. */
function expandTabs(line: string): string {
  if (!line.includes('\t')) return line
  let expanded = ''
  for (const part of line.split('\t'))
    expanded += part + ' '.repeat(4 - ((expanded.length + part.length) % 4))
  return expanded.trimEnd()
}
