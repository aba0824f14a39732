import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { FedError, NotFoundError } from '../../errors/fed-error.ts'
import { readPlain } from '../../platform/storage/plain-file.ts'
import { checkDeliverable, checkMarkdown } from './check-markdown.ts'
import { measure, type DeliverableReport, type Problem, type Standards } from './rule.ts'
import { checkJson, readJson } from './check-json.ts'
import { documentOf } from './checked-document.ts'
import { isJsonFile } from './json-file.ts'
import { readDeliverable } from './read-deliverable.ts'
import type { DeliverableSchema } from './schema.ts'

export interface FileStandards extends Standards {
  /** The folder in which the deliverable must really lie; symbolic links are followed before comparing. */
  workspace: string
  /** What it must meet besides, where one is configured (spec §2.3). */
  schema?: DeliverableSchema
}

/** A deliverable larger than this is not read: it would not fit in memory several times over. */
const largestBytes = 128 * 1024 * 1024

/**
 * Checks the deliverable in `file`: Markdown against the documentation standards, a `.json` file for being JSON, and
 * both against the schema. What keeps it from being read is a problem too (`exists`, `readable`,
 * `inside-workspace`, `utf-8`, `json`), never an exception.
 */
export function checkDeliverableFile(
  file: string,
  { workspace, schema, ...standards }: FileStandards,
): DeliverableReport {
  const text = readText(file, workspace)
  if (typeof text !== 'string') return { problems: [text], figures: undefined }
  if (isJsonFile(file)) return checkJson(text, schema)
  const model = readDeliverable(text)
  const problems = [
    ...checkDeliverable(model, standards),
    ...(schema ? checkMarkdown(text, model, schema) : []),
  ]
  return { problems: problems.toSorted((a, b) => a.line - b.line), figures: measure(model) }
}

/**
 * What a schema sees of the deliverable in `file`: the model of Markdown, or the JSON itself.
 * @throws {FedError} when it cannot be read.
 */
export function documentInFile(file: string, workspace: string): unknown {
  const text = readText(file, workspace)
  if (typeof text !== 'string')
    throw text.rule === 'exists' ? new NotFoundError(text.message) : new FedError(text.message)
  if (!isJsonFile(file)) return documentOf(readDeliverable(text))
  const { problems, json } = readJson(text)
  const [problem] = problems
  if (problem !== undefined) throw new FedError(`${file}:${problem.line} ${problem.rule}: ${problem.message}`)
  return json
}

function readText(file: string, workspace: string): string | Problem {
  const bytes = readInside(file, workspace)
  if (!Buffer.isBuffer(bytes)) return { line: 1, ...bytes }
  const text = decode(bytes)
  return typeof text === 'string' ? text : { rule: 'utf-8', ...text }
}

function readInside(file: string, workspace: string): Buffer | Omit<Problem, 'line'> {
  try {
    const real = realpathSync(file)
    const within = realpathSync(workspace)
    const relative = path.relative(within, real)
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
    // where the links led is opened without following any: what was put there since is not
    return readPlain(real, { within, largestBytes })
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
