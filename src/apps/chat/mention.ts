import { plainText, withPlainMentions } from './without-markup.ts'

/** Lines of what somebody else said. */
export const quotedLines = /^ {0,3}>.*$/gm
/** Code and quotations are shown, not said: nobody is mentioned in them. */
const shown = [
  /^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?(?:^ {0,3}\1[^\n]*$|$(?![\s\S]))/gm,
  /`[^`\n]*`/g,
  quotedLines,
]
/** What somebody struck out is said no more. */
const struckOut = /~~[^~\n]+~~|(?<![\p{L}\p{N}~/])~[^~\s](?:[^~\n]*[^~\s])?~(?![\p{L}\p{N}~/])/gu
/** Where a sentence ends; one that ends with a colon says what the next words are for. */
const sentenceEnd = /^\s*$|(?:[!?…]|(?<!\.\p{L})\.)\s*$|[^:\s][^\S\n]*\n\s*$/u

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/**
 * What a message says to whoever bears this name, as it was written, or undefined when it does not mention them
 * (spec §6). A mention is `@<name>` by itself, or `<at>name</at>` as chat products mark it: not inside a word, a path or an address such as `a@name.org`, and
 * not in what the message only quotes.
 */
export function saidTo(name: string, message: string): string | undefined {
  const text = plainText(message).normalize('NFC').replace(struckOut, ' ')
  const spoken = shown.reduce(
    (rest, pattern) => rest.replace(pattern, (part) => part.replace(/[^\n]/g, ' ')),
    text,
  )
  const from = String.raw`(?<![\p{L}\p{M}\p{N}_@/\\+&=%#$~.-])`
  const to = String.raw`(?![\p{L}\p{M}\p{N}_@/\\]|[.:-][\p{L}\p{N}])`
  const words = name
    .trim()
    .normalize('NFC')
    .split(/\s+/)
    .map(escaped)
    .join(String.raw`\s+`)
  const mentions = [...spoken.matchAll(new RegExp(`${from}@${words}${to}`, 'giu'))]
  const [first] = mentions
  if (first === undefined) return undefined
  const before = text.slice(0, first.index)
  const parts = mentions.map(({ index, 0: { length } }, at) =>
    text.slice(index + length, mentions[at + 1]?.index),
  )
  const behind = trimmed(parts.join(' '))
  // "Done. @shop status": what stood before was said to somebody else
  return behind !== '' && sentenceEnd.test(before) ? behind : trimmed(`${before} ${parts.join(' ')}`)
}

function trimmed(text: string): string {
  return text.replace(/^[\s,:;.!()–—-]+/u, '').trim()
}

/**
 * A text in which nobody is mentioned, however it is shown: what the bridge says must never call it, or another
 * bridge, again.
 */
export function withoutMentions(text: string): string {
  // one within another leaves its tags
  return withPlainMentions(text)
    .replace(/<\/?at\b[^<>]*>/giu, ' ')
    .replace(/&(?:#0*64|#x0*40|commat);/giu, '')
    .replace(/(?<![\p{L}\p{M}\p{N}_.+-])@+(?=[\p{L}\p{N}_<&])/gu, '')
}
