import { slug } from 'github-slugger'

/** One `##` section of a report. An empty body means that there is nothing to say, and no section. */
export interface Section {
  title: string
  body: string
}

const BARE_URL = /\bhttps?:\/\/[^\s<>()[\]`"']+[^\s<>()[\]`"'.,;:!?]/g

/** A code span that holds any text: its fence is longer than any run of backticks inside. */
export function code(text: string): string {
  const plain = text.replace(/\s+/g, ' ').replace(/\p{Cc}/gu, '\uFFFD')
  const longest = Math.max(0, ...Array.from(plain.matchAll(/`+/g), (match) => match[0].length))
  const mark = '`'.repeat(longest + 1)
  const pad =
    plain.startsWith('`') || plain.endsWith('`') || plain === '' || /^ .*\S.* $/.test(plain) ? ' ' : ''
  return `${mark}${pad}${plain}${pad}${mark}`
}

/**
 * Foreign text (a README, a doc comment, a commit) as a line of prose that means the same in Markdown: its
 * code spans stay, everything else that Markdown would read is escaped, bare addresses become links.
 */
export function prose(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
  const parts = line.split(/(`[^`]+`)/)
  return parts
    .map((part, at) => (at % 2 === 1 ? code(part.slice(1, -1)) : escapeText(part)))
    .join('')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^([-+#>=~])/, '\\$1')
}

function escapeText(text: string): string {
  let out = ''
  let at = 0
  for (const match of text.matchAll(BARE_URL)) {
    const label = match[0].replace(/^https?:\/\//, '').replace(/\/$/, '')
    out += `${escapeMarks(text.slice(at, match.index))}[${escapeMarks(label)}](${match[0].replace(/[\\*_|]/g, (mark) => encodeURIComponent(mark).replace('*', '%2A').replace('_', '%5F'))})`
    at = match.index + match[0].length
  }
  return out + escapeMarks(text.slice(at))
}

const escapeMarks = (text: string): string =>
  text
    .replace(/[\\`*[\]<>|~]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/(?<!\w)_|_(?!\w)/g, '\\_')
    .replace(/!(?=\\\[)/g, '\\!')
    .replace(/\bwww\.(?=\w)/g, 'www\u200B.')

/** A fenced block with a language tag, its fence longer than any in the text. */
export function fence(language: string, text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), (match) => match[0].length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}${language}\n${text.replace(/\r\n?/g, '\n').replace(/\s+$/, '')}\n${mark}`
}

/** Escapes the bars of a cell; one behind an odd number of backslashes is escaped already. */
const escapeBars = (cell: string): string =>
  cell.replace(/(\\*)\|/g, (bar, slashes: string) => (slashes.length % 2 === 0 ? `${slashes}\\|` : bar))

/** A table; cells are Markdown, in which bars are escaped here. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => escapeBars(cell).replace(/\n/g, ' ')).join(' | ')} |`
  const numeric = header.map(
    (_, at) => rows.length > 0 && rows.every((cells) => /^[\d,.% -]*$/.test(cells[at] ?? '')),
  )
  return [
    row(header),
    `| ${numeric.map((right) => (right ? '---:' : '---')).join(' | ')} |`,
    ...rows.map(row),
  ].join('\n')
}

/** Prose as a sentence: with one full stop at its end, and none after an ellipsis. */
export const sentence = (text: string): string =>
  /[…!?]$/.test(text) ? text : `${text.replace(/[.\s:;,]+$/, '')}.`
export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')
export const paragraphs = (...blocks: (string | false | undefined)[]): string =>
  blocks.filter((block) => block !== undefined && block !== false && block !== '').join('\n\n')

/** A whole document: title, summary, contents with a note on its making, sections. */
export function documentOf(
  title: string,
  summary: string,
  note: string,
  sections: readonly Section[],
): string {
  const told = sections.filter(({ body }) => body !== '')
  const contents = list(told.map((section) => `[${section.title}](#${slug(section.title)})`))
  const blocks = [
    `# ${title}`,
    summary,
    '## Contents',
    contents,
    note,
    ...told.flatMap((section) => [`## ${section.title}`, section.body]),
  ]
  return `${blocks.join('\n\n')}\n`
}
