/** A field of something that came as JSON from an agent: any shape is possible, none is believed. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let inner = value
  for (const field of path) {
    if (typeof inner !== 'object' || inner === null) return undefined
    inner = (inner as Record<string, unknown>)[field]
  }
  return inner
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

/** A number that can be added up: finite and not negative; 0 otherwise. */
export function amountAt(value: unknown, ...path: readonly string[]): number {
  const found = at(value, ...path)
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : 0
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Hands an event to what takes its type; most types tell nothing that is asked for. */
export function dispatch(takers: Readonly<Record<string, (event: object) => void>>, event: object): void {
  const type = textAt(event, 'type')
  if (type !== undefined && Object.hasOwn(takers, type)) takers[type]?.(event)
}

/** The object that a line is, or undefined. */
export function parseLine(line: string): object | undefined {
  if (!line.startsWith('{')) return undefined
  return unless(SyntaxError, () => JSON.parse(line) as object)
}
import { unless } from '../../../errors/unless.ts'
