import { fromMarkdown } from 'mdast-util-from-markdown'

/** Title and headings of a Markdown, reStructuredText or AsciiDoc document, by its lines alone. */
export function readDocument(path: string, text: string): { title?: string; headings?: string[] } {
  const headings = /\.rst$/i.test(path) ? underlined(text) : marked(text)
  const title = headings[0]
  return title === undefined ? {} : { title, headings: headings.slice(0, 40) }
}

function marked(text: string): string[] {
  const found: string[] = []
  let fence: string | undefined
  const lines = text.replace(/^---\r?\n[\s\S]*?\n---\r?\n/, '').split(/\r?\n/)
  for (const [at, line] of lines.entries()) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence
    if (fence !== undefined) continue
    const heading =
      /^\s{0,3}(?:#{1,6}|={1,5})\s+(.+?)\s*#*\s*$/.exec(line)?.[1] ??
      (/^(=+|-{3,})\s*$/.test(line) ? lines[at - 1]?.trim() : undefined)
    const plain = heading === undefined ? '' : plainText(heading)
    if (plain !== '' && !/^[-|=\s]+$/.test(plain)) found.push(plain)
  }
  return found
}

function underlined(text: string): string[] {
  const lines = text.split(/\r?\n/)
  return lines.flatMap((line, at) =>
    /^([=\-~^"'#*+])\1{2,}\s*$/.test(line) &&
    /^\S/.test(lines[at - 1] ?? '') &&
    !/^[=\-~^"'#*+]{3,}$/.test(lines[at - 1] ?? '')
      ? [(lines[at - 1] ?? '').replace(/[`*|]/g, '').replace(/:\w+:/g, '').replace(/\s+/g, ' ').trim()]
      : [],
  )
}

const plainText = (markdown: string): string =>
  markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^>]+>/g, '')
    .replace(/&[a-z]+;|[`*]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

interface MarkdownNode {
  type: string
  value?: string
  children?: MarkdownNode[]
}

/**
 * The first paragraph of a README that is prose: badges, navigation, HTML and block quotes are passed over.
 * Plain text of at most 500 characters; undefined where the document has none.
 */
export function firstProse(path: string, text: string): string | undefined {
  const paragraphs = /\.rst$/i.test(path)
    ? proseOfRst(text)
    : ((fromMarkdown(text.slice(0, 20_000)) as MarkdownNode).children?.flatMap(proseOf) ?? [])
  const found = paragraphs
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .find((paragraph) => paragraph.length >= 30 && /(?:\p{L}{2,}[\s,.;:'’-]+){4}/u.test(paragraph))
  if (found === undefined || found.length <= 500) return found
  const cut = found.slice(0, 500)
  const sentence = cut.lastIndexOf('. ')
  return sentence > 150 ? cut.slice(0, sentence + 1) : `${cut.slice(0, cut.lastIndexOf(' '))} …`
}

function proseOf(node: MarkdownNode): string[] {
  if (node.type !== 'paragraph') return []
  const children = node.children ?? []
  // A row of links or images is navigation.
  const spoken = children
    .filter((child) => !/^(link|image|html)/.test(child.type))
    .map(textOf)
    .join(' ')
  return /\p{L}{3}/u.test(spoken) ? [textOf(node)] : []
}

function textOf(node: MarkdownNode): string {
  if (node.type === 'image' || node.type === 'html' || node.type === 'imageReference') return ''
  if (node.type === 'inlineCode') return `\`${node.value ?? ''}\``
  if (node.type === 'break') return ' '
  return node.value ?? (node.children ?? []).map(textOf).join('')
}

const proseOfRst = (text: string): string[] =>
  text
    .split(/\r?\n\s*\r?\n/)
    .filter((block) => !/^\s|^\.\.|^[=\-~^#*]{3}|\n[=\-~^#*]{3,}\s*$|^[:|]/.test(block))
    .map((block) =>
      block
        .replace(/`([^`<]+?)\s*<[^>]+>`__?/g, '$1')
        .replace(/``/g, '`')
        .replace(/:\w+:`([^`]+)`/g, '`$1`')
        .replace(/\|[^|]+\|/g, '')
        .replace(/[*]/g, ''),
    )
