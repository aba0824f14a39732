import { unless } from '../../errors/unless.ts'
import { oneLine } from './plain-text.ts'

/** Fields in which headless agents tell, in JSON lines, what they are doing; the first that says something wins. */
const telling = [
  'text',
  'message',
  'description',
  'command',
  'file_path',
  'path',
  'content',
  'result',
  'part',
  'item',
  'input',
]
const deepest = 6

/** What a line that an agent printed says to people: no control characters, and of a JSON line its words. */
export function activityOf(line: string): string {
  return oneLine(line.startsWith('{') ? wordsOf(parse(line), deepest) : line)
}

function parse(line: string): unknown {
  // a brace does not make it JSON
  return unless(SyntaxError, () => JSON.parse(line)) ?? line
}

function wordsOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth === 0) return ''
  const inner: unknown[] = Array.isArray(value)
    ? value
    : telling.map((field) => (value as Record<string, unknown>)[field])
  for (const one of inner) {
    const words = wordsOf(one, depth - 1)
    if (words.trim() !== '') return words
  }
  return ''
}
