import { printable } from '../errors/printable.ts'

/**
 * Parses JSON text as `JSON.parse` does, with an error that fits into one line. Of a field that is given
 * twice the last one counts.
 * @throws {SyntaxError} saying in one line what is wrong.
 */
export function parseStrictJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (text.trim() === '') throw new SyntaxError(`not JSON: ${text === '' ? 'empty' : 'nothing but blanks'}`)
    // the engine's words quote the text, line breaks and escape sequences included
    throw new SyntaxError(`not JSON: ${printable((error as Error).message)}`, { cause: error })
  }
}

/** Whether lists and objects are nested in more than `levels` levels. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner))
}
