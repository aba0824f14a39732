import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { hasCode } from '../storage/system-error.ts'

/** So much of a log's end is read, in bytes: an agent may print for hours. */
const tailBytes = 16_384
/** Longest line that is repeated to people, in characters. */
const longestLine = 200

/** What belongs to an error above it: stack frames, and what node prints below them. */
const accompaniment = /^(?:\s+\S|Node\.js v\d|[\^~}\])]+$)/
/** A date or a time of day that a line begins with. */
const stamp = /^\[?\d[\d:.,TZ+\-/ ]*\]?\s*/
/** A severity, or the name of an exception, with its colon. */
const named =
  /^\[?(?:fatal|panic|critical|uncaught|unhandled|[\w$.]*(?:error|exception))(?:\[\w+\]|\([^)]*\))?\]?:/i
/** Without a colon only a severity in capitals is one: 'Error handling is done in …' is prose. */
const shouted = /^\[?(?:ERROR|FATAL|CRITICAL|PANIC)\b/

/**
 * The error with which a session's log ends, or undefined. Only the last words count: an agent that goes on
 * after an error got over it, and one that studies code or runs tests prints the word all day. A line of JSON
 * counts by what the agent itself says of it (`type`, `is_error`, `status`), not by the words in it; any other
 * line counts when it begins with a severity or the name of an exception.
 */
export function errorAtEnd(log: string): string | undefined {
  const lines = tailOf(log)
    .split('\n')
    .map((line) => stripVTControlCharacters(line).trimEnd())
    .filter((line) => line !== '')
  const last = lines.findLast((line) => !accompaniment.test(line))
  if (last === undefined) return undefined
  const error = last.startsWith('{') ? errorInJson(last) : isErrorLine(last) ? last : undefined
  return error === undefined || error.length <= longestLine ? error : `${error.slice(0, longestLine)}…`
}

/** The last line of a log that says something, for whoever wants to know why an agent ended. */
export function lastLine(log: string): string | undefined {
  const line = tailOf(log)
    .split('\n')
    .map((one) => stripVTControlCharacters(one).trim())
    .findLast((one) => one !== '')
  return line === undefined || line.length <= longestLine ? line : `${line.slice(0, longestLine)}…`
}

function isErrorLine(line: string): boolean {
  const words = line.replace(stamp, '')
  return named.test(words) || shouted.test(words)
}

function errorInJson(line: string): string | undefined {
  let event: Record<string, unknown>
  try {
    event = JSON.parse(line) as Record<string, unknown>
  } catch (error) {
    // cut off, or no JSON at all
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  const { type, status, subtype, is_error: isError } = event
  const isFailure =
    isError === true ||
    status === 'error' ||
    [type, subtype].some((one) => typeof one === 'string' && /^(?:error|fatal|turn\.failed)/.test(one))
  return isFailure ? (wordsOf(event) ?? line) : undefined
}

function wordsOf(event: Record<string, unknown>): string | undefined {
  for (const field of ['message', 'error', 'result', 'data']) {
    const value = event[field]
    if (typeof value === 'string' && value.trim() !== '') return value.trim().replace(/\s+/g, ' ')
    if (typeof value === 'object' && value !== null) {
      const inner = wordsOf(value as Record<string, unknown>)
      if (inner !== undefined) return inner
    }
  }
  return undefined
}

function tailOf(log: string): string {
  let descriptor: number
  try {
    // whatever lies there by now, nobody waits for it
    descriptor = openSync(log, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENXIO', 'EISDIR')) return ''
    throw error
  }
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) return ''
    const from = Math.max(0, stat.size - tailBytes)
    const bytes = Buffer.alloc(stat.size - from)
    const length = readSync(descriptor, bytes, 0, bytes.length, from)
    const text = bytes.toString('utf8', 0, length)
    // of a line that begins before the tail nobody knows how it began
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } finally {
    closeSync(descriptor)
  }
}
