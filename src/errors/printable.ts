/**
 * What would move a cursor, break a line, turn the writing round or not be seen when it is shown; an emoji's own sign
 * is none of it.
 */
const unprintable = /(?!\uFE0F)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}]/gu

/**
 * A name or a value from outside as a message may repeat it: in one line, escaped as in JSON, not endless.
 * @param longest in characters; a path is given whole.
 */
export function printable(text: string, longest = 200): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
  return cut.replace(unprintable, escaped)
}

/** The same for a text of many lines, which stay lines, and its tabs. */
export function printableLines(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(unprintable, (character) => (/[\n\t]/.test(character) ? character : escaped(character)))
}

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
}

/** A reason may quote the damage, with all that it holds. */
export function inOneLine(reason: string): string {
  return printable(reason.replace(/\s*\n\s*/g, ' '), 1000)
}

/** One word for a shell, without single quotes around it: people are shown the command between those. */
export function asWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `"${text.replace(/[\\"$`]/g, '\\$&')}"`
}

/** How many there are: `1 team`, `3 teams`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
