import * as z from 'zod/mini'
import { CorruptDocumentError } from '../errors/document-errors.ts'
import { refuseNewer } from '../errors/newer-format.ts'
import { describeProblems } from './problems.ts'

/** How a kind of small file that the specification leaves to us, or a line of a log, is written and read. */
export interface OwnFormat<Content extends object> {
  /** `fed-<what>-<version>`, the first field of each. */
  readonly name: string
  /** What is written. */
  stamp(content: Content): Content & { readonly format: string }
  /** The same as the text of a file. */
  textOf(content: Content): string
  /**
   * What was written, from parsed JSON.
   * @throws {CorruptDocumentError} naming every field that is wrong; {NewerFormatError}
   */
  decode(json: unknown, file: string): Content
  /**
   * The same where what no fed wrote counts for nothing.
   * @throws {NewerFormatError}
   */
  decodeOrNothing(json: unknown, file: string): Content | undefined
}

/**
 * A release that changes the content gives it the next version, and reads those before it as well.
 * @param schema of everything but the format's name.
 */
export function ownFormat<Content extends object>(
  name: string,
  schema: z.ZodMiniType<Content>,
): OwnFormat<Content> {
  function read(json: unknown, file: string): Content | string {
    const { format, ...content } = (json ?? {}) as { format?: unknown }
    if (format !== name) {
      refuseNewer(file, format, name)
      return `format: ${format === undefined ? 'is missing' : `it is ${JSON.stringify(format)}`}, and must be ${name}`
    }
    const parsed = z.safeParse(schema, content)
    return parsed.success ? parsed.data : describeProblems(parsed.error, '; ')
  }
  const stamp = (content: Content) => ({ format: name, ...content })
  return {
    name,
    stamp,
    textOf: (content) => `${JSON.stringify(stamp(content), null, 2)}\n`,
    decode(json, file) {
      const content = read(json, file)
      if (typeof content === 'string') throw new CorruptDocumentError(file, content)
      return content
    },
    decodeOrNothing(json, file) {
      const content = read(json, file)
      return typeof content === 'string' ? undefined : content
    },
  }
}
