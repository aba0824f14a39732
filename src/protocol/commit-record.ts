import * as z from 'zod/mini'
import { CorruptDocumentError } from '../errors/document-errors.ts'
import { refuseNewer } from '../errors/newer-format.ts'

/** What storage stamps on each version of a document of our own. */
export const stamped = {
  version: z.int().check(z.minimum(1)),
  commit: z.strictObject({ id: z.guid(), previous: z.nullable(z.guid()) }),
}

/** A version before it is stamped. */
export type Draft<Content extends { version: number; commit: object }> = Omit<Content, 'version' | 'commit'>

/**
 * Reads a document of our own strictly.
 * @param format its name, which the schema asks for as well.
 * @returns a function that throws a {CorruptDocumentError} naming the first field that is wrong, or a
 * {NewerFormatError}.
 */
export function strictDecoder<Content extends { format: string }>(
  format: Content['format'],
  schema: z.ZodMiniType<Content>,
): (json: unknown, file: string) => Content {
  return (json, file) => {
    refuseNewer(file, (json as { format?: unknown } | null)?.format, format)
    const parsed = schema.safeParse(json)
    if (parsed.success) return parsed.data
    const [first] = parsed.error.issues
    throw new CorruptDocumentError(file, `${first?.path.join('.') || 'document'}: ${first?.message}`)
  }
}
