import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { UsageError } from '../../errors/fed-error.ts'
import { disk, WRITABLE } from '../../platform/storage/disk.ts'

/** A longer document is no deliverable that anybody reads, in bytes. */
const largestBytes = 16 * 1_048_576

/**
 * Writes a deliverable whole: whoever reads it meanwhile sees the old one or the new one.
 * @throws {UsageError} when it is too long.
 */
export function writeDeliverableFile(file: string, content: string): void {
  const bytes = Buffer.byteLength(content)
  if (bytes > largestBytes)
    throw new UsageError(`content: ${bytes} bytes, more than the ${largestBytes} of a deliverable`)
  const temporary = path.join(path.dirname(file), `.${uuid()}.tmp`)
  disk.create(temporary, content, { mode: WRITABLE })
  try {
    disk.rename(temporary, file)
  } catch (error) {
    disk.unlink(temporary)
    throw error
  }
}
