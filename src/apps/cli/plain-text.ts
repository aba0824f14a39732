import { stripVTControlCharacters } from 'node:util'

/** A text from outside in one line of a terminal: no control characters, and one blank where blanks were. */
export function oneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
}

/** The same with its lines and tabs kept; nothing in it moves the cursor, colours, or turns the writing round. */
export function manyLines(text: string): string {
  return stripVTControlCharacters(text).replace(/(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu, '')
}

/** How many columns a text takes; wide characters take two, colours none. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const character of stripVTControlCharacters(text)) columns += columnsOfOne(character)
  return columns
}

function columnsOfOne(character: string): number {
  if ((character.codePointAt(0) ?? 0) < 0x1100) return 1
  // among the signs there, terminals draw those wide that are pictures by themselves
  return !/[\u2000-\u2bff]/.test(character) || /[\u2329\u232a\p{Emoji_Presentation}]/u.test(character) ? 2 : 1
}
