import { readFileSync } from 'node:fs'
import path from 'node:path'
import { printable } from '../../errors/printable.ts'
import { packageRoot } from '../../platform/process/package.ts'

/** A place in the federation's own code. */
export interface SourcePlace {
  /** Absolute path. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
}

/** Where in the federation's own code an error arose, by its stack or its words; undefined elsewhere. */
export function placeOf(error: unknown, root: string): SourcePlace | undefined {
  if (!isError(error)) return undefined
  const { stack = '', message } = error
  for (const [, file = '', line] of `${stack}\n${message}`.matchAll(
    /((?:\/|[A-Za-z]:\\)[^\n:()]*):(\d+):\d+/g,
  )) {
    // modules that node loads itself are told by their URL: file:///…
    const plain = file.startsWith('///') ? decodeURI(file.slice(2)) : file
    if (isOwn(root, plain)) return { file: plain, line: Number(line) }
  }
  return undefined
}

function isOwn(root: string, file: string): boolean {
  if (!file.startsWith(root + path.sep) || file.includes(`${path.sep}node_modules${path.sep}`)) return false
  return !['dist', 'src', 'node_modules'].some((part) =>
    file.startsWith(path.join(packageRoot, part) + path.sep),
  )
}

/**
 * The first place where one of these texts stands: the first text is looked for in all files, in their order,
 * then the next text. Undefined where none is found.
 */
export function findText(files: readonly string[], texts: readonly string[]): SourcePlace | undefined {
  for (const text of texts) {
    for (const file of files) {
      const lines = readFileSync(file, 'utf8').split('\n')
      const index = lines.findIndex((line) => line.includes(text))
      if (index >= 0) return { file, line: index + 1 }
    }
  }
  return undefined
}

/** Whether what was thrown is an error, of whatever realm or copy of the class. */
function isError(thrown: unknown): thrown is Error {
  return typeof thrown === 'object' && thrown !== null && typeof (thrown as Error).message === 'string'
}

/** So much of what was thrown is told, in characters. */
const longestReason = 500

/** The first line of what was thrown, whatever it was, without signs that a terminal obeys. */
export function reasonOf(thrown: unknown): string {
  const text = isError(thrown) ? thrown.message || thrown.name : wordsOf(thrown)
  // xstate puts the guard's place in its own literal on a line before what the guard said
  const said = text.replace(/^Unable to evaluate guard[^\n]*\n/, '')
  const first = said.trim().split('\n')[0]?.trim() ?? ''
  return printable(first, longestReason)
}

/** What is no error in words: an object may have none. */
function wordsOf(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return `it threw a ${typeof thrown} without words`
  }
}

/** `reasonOf` with the place in front of it: `hooks/fed.ts:12: x is not defined`. */
export function placedReason(thrown: unknown, root: string): string {
  const place = placeOf(thrown, root)
  return place === undefined
    ? reasonOf(thrown)
    : `${path.relative(root, place.file)}:${place.line}: ${reasonOf(thrown)}`
}
