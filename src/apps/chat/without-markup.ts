const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** A mention as chat products write it: `<at id="0">Shop</at>`, `<@U123>`, `<@U123|shop>`. */
const mentionElements = /<at\b[^<>]*>([^<>]*)<\/at\s*>|<@(?:[^<>|\s]*\|)?([^<>|]+)>/giu

/** A text with `@name` for each mention that a chat product marked. */
export function withPlainMentions(text: string): string {
  return text.replace(
    mentionElements,
    (_, element: string | undefined, link: string | undefined) => ` @${(element ?? link ?? '').trim()} `,
  )
}

/** What somebody else said; one quotation may hold another. */
const innermostQuote = /<blockquote\b(?:(?!<blockquote\b)[\s\S])*?<\/blockquote\s*>/giu

/** Whether a text is HTML as chat products give it: it begins with an element that holds text. */
const isHtml = (text: string) =>
  /^\s*<(?:p|div|span|at|b|i|u|s|strong|em|del|a|ul|ol|br|h[1-6]|table|blockquote|pre|code|codeblock|attachment|systemEventMessage)\b[^>]*>/iu.test(
    text,
  )

/**
 * What a message says, without the HTML around it. Mentions are `@name`; everything that is no HTML stays as it is.
 */
export function plainText(text: string): string {
  if (!isHtml(text)) return withPlainMentions(text)
  let said = text
  for (let before = ''; before !== said;) {
    before = said
    said = said.replace(innermostQuote, '\n')
  }
  return withPlainMentions(said)
    .replace(/<(s|del|strike)>[\s\S]*?<\/\1\s*>/giu, ' ')
    .replace(/<(pre|codeblock)\b[^>]*>([\s\S]*?)<\/\1\s*>/giu, '\n```\n$2\n```\n')
    .replace(/<code\b[^>]*>([^\n]*?)<\/code\s*>/giu, '`$1`')
    .replace(/<(?:br|\/p|\/div|\/li|\/tr|\/h\d)\b[^>]*>/giu, '\n')
    .replace(/<[^<>]*>/gu, '')
    .replace(/&(#x?[0-9a-f]+|[a-z]+);/giu, (whole, name: string) => characterOf(name) ?? whole)
    .trim()
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()]
  const code = /^#x/iu.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : undefined
}
