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
