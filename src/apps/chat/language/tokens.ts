import { quotedLines } from '../mention.ts'

/** A word of a message, or what parts words. */
export interface Token {
  /** In small letters; `,` for whatever joins a list, `.` for the end of a sentence, `:` for a colon. */
  readonly word: string
}

/** What words are shortened to, and stand for. */
const shortened: readonly (readonly [RegExp, string])[] = [
  [/\b(can|won|shan)'?t\b/gu, '$1 not'],
  [/\bcannot\b/gu, 'can not'],
  [/\b(do|does|did|is|are|was|were|has|have|had|should|would|could|must|need)n'?t\b/gu, '$1 not'],
  [/\b(what|who|how|where|why|when|that|there|it|here)'?s\b(?=\s|$|[?.,!])/gu, '$1 is'],
  [/\b(what|who|how|where|why|we|you|they)'?re\b(?<!were)(?<!where)/gu, '$1 are'],
  [/\blet'?s\b/gu, 'let us'],
  [/'m\b/gu, ' am'],
  [/'ve\b/gu, ' have'],
  [/'ll\b/gu, ' will'],
  [/'d\b/gu, ' would'],
]

/** A sign that may stand around a word. */
const around = /^["'`*#(<_~]+(?=[^*])|["'`*)>_~]+$/gu
const emoji = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|\u200D)+/gu

/** Whether a message ends as a question does. */
export function isQuestion(text: string): boolean {
  return /\?[\s?!.)]*$/u.test(text.replace(quotedLines, '').replace(emoji, ' '))
}

/** Whether any part of a message asks something. */
export function hasQuestion(text: string): boolean {
  return text.replace(quotedLines, '').includes('?')
}

/**
 * The words of a message in small letters, shortened ones in full, and what parts them.
 * @param known words that are taken as they are: the names of teams.
 */
export function tokensOf(text: string, known: ReadonlySet<string>): Token[] {
  let plain = text.replace(quotedLines, '').replace(emoji, ' ').replace(/[’‘]/gu, "'").toLowerCase()
  for (const [short, long] of shortened) plain = plain.replace(short, long)
  return plain.split(/\s+/u).flatMap((part) => partsOf(part, known))
}

function partsOf(part: string, known: ReadonlySet<string>): Token[] {
  if (part === '') return []
  if (known.has(part)) return [{ word: part }]
  const [, before = '', rest = '', after = ''] = /^([,;:.!?…&+–—-]*)(.*?)([,;:.!?…&+–—-]*)$/u.exec(part) ?? []
  const inner = rest
    .split(/([,;&+])/u)
    .flatMap((one) => (/^[,;&+]$/u.test(one) ? signs(one) : wordOf(one, known)))
  return [...signs(before), ...inner, ...signs(after)]
}

function wordOf(part: string, known: ReadonlySet<string>): Token[] {
  const word = part.replace(around, '')
  if (word === '') return []
  const owner = word.replace(/'s?$/u, '')
  return [{ word: !known.has(word) && owner !== '' ? owner : word }]
}

function signs(text: string): Token[] {
  if (text === '') return []
  if (/[:–—]|^-+$/u.test(text)) return [{ word: ':' }]
  return [{ word: /[,&+]/u.test(text) ? ',' : '.' }]
}

/** Whether tokens go on with these words at a place. */
export function standsAt(tokens: readonly Token[], at: number, words: readonly string[]): boolean {
  return words.every((word, index) => tokens[at + index]?.word === word)
}

/** Without signs and empty words at both ends. */
export function trimmed(tokens: readonly Token[]): Token[] {
  const isSign = ({ word }: Token) => /^[,.:]$/u.test(word)
  const first = tokens.findIndex((token) => !isSign(token))
  return first < 0 ? [] : tokens.slice(first, tokens.findLastIndex((token) => !isSign(token)) + 1)
}
