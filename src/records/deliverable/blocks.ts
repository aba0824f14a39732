import MarkdownIt, { type Token } from 'markdown-it'
import type { Block, CodeBlock } from './block.ts'
import { joined, readInline, type Inline } from './inline.ts'
import footnotes from 'markdown-it-footnote'
import { unless } from '../../errors/unless.ts'

/**
 * Reads the blocks of a Markdown document in the order of their lines. Of nested blocks it keeps what the
 * standards ask about, not the tree.
 *
 * @param lines the document's lines without their ends
 * @param firstLine the number of the first of them in the file
 */
export function readBlocks(lines: readonly string[], firstLine: number): Block[] {
  const blocks: Block[] = []
  const tokens = parseMarkdown(lines)
  let lists = 0
  let openLists = 0
  let row = 0
  let cells: Inline[] = []
  const place = ({ map, level }: Token) => ({
    line: firstLine + (map?.[0] ?? row),
    nested: level > 0,
    list: openLists > 0 ? lists : 0,
  })
  for (const [index, token] of tokens.entries()) {
    switch (token.type) {
      case 'bullet_list_open':
      case 'ordered_list_open':
        if (openLists === 0) lists += 1
        openLists += 1
        blocks.push({ kind: 'list', marker: token.markup, ...place(token) })
        break
      case 'bullet_list_close':
      case 'ordered_list_close':
        openLists -= 1
        break
      case 'fence':
      case 'code_block':
        blocks.push({ ...codeOf(token), ...place(token) })
        break
      case 'html_block':
        blocks.push({ kind: 'html', text: token.content, ...place(token) })
        break
      case 'inline': {
        const opener = tokens[index - 1] as Token
        const inline = readInline(token)
        if (opener.type === 'heading_open') {
          const style = opener.markup.startsWith('#') ? 'atx' : 'setext'
          const level = Number(opener.tag.slice(1))
          blocks.push({ kind: 'heading', level, style, inline, ...place(opener) })
        } else if (opener.type === 'paragraph_open')
          blocks.push({ kind: 'paragraph', source: token.content, inline, ...place(opener) })
        else cells.push(inline)
        break
      }
      // Every row of a table is one line, the delimiter row too; the tokens of rows have no lines.
      case 'table_open':
        row = token.map?.[0] ?? 0
        break
      case 'thead_close':
        row += 1
        break
      case 'tr_close':
        blocks.push({ kind: 'row', inline: joined(cells), ...place(token) })
        cells = []
        row += 1
        break
    }
  }
  return blocks
}

function codeOf({ type, info, content, map }: Token): Omit<CodeBlock, 'line' | 'nested' | 'list'> {
  const [from, to] = map ?? [0, 0]
  const fenced = type === 'fence'
  const opening = /\S.*/.exec(content)?.[0].trimEnd() ?? ''
  if (!fenced) return { kind: 'code', fenced, info, lines: to - from, opening, closed: true }
  const lines = content.split('\n').length - 1
  // What is left beside the content and the opening fence is the closing one.
  return { kind: 'code', fenced, info: info.trim(), lines, opening, closed: to - from === lines + 2 }
}

const parser = new MarkdownIt()
  .use(footnotes)
  // Footnotes stay where they are written, and `^[…]` is text on GitHub. The rule for `[^…]` takes minutes where
  // many are never closed. Escaped characters stay apart from the text: with one of them an address is no link.
  .disable(['footnote_tail', 'footnote_inline', 'footnote_ref', 'text_join'])
// The standards speak of targets as they are written.
parser.normalizeLink = (target) => target
parser.normalizeLinkText = (text) => text
parser.validateLink = () => true

/** Gives inline tokens, which the library does not place, the line in their block as their `map`. */
parser.inline.State = class extends parser.inline.State {
  #counted = 0
  #line = 0

  override pushPending(): Token {
    return this.#placed(super.pushPending())
  }

  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    return this.#placed(super.push(type, tag, nesting))
  }

  #placed(token: Token): Token {
    for (; this.#counted < this.pos; this.#counted += 1) if (this.src[this.#counted] === '\n') this.#line += 1
    token.map = [this.#line, this.#line]
    return token
  }
}

/**
 * Parses Markdown as GitHub reads it: CommonMark with tables, strikethrough and footnotes. Lines in the `map` of
 * block tokens are 0-based from the start of the text, those of inline tokens from the start of their block.
 */
function parseMarkdown(lines: readonly string[]): Token[] {
  const markdown = lines.map((line) => `${line}\n`).join('')
  // A tag with a million attributes overflows the stack of the library's expression for it; it is no tag then.
  return (
    unless(RangeError, () => parser.set({ html: true }).parse(markdown, {})) ??
    parser.set({ html: false }).parse(markdown, {})
  )
}
