import type { Token } from 'markdown-it'
import type { Block, CodeBlock } from './block.ts'
import { joined, readInline } from './inline.ts'
import type { Inline } from './inline.ts'
import { parseMarkdown } from './parse-markdown.ts'

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
