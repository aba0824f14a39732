/** Code and quotations are shown, not said. */
const shown = [
  /^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?(?:^ {0,3}\1[^\n]*$|$(?![\s\S]))/gm,
  /`[^`\n]*`/g,
  /^ {0,3}>.*$/gm,
]

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/**
 * What a message says to whoever bears this name, or undefined when it does not mention them (spec §6). A mention
 * is `@<name>` by itself: not inside a word, a path or an address such as `a@name.org`, and not in what the message
 * only quotes.
 */
export function saidTo(name: string, text: string): string | undefined {
  const spoken = shown.reduce((rest, pattern) => rest.replace(pattern, ' '), text.normalize('NFC'))
  const from = String.raw`(?<![\p{L}\p{M}\p{N}_@/\\+&=%#$~.-])`
  const to = String.raw`(?![\p{L}\p{M}\p{N}_@/\\]|[.:-][\p{L}\p{N}])`
  const words = name
    .trim()
    .normalize('NFC')
    .split(/\s+/)
    .map(escaped)
    .join(String.raw`\s+`)
  const mention = new RegExp(`${from}@${words}${to}`, 'giu')
  const [before, ...parts] = spoken.split(mention)
  if (before === undefined || parts.length === 0) return undefined
  const behind = trimmed(parts.join(' '))
  // "Done. @shop status": what stood before was said to somebody else
  const isAnotherSentence = /(?:^|[.!?:;…]|\n)\s*$/u.test(before)
  return behind !== '' && isAnotherSentence ? behind : trimmed(`${before} ${parts.join(' ')}`)
}

function trimmed(text: string): string {
  return text.replace(/^[\s,:;.!()–—-]+/u, '').trim()
}

/** A text in which nobody is mentioned: what the bridge says must never call it, or another bridge, again. */
export function withoutMentions(text: string): string {
  return text.replace(/(?<![\p{L}\p{M}\p{N}_.+-])@+(?=[\p{L}\p{N}_])/gu, '')
}
