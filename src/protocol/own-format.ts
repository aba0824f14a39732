import * as z from 'zod/mini'
import { CorruptDocumentError } from '../errors/document-errors.ts'
import { refuseNewer } from '../errors/newer-format.ts'
import { describeProblems } from './problems.ts'

/** How JSON files, or lines of a log, of one kind are written and read; a kind that is fed's own. */
export interface OwnFormat<Content extends object> {
  /** `fed-<what>-<version>`: the value of the first field, `format`. */
  readonly name: string
  /** The content with the format's name in front, as it is written. */
  stamp(content: Content): Content & { readonly format: string }
  /** What `stamp` gives, as the text of a file. */
  textOf(content: Content): string
  /**
   * The content of parsed JSON, without the format's name.
   * @throws {CorruptDocumentError} naming every field that is wrong; {NewerFormatError}
   */
  decode(json: unknown, file: string): Content
  /**
   * Like `decode`, but undefined for JSON that is not of this format or not valid.
   * @throws {NewerFormatError}
   */
  decodeOrNothing(json: unknown, file: string): Content | undefined
  /** Whether JSON is of this format and version, valid or not. */
  isOf(json: unknown): boolean
}

/**
 * A format for JSON files, or lines of a log, of fed's own: puts its name first when it writes, and checks
 * name and content when it reads. A release that changes the content must raise the version, and still read
 * the earlier ones.
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
    isOf: (json) => (json as { format?: unknown } | null | undefined)?.format === name,
    decodeOrNothing(json, file) {
      const content = read(json, file)
      return typeof content === 'string' ? undefined : content
    },
  }
}
