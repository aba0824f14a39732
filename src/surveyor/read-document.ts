import MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'
import { isNote } from './languages/doc-comment.ts'

const parser = new MarkdownIt({ html: true })

/** Title and headings of a Markdown, reStructuredText or AsciiDoc document, by its lines alone. */
export function readDocument(path: string, text: string): { title?: string; headings?: string[] } {
  const own = titleInFrontMatter(text)
  const headings = [
    ...(own === undefined ? [] : [own]),
    ...(/\.rst$/i.test(path) ? underlined(text) : marked(text)).filter(
      (heading, at) => at > 0 || heading !== own,
    ),
  ]
  const title = headings[0]
  return title === undefined ? {} : { title, headings: headings.slice(0, 40) }
}

const CONTENTS = /^(?:table of )?contents:?$|^toc$|^(?:tbd|to-?do|wip|unreleased)$|^\W*\d{4}-\d{2}-\d{2}\W*$/i

function marked(text: string): string[] {
  const found: string[] = []
  let fence: string | undefined
  const lines = withoutFrontMatter(text).split(/\r?\n/)
  for (const [at, line] of lines.entries()) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence
    if (fence !== undefined) continue
    const heading =
      /^\s{0,3}(?:#{1,6}|={1,5})\s+(.+?)\s*#*\s*$/.exec(line)?.[1] ??
      (/^(=+|-{3,})\s*$/.test(line) ? lines[at - 1]?.trim() : undefined)
    const plain = heading === undefined ? '' : plainText(heading)
    if (plain !== '' && !/^[-|=\s]+$/.test(plain) && !CONTENTS.test(plain)) found.push(plain)
  }
  return found
}

/** The title that the fields of a site's generator give. */
function titleInFrontMatter(text: string): string | undefined {
  const fields = FRONT_MATTER.exec(text)?.[2] ?? ''
  const title = /^title[ \t]*[:=][ \t]*(.+?)[ \t]*$/m.exec(fields)?.[1]
  const plain = title?.replace(/^(["'])(.*)\1$/, '$2')
  // What a form is filled in with is no title of it.
  const isForm = /^(?:about|labels|assignees):/m.test(fields)
  return plain === undefined || plain === '' || isForm || /^[>|{[&*]/.test(plain) ? undefined : plain
}

const FRONT_MATTER = /^(?:\uFEFF)?(---|\+\+\+)\r?\n([\s\S]*?\n)\1\r?(?:\n|$)/

/** A document without the fields of a site's generator above it. */
const withoutFrontMatter = (text: string): string => text.replace(FRONT_MATTER, '')

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

/**
 * The first paragraph or block quote of a README that says what it is: badges, navigation, HTML, and what is
 * said of licences, installation, browsers or sponsors are passed over.
 * Plain text of at most 500 characters; undefined where the document has none.
 */
export function firstProse(path: string, text: string): string | undefined {
  const paragraphs = /\.rst$/i.test(path)
    ? proseOfRst(text)
    : proseOfMarkdown(withoutFrontMatter(text.slice(0, 20_000)))
  const found = paragraphs
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .find(
      (paragraph) =>
        paragraph.length >= 30 &&
        /(?:\p{L}{2,}[\s,.;:'’-]+){4}/u.test(paragraph) &&
        // an address and what it is called
        !/^[^.]*:\s*https?:\S+$/.test(paragraph),
    )
  if (found === undefined || found.length <= 500) return found
  const cut = found.slice(0, 500)
  const sentence = cut.lastIndexOf('. ')
  return sentence > 150 ? cut.slice(0, sentence + 1) : `${cut.slice(0, cut.lastIndexOf(' '))} …`
}

/** Sections of a README that say how to get or share it, not what it is. */
const ASIDE =
  /\b(?:licen[cs]e|install\w*|browsers?|support(?:ed)?|sponsors?|backers|contribut\w*|badges?|security|change ?log|versions?|contents|requirements|prerequisites|credits|authors?|questions?|issues|help|contact|community|stay in touch)\b/i
const ASIDE_TEXT =
  /^(?:\[!\w+\]|note\b|warning\b|important\b|deprecated\b|please\b|see\b|this (?:file|document|read ?me)\b)|\b(?:licen[cs]ed?\b|npm (?:i|install)\b|pip install\b|cargo add\b|we (?:strongly )?recommend\b|supports? (?:all|the latest) \w* ?browsers|copyright\b|sponsor|\bplease\b)/i

/** Paragraphs and block quotes of the document itself, by their sections; a row of links or images is navigation. */
function proseOfMarkdown(text: string): string[] {
  let heading = ''
  let inHeading = false
  const containers: string[] = []
  return parser.parse(text, {}).flatMap(({ type, content, children }) => {
    if (type === 'heading_open' || type === 'heading_close') inHeading = type === 'heading_open'
    else if (/^(?:bullet_list|ordered_list|table)_open$/.test(type)) containers.push(type)
    else if (/^(?:bullet_list|ordered_list|table)_close$/.test(type)) containers.pop()
    if (type !== 'inline' || children === null) return []
    if (inHeading) heading = content
    if (inHeading || containers.length > 0 || ASIDE.test(heading)) return []
    let links = 0
    let spoken = ''
    for (const child of children) {
      links += child.type === 'link_open' ? 1 : child.type === 'link_close' ? -1 : 0
      if (links === 0) spoken += textOf(child)
    }
    const whole = children.map(textOf).join('').trim()
    return /\p{L}{3}/u.test(spoken) && !ASIDE_TEXT.test(whole) && !isNote(whole) ? [whole] : []
  })
}

function textOf({ type, content }: Token): string {
  if (type === 'softbreak' || type === 'hardbreak') return ' '
  if (type === 'code_inline') return `\`${content}\``
  return type === 'text' ? content : ''
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
