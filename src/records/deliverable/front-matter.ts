import { LineCounter, isNode, parse, parseDocument } from 'yaml'
import type { JsonPath } from './json-lines.ts'

export interface FrontMatter {
  /** The parsed mapping; undefined where there is none or it cannot be read. */
  data: Record<string, unknown> | undefined
  /** Why it cannot be read. */
  error: string | undefined
  /** Lines that it takes from the start of the file, fences included; 0 where there is none. */
  lines: number
}

/** Front matter longer than this many characters is not parsed. */
const longest = 65_536

/**
 * Reads the YAML between a first line `---` and the next `---` or `...`. A document that merely begins with a
 * thematic break has none: what follows the fence must look like a key.
 */
export function readFrontMatter(lines: readonly string[]): FrontMatter {
  const none = { data: undefined, error: undefined, lines: 0 }
  if (!/^---\s*$/.test(lines[0] ?? '')) return none
  const close = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
  if (close < 0) return none
  const inner = lines.slice(1, close)
  const first = inner.find((line) => line.trim() !== '' && !line.startsWith('#'))
  if (first === undefined ? inner.length > 0 : !/^(?:["']?[\w$@.-].*?:(?:\s|$)|\{)/.test(first)) return none
  return { ...parseMapping(inner.join('\n')), lines: close + 1 }
}

function parseMapping(source: string): Pick<FrontMatter, 'data' | 'error'> {
  if (source.length > longest) return { data: undefined, error: `it is longer than ${longest} characters` }
  try {
    // Aliases can cost minutes in a few kilobytes, and front matter has no use for them.
    const data: unknown = parse(source, { logLevel: 'error', maxAliasCount: 0 }) ?? {}
    if (typeof data === 'object' && !Array.isArray(data)) return { data: { ...data }, error: undefined }
    return { data: undefined, error: 'it is not a mapping of keys to values' }
  } catch (error) {
    const [message = 'it cannot be read'] = error instanceof Error ? error.message.split('\n') : []
    return { data: undefined, error: message }
  }
}

/** 1-based line of a value in readable front matter; of one that is not there, the line of what should hold it. */
export function frontMatterLine(
  lines: readonly string[],
  { lines: length }: FrontMatter,
  path: JsonPath,
): number {
  const counter = new LineCounter()
  const source = lines.slice(1, length - 1).join('\n')
  const document = parseDocument(source, { lineCounter: counter, logLevel: 'error' })
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return counter.linePos(node.range[0]).line + 1
  }
  return 1
}
