import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../platform/process/package.ts'

/** A place in the federation's own code. */
export interface SourcePlace {
  /** Absolute path. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
}

/** Where in the federation's own code an error arose, as far as its stack or its words tell. */
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

/** Where one of these texts stands first in one of these files; the files that come first are asked first. */
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

/** Whatever realm or copy it comes from. */
function isError(thrown: unknown): thrown is Error {
  return typeof thrown === 'object' && thrown !== null && typeof (thrown as Error).message === 'string'
}

/** The first line of what was thrown, whatever it was. */
export function reasonOf(thrown: unknown): string {
  const text = isError(thrown) ? thrown.message || thrown.name : String(thrown)
  // xstate puts the guard's place in its own literal on a line before what the guard said
  const said = text.replace(/^Unable to evaluate guard[^\n]*\n/, '')
  return said.trim().split('\n')[0]?.trim() ?? ''
}

/** The same with the place in front of it: `hooks/fed.ts:12: x is not defined`. */
export function placedReason(thrown: unknown, root: string): string {
  const place = placeOf(thrown, root)
  return place === undefined
    ? reasonOf(thrown)
    : `${path.relative(root, place.file)}:${place.line}: ${reasonOf(thrown)}`
}
