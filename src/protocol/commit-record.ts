import * as z from 'zod/mini'
import { CorruptDocumentError } from '../errors/document-errors.ts'

/** What storage stamps on each version of a document of our own. */
export const stamped = {
  version: z.int().check(z.minimum(1)),
  commit: z.strictObject({ id: z.guid(), previous: z.nullable(z.guid()) }),
}

/** A version before it is stamped. */
export type Draft<Content extends { version: number; commit: object }> = Omit<Content, 'version' | 'commit'>

/**
 * Reads a document of our own strictly.
 * @returns a function that throws a {CorruptDocumentError} naming the first field that is wrong.
 */
export function strictDecoder<Content>(
  schema: z.ZodMiniType<Content>,
): (json: unknown, file: string) => Content {
  return (json, file) => {
    const parsed = schema.safeParse(json)
    if (parsed.success) return parsed.data
    const [first] = parsed.error.issues
    throw new CorruptDocumentError(file, `${first?.path.join('.') || 'document'}: ${first?.message}`)
  }
}
