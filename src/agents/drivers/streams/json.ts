import { unless } from '../../../errors/unless.ts'
/** The value at a path in JSON from an agent, which may have any shape; undefined where there is none. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let inner = value
  for (const field of path) {
    if (typeof inner !== 'object' || inner === null) return undefined
    inner = (inner as Record<string, unknown>)[field]
  }
  return inner
}

/** The string at a path; undefined where there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

/** No agent uses up so much: what tells more tells nothing. */
const largestAmount = 1e15

/** The number at a path, if it can be an amount; undefined where nothing of the kind is told. */
export function figureAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path)
  return typeof found === 'number' && found >= 0 && found <= largestAmount ? found : undefined
}

/** The same, and 0 where there is none, so that it can be added up. */
export function amountAt(value: unknown, ...path: readonly string[]): number {
  return figureAt(value, ...path) ?? 0
}

/** The array at a path; empty where there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Calls the handler of the event's `type`; an event without a handler is ignored. */
export function dispatch(takers: Readonly<Record<string, (event: object) => void>>, event: object): void {
  const type = textAt(event, 'type')
  if (type !== undefined && Object.hasOwn(takers, type)) takers[type]?.(event)
}

/** The JSON object on a line; undefined for a line of anything else. */
export function parseLine(line: string): object | undefined {
  if (!line.startsWith('{')) return undefined
  return unless(SyntaxError, () => JSON.parse(line) as object)
}
