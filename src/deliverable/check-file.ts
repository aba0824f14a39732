import { readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { checkDeliverable } from './check.ts'
import type { Problem, Standards } from './check.ts'
import { measure } from './measure.ts'
import type { Figures } from './measure.ts'
import { readDeliverable } from './read.ts'

export interface FileStandards extends Standards {
  /** The folder in which the deliverable must really lie; symbolic links are followed before comparing. */
  workspace: string
}

export interface DeliverableReport {
  /** Empty when the standards are met. */
  problems: Problem[]
  /** Undefined when the file could not be read. */
  figures: Figures | undefined
}

/** A deliverable larger than this is not read: it would not fit in memory several times over. */
const largestBytes = 128 * 1024 * 1024

/**
 * Checks the deliverable in `file`. What keeps it from being read is a problem too (`exists`, `readable`,
 * `inside-workspace`, `utf-8`), never an exception.
 */
export function checkDeliverableFile(
  file: string,
  { workspace, ...standards }: FileStandards,
): DeliverableReport {
  const bytes = readInside(file, workspace)
  if (!Buffer.isBuffer(bytes)) return { problems: [{ line: 1, ...bytes }], figures: undefined }
  const markdown = decode(bytes)
  if (typeof markdown !== 'string') return { problems: [{ rule: 'utf-8', ...markdown }], figures: undefined }
  const model = readDeliverable(markdown)
  return { problems: checkDeliverable(model, standards), figures: measure(model) }
}

function readInside(file: string, workspace: string): Buffer | Omit<Problem, 'line'> {
  try {
    const real = realpathSync(file)
    const relative = path.relative(realpathSync(workspace), real)
    if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) {
      return {
        rule: 'inside-workspace',
        message: `${file} leads to ${real}, outside of the workspace; write the file itself there`,
      }
    }
    const { size, ...stat } = describe(real)
    if (!stat.regular)
      return { rule: 'readable', message: `${file} is ${stat.kind}; the deliverable must be a regular file` }
    if (size > largestBytes)
      return { rule: 'readable', message: `${file} has ${size} bytes; at most ${largestBytes} are read` }
    return readFileSync(real)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return { rule: 'exists', message: `${file} does not exist; write the deliverable there` }
    }
    return { rule: 'readable', message: `${file} cannot be read: ${(error as Error).message}` }
  }
}

function describe(file: string): { size: number; regular: boolean; kind: string } {
  const stat = statSync(file)
  return {
    size: stat.size,
    regular: stat.isFile(),
    kind: stat.isDirectory() ? 'a directory' : 'a special file',
  }
}

/** The text, its byte order mark included, or where it stops being UTF-8. */
function decode(bytes: Buffer): string | Omit<Problem, 'rule'> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const line = lineOfFirstDifference(bytes)
    return { line, message: 'the file is not UTF-8 from this line on; save it as UTF-8' }
  }
}

function lineOfFirstDifference(bytes: Buffer): number {
  const readable = Buffer.from(bytes.toString('utf8'))
  let line = 1
  for (let at = 0; at < bytes.length && bytes[at] === readable[at]; at += 1) if (bytes[at] === 10) line += 1
  return line
}
