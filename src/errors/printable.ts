/** What would move a cursor, break a line or turn the writing round when it is shown. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/**
 * A name or a value from outside as a message may repeat it: in one line, escaped as in JSON, not endless.
 * @param longest in characters; a path is given whole.
 */
export function printable(text: string, longest = 200): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
  return cut.replace(unprintable, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** A reason may quote the damage, with all that it holds. */
export function inOneLine(reason: string): string {
  return printable(reason.replace(/\s*\n\s*/g, ' '), 1000)
}

/** One word for a shell, without single quotes around it: people are shown the command between those. */
export function asWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `"${text.replace(/[\\"$`]/g, '\\$&')}"`
}
