import { readFileSync } from 'node:fs'
import { text as textOf } from 'node:stream/consumers'
import { UsageError } from '../errors.ts'

/**
 * A text given as an option, in a file, or on the standard input (`-`).
 * @throws {UsageError} when both are given or the file cannot be read.
 */
export async function textInput(
  name: string,
  text: string | undefined,
  file: string | undefined,
): Promise<string | undefined> {
  if (file === undefined) return text
  if (text !== undefined) throw new UsageError(`--${name} and --${name}-file: give one of them`)
  if (file === '-') return textOf(process.stdin)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--${name}-file: ${(error as Error).message}`, { cause: error })
  }
}
