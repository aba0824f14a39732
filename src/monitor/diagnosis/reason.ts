import { ConfigValidationError, UnreadableDocumentError } from '../../errors/document-errors.ts'

/** What an error says is wrong, in one line and without the file's name, which stands beside it. */
export function reasonOf(error: unknown): string {
  if (error instanceof UnreadableDocumentError) return error.reason
  if (error instanceof ConfigValidationError) {
    return error.problems
      .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
      .join('; ')
  }
  return error instanceof Error ? error.message : String(error)
}

/** What to do where nothing can be repaired. */
export const copyBack = 'put it back from a copy; nothing here can replace it'
