import { CorruptDocumentError } from '../errors/document-errors.ts'
import type { OwnFormat } from '../protocol/own-format.ts'
import { parseStrictJson } from '../protocol/strict-json.ts'
import { readBelow } from '../platform/storage/outside-file.ts'

/** These documents are short, but one holds a team's entry with all that people added to it. */
const largestBytes = 1_048_576

/**
 * What a small JSON document says; undefined where there is none.
 * @throws {CorruptDocumentError} naming every field that is wrong; {NewerFormatError}; the file system's error where
 * nobody may look.
 */
export function readSmallDocument<Content extends object>(
  file: string,
  format: OwnFormat<Content>,
  { followLinks }: { followLinks: boolean },
): Content | undefined {
  const outside = readBelow(file, { largestBytes, followLinks })
  if (outside.kind === 'missing') return undefined
  if (outside.kind === 'fault') {
    if (outside.cause !== undefined && outside.fault.startsWith('no permission')) throw outside.cause
    throw new CorruptDocumentError(file, `it is ${outside.fault}`)
  }
  let json: unknown
  try {
    json = parseStrictJson(outside.text)
  } catch (error) {
    throw new CorruptDocumentError(file, (error as Error).message)
  }
  return format.decode(json, file)
}
