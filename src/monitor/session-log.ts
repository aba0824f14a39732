import { fstatSync, readSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { unless } from '../errors/unless.ts'
import { ifPlain } from '../platform/storage/plain-file.ts'

/** So much of a log's end is read for its last words, in bytes. */
const tailBytes = 16_384
/** So much of it is searched for errors: an agent may print for hours. */
const searchedBytes = 8 * 1024 * 1024
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
 * The error with which a session's log ends, or undefined. Agents that study code or run tests print the word all
 * day: a line of JSON counts by what the agent itself says of it (`type`, `is_error`, `status`), not by the words in it; any other
 * line counts when it begins with a severity or the name of an exception.
 */
export function errorAtEnd(log: string): string | undefined {
  const last = linesOf(tailOf(log, tailBytes)).findLast((line) => !accompaniment.test(line))
  return last === undefined ? undefined : errorIn(last)
}

/**
 * The last error in a session's log, wherever it stands, or undefined (spec §6: no errors in logs). What counts as
 * one is the same; of a log beyond 8 MiB the end is searched.
 */
export function errorAnywhere(log: string): string | undefined {
  const text = tailOf(log, searchedBytes)
  // most logs have not even the word
  if (!suspicious.test(text)) return undefined
  const lines = linesOf(text)
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] as string
    const error = suspicious.test(line) ? errorIn(line) : undefined
    if (error !== undefined) return error
  }
  return undefined
}

/** What every line that counts as an error has somewhere. */
const suspicious = /error|exception|fatal|panic|critical|uncaught|unhandled|turn\.failed/i

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => stripVTControlCharacters(line).trimEnd())
    .filter((line) => line !== '')
}

function errorIn(line: string): string | undefined {
  const error = line.startsWith('{') ? errorInJson(line) : isErrorLine(line) ? line : undefined
  return error === undefined || error.length <= longestLine ? error : `${error.slice(0, longestLine)}…`
}

/** The last line of a log that says something, for whoever wants to know why an agent ended. */
export function lastLine(log: string): string | undefined {
  const line = tailOf(log, tailBytes)
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
  const event = unless(SyntaxError, () => JSON.parse(line) as Record<string, unknown>)
  // cut off, or no JSON at all
  if (event === undefined) return undefined
  const { type, status, subtype, is_error: isError } = event
  // what a tool answered is the agent's to get over
  if (typeof type === 'string' && type.startsWith('tool')) return undefined
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

function tailOf(log: string, most: number): string {
  const read = (descriptor: number) => {
    const { size } = fstatSync(descriptor)
    const from = Math.max(0, size - most)
    const bytes = Buffer.alloc(size - from)
    const length = readSync(descriptor, bytes, 0, bytes.length, from)
    const text = bytes.toString('utf8', 0, length)
    // of a line that begins before the tail nobody knows how it began
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1)
  }
  return ifPlain(log, read) ?? ''
}
