import { stripVTControlCharacters } from 'node:util'

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
