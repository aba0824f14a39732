import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { NotPlainFileError } from '../errors/document-errors.ts'
import { temporaryIn } from '../platform/storage/temporary.ts'
import { appendPlain, readPlain, writePlain } from '../platform/storage/plain-file.ts'

/** Not to be had, or not to be kept: the disk is full or read-only, or the place belongs to somebody else. */
const OUT_OF_REACH = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'EEXIST',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EIO',
])

function unlessOutOfReach(error: unknown): undefined {
  if (error instanceof NotPlainFileError) return undefined
  if (OUT_OF_REACH.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
  throw error
}

// Another V8 may write another format.
const headOf = (label: string, bytes: Buffer): string =>
  `${label} ${bytes.length} ${process.versions.v8} ${createHash('sha1').update(bytes).digest('hex')}\n`

const blockOf = (label: string, value: unknown): Buffer => {
  const bytes = serialize(value)
  return Buffer.concat([Buffer.from(headOf(label, bytes)), bytes, Buffer.from('\n')])
}

/**
 * The blocks of a cache file, oldest first, as `v8.serialize` writes them, which is read in half the time of JSON; each carries its length and hash, so that a block that was
 * torn, damaged or written by another version ends the reading and what stood before it still counts.
 * `whole` says whether all of the file was read.
 */
export function readBlocks(file: string, label: string): { blocks: unknown[]; whole: boolean } {
  let content: Buffer
  try {
    content = readPlain(file)
  } catch (error) {
    unlessOutOfReach(error)
    return { blocks: [], whole: false }
  }
  const blocks: unknown[] = []
  for (let at = 0; at < content.length;) {
    const end = content.indexOf(10, at)
    const head = content.toString('utf8', at, end + 1)
    const length = Number(head.slice(label.length + 1).split(' ')[0])
    const bytes = content.subarray(end + 1, end + 1 + length)
    if (end < 0 || !head.startsWith(`${label} `) || head !== headOf(label, bytes))
      return { blocks, whole: false }
    blocks.push(deserialize(bytes))
    at = end + 1 + length + 1
  }
  return { blocks, whole: true }
}

/** Adds a block at the end. Whoever else appends at the same time does so before or after, never within. */
export function appendBlock(file: string, label: string, value: unknown): void {
  try {
    appendPlain(file, blockOf(label, value))
  } catch (error) {
    // What cannot be remembered is found out again.
    unlessOutOfReach(error)
  }
}

/** Puts one block in place of the whole file: a reader sees the old file or the new one, never a part. */
export function replaceBlocks(file: string, label: string, value: unknown): void {
  const temporary = temporaryIn(path.dirname(file))
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    appendPlain(temporary, blockOf(label, value))
    renameSync(temporary, file)
  } catch (error) {
    unlessOutOfReach(error)
    discard(temporary)
  }
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch (error) {
    unlessOutOfReach(error)
  }
}

/** The time that the file system of a folder gives to what is written now, in milliseconds; undefined where nothing can be written. */
export function clockOf(folder: string): number | undefined {
  const file = path.join(folder, 'clock')
  try {
    mkdirSync(folder, { recursive: true })
    writePlain(file, '.')
    return statSync(file).mtimeMs
  } catch (error) {
    return unlessOutOfReach(error)
  }
}
