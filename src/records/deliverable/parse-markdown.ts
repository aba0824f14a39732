import MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import { unless } from '../../errors/unless.ts'

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
export function parseMarkdown(lines: readonly string[]): Token[] {
  const markdown = lines.map((line) => `${line}\n`).join('')
  // A tag with a million attributes overflows the stack of the library's expression for it; it is no tag then.
  return (
    unless(RangeError, () => parser.set({ html: true }).parse(markdown, {})) ??
    parser.set({ html: false }).parse(markdown, {})
  )
}
