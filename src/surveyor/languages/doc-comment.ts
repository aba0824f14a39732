const BOILERPLATE =
  /copyright|licen[cs]e[ds]?\b|spdx|all rights reserved|^redistributions? |\bavailable under\b|\bterms\b.*\bsee\b|eslint|prettier-ignore|@ts-|istanbul|nolint|clippy|rubocop|frozen_string_literal|-\*-|vim?:|jshint|pylint|flake8|noqa|phpcs|^use strict|^global |go:build|^\+build|pragma|@fileoverview$|^region\b|^=+$/i

const DIVIDER = /\p{L}\s+[-=*~#]{5,}$/u

/** Switches of tools for one file or line. */
const DIRECTIVE =
  /^(?:biome-ignore|oxlint-|tslint:|jscs:|stylelint-|deno-lint|dprint-ignore|cspell:|markdownlint-|shellcheck |swiftlint:|ktlint-|checkstyle:|nosonar\b|nosec\b|mypy:|ruff:|isort:|fmt: ?(?:off|on)|yapf:|type: ?ignore|(?:c8|v8|node:coverage) (?:ignore|disable)|@(?:jest|vitest)-|@flow\b|@jsx|webpack\w*:|sourceMappingURL|<(?:reference|amd)|(?:en)?coding[:=]|!\/|#!)/i

/** What is still to be done, by whom and when it was made: nothing of what it is. */
const NOTE =
  /^(?:(?:to-?do|fixme|xxx|hack|tbd|wip|tbc)\b(?![-\w])|(?:created|written|modified|updated|generated|last (?:modified|updated|changed))(?: (?:by|on|at)\b|:)|(?:date|author|authors|version|since|status|owner|maintainers?|file|filename|reviewed)\s*:|\W*\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\W*$|\W*\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\W*$)/i

/** Whose work it was before, which says nothing of what it is. */
const SOURCE =
  /^(?:the )?original(?:ly)? (?:work|code|version|implementation|source|author|written|taken|from|by|based|derived)\b|^(?:adapted|ported|copied|borrowed|taken|forked) from\b/i

/** Whether a line of prose is a tool's switch, a date or a note to do, rather than a description. */
export const isNote = (line: string): boolean => DIRECTIVE.test(line) || NOTE.test(line) || SOURCE.test(line)

/** The lines of a comment without its markers: `//`, `///`, `/** *\/`, `#`, `"""`, `--`. */
function commentLines(comment: string): string[] {
  return comment
    .replace(/^\s*[rRbBuUfF]{0,2}("""|''')([\s\S]*?)\1\s*$/, '$2')
    .split(/\r?\n/)
    .map((line) => (line.startsWith('#!') ? '' : line))
    .map((line) =>
      line
        .replace(/^\s*(?:\/\*+!?|\*+\/|\*(?!\*)|\/\/+!?|#+!?|=begin|=end)\s?/, '')
        .replace(line.includes('*/') ? /\s*\*+\/\s*$/ : '', '')
        // `/*` with `**` on each line
        .replace(/^\s*\*\*\s+/, '')
        .trim(),
    )
}

/**
 * First paragraph of a comment as plain text of at most 400 characters; undefined where it says nothing a
 * reader wants (a licence, a tool's switch, a ruler). XML tags of C# and HTML of Javadoc are dropped.
 */
export function firstParagraph(comment: string): string | undefined {
  if (comment.trim() === '') return undefined
  const paragraph: string[] = []
  let inNote = false
  for (const line of commentLines(comment.replaceAll(/<pre\b[^>]*>[^]*?<\/pre>/gi, ''))) {
    // `@param` and its kind, and Python's `:param x:`, end the prose.
    if (
      /^(@|:(param|returns?|rtype|type|raises)\b|\\(param|return|brief)|Args:|Parameters$|Returns:)/.test(
        line,
      )
    ) {
      const brief = /^(?:@|\\)(?:brief|fileoverview|file|summary|overview|description)\s+(.+)/.exec(line)?.[1]
      if (brief !== undefined) paragraph.push(brief)
      if (paragraph.length > 0 && brief === undefined) break
      continue
    }
    if (isNote(line)) {
      // What follows a note in its paragraph belongs to it.
      if (paragraph.length > 0) break
      inNote = !DIRECTIVE.test(line)
      continue
    }
    // A title that is drawn out to a line divides the file, and says nothing of what follows.
    const plain = DIVIDER.test(line) ? '' : plainLine(line)
    if (plain === '') inNote = false
    if (inNote) continue
    if (plain === '') {
      if (paragraph.length > 0) {
        if (!BOILERPLATE.test(paragraph.join(' '))) break
        paragraph.length = 0
      }
      continue
    }
    paragraph.push(plain)
  }
  const text = paragraph.join(' ').replace(/\s+/g, ' ').trim()
  // `#endif // STORE_H`
  if (text.length < 3 || /^[A-Z0-9_]+$/.test(text) || !/\p{L}{2}/u.test(text) || BOILERPLATE.test(text))
    return undefined
  return text.length > 400 ? `${text.slice(0, 399).trimEnd()}…` : text
}

// Only tags that comments use as markup: `<PROGRAM>_ACTIVE_HELP` means its brackets.
const TAG =
  /<\/?(?:a|b|blockquote|br|c|center|code|dd|details|div|dl|dt|em|example|exception|h[1-6]|hr|i|img|include|inheritdoc|inheritDoc|item|kbd|li|list|listheader|ol|p|para|param|pre|remarks|returns|s|seealso|span|strong|sub|summary|sup|table|tbody|td|term|th|tr|tt|typeparam|u|ul|value|description|P|BR|PRE|LI|UL)(?:\s[^<>]*)?\/?>/g

/** What only markup and rulers have. */
const MARKUP = /[<{[`>*#&]|^[-=~_/\s]+$/

function plainLine(line: string): string {
  if (!MARKUP.test(line)) return line.trim()
  return (
    line
      .replace(/<see\s+(?:cref|langword|href)="([^"]*)"\s*\/>/g, '`$1`')
      .replace(/<(?:paramref|typeparamref)\s+name="([^"]*)"\s*\/>/g, '`$1`')
      .replace(/\{@(?:link|code|linkplain)\s+([^}\s|]+)[^}]*\}/g, '`$1`')
      .replace(/\[`([^`\]]+)`\](?:\([^)]*\)|\[[^\]]*\])?/g, '`$1`')
      .replace(/:[a-z:]+:`[~!]?([^`<]+?)(?:\s*<[^>`]*>)?`/g, '`$1`')
      .replace(/``/g, '`')
      // reStructuredText lets a word end behind its markup: `Option`\s
      .replace(/`\\(?=\p{L})/gu, '`')
      .replace(TAG, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .replace(/^(?:>\s?)+/, '')
      .replace(/\*\*([^*]+)\*\*/g, '$1')
      .replace(/(?<!!)\[([^\]`]+)\]\([^)\s]*\)/g, '$1')
      .replace(/^[-=*~_#/\s]+$/, '')
      .replace(/^#+\s+/, '')
      .trim()
  )
}

/** The first sentence of a paragraph, cut at a word when it runs over `limit` characters. */
export function firstSentence(text: string, limit = 200): string {
  const end = /^(?:\d+[.)]\s)?.*?[\p{L}\p{N})`"'\]][.!?](?=\s+[\p{Lu}`"(]|\s*$)/u.exec(
    text.replace(/\b(e\.g|i\.e|etc|vs|cf)\./g, (m) => m.replaceAll('.', '\u2024')),
  )
  const sentence = (end?.[0] ?? text).replaceAll('\u2024', '.').trim()
  if (sentence.length <= limit) return sentence
  const cut = sentence.slice(0, limit)
  return `${cut.slice(0, cut.lastIndexOf(' ') > limit / 2 ? cut.lastIndexOf(' ') : limit).replace(/[\s,;:]+$/, '')} …`
}
