import { isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { UsageError } from '../../errors/fed-error.ts'

/**
 * A text given as an option, in a file, or on the standard input (`-`). A file that is too long is not read:
 * its size is looked at first, and what has no size, such as a pipe, is read no further than the limit.
 * @throws {UsageError} when both are given, or the file cannot be read, is too long or holds no UTF-8.
 */
export async function textInput(
  name: string,
  text: string | undefined,
  file: string | undefined,
): Promise<string | undefined> {
  if (file === undefined) return text
  if (text !== undefined) throw new UsageError(`--${name} and --${name}-file: give one of them`)
  // a help shows without it, and so does a command without a long text
  const { maxBodyBytes, tooLong } = await import('../../protocol/signal.ts')
  return textOfFile(`--${name}-file`, file, maxBodyBytes, (how) => `${name}: ${tooLong(how)}`)
}

/**
 * The text of a file, or of the standard input (`-`), no longer than a limit in bytes.
 * @param what what a person calls the file.
 * @param tooLong what is said of one that is longer, of which it is told how long it is.
 * @throws {UsageError}
 */
export async function textOfFile(
  what: string,
  file: string,
  limit: number,
  tooLong: (how: string) => string,
): Promise<string> {
  const source = file === '-' ? 'the standard input' : file
  const bytes = file === '-' ? await readStandardInput(limit) : readFile(what, file, limit)
  if (typeof bytes === 'number') throw new UsageError(tooLong(`${source} is ${bytes} bytes`))
  if (bytes.length > limit) throw new UsageError(tooLong(`${source} is longer than ${limit} bytes`))
  if (!isUtf8(bytes)) throw new UsageError(`${what}: ${source} is not UTF-8 text; convert it first`)
  return bytes.toString('utf8')
}

/** The file's bytes, one more than the limit of what has no size, or only the size of what is too long. */
function readFile(what: string, file: string, limit: number): Buffer | number {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const stat = fstatSync(descriptor)
      if (stat.isDirectory()) throw new UsageError(`${what}: ${file} is a folder, not a file`)
      if (stat.isFile() && stat.size > limit) return stat.size
      const bytes = Buffer.alloc(limit + 1)
      let length = 0
      for (let count = -1; count !== 0 && length < bytes.length; length += count)
        count = readSync(descriptor, bytes, length, bytes.length - length, null)
      return bytes.subarray(0, length)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${what}: ${(error as Error).message}`, { cause: error })
  }
}

/** Stops reading soon after the limit: whoever writes without end is not waited for. */
async function readStandardInput(limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > limit) break
  }
  return Buffer.concat(chunks)
}
