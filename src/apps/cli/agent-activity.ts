import { unless } from '../../errors/unless.ts'
import { oneLine } from './plain-text.ts'

/**
 * Fields of an agent's JSON lines that hold its words, for the progress line; the first with text wins. What
 * fed reads of such lines: `src/agents/drivers/streams/`; errors in them: `src/monitor/session-log.ts`.
 */
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
/** How deep fields within fields are searched. */
const deepest = 6

/** A line of an agent's output for people: without control characters, and of a JSON line only its words. */
export function activityOf(line: string): string {
  if (!line.startsWith('{')) return oneLine(line)
  const event = parse(line)
  return isPrompt(event) ? '' : oneLine(wordsOf(event, deepest))
}

/** Some agents begin with what they were told. */
function isPrompt(event: unknown): boolean {
  const { type, role } =
    ((typeof event === 'object' ? event : null) as { type?: unknown; role?: unknown }) ?? {}
  return type === 'message' && role === 'user'
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
