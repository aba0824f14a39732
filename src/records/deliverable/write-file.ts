import path from 'node:path'
import { UsageError } from '../../errors/fed-error.ts'
import { replaceFile, WRITABLE } from '../../platform/storage/disk.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'

/** A longer document is no deliverable that anybody reads, in bytes. */
const largestBytes = 16 * 1_048_576

/**
 * Writes a deliverable whole: whoever reads it meanwhile sees the old one or the new one.
 * @param workspace of its team.
 * @throws {UsageError} when it is too long.
 */
export function writeDeliverableFile(file: string, content: string, workspace: string): void {
  const bytes = Buffer.byteLength(content)
  if (bytes > largestBytes)
    throw new UsageError(`content: ${bytes} bytes, more than the ${largestBytes} of a deliverable`)
  // what a killed process leaves must not lie beside it, among the team's own files
  replaceFile(file, content, path.dirname(workspaceLayout(workspace).identity), { mode: WRITABLE })
}
