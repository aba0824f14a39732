import type { ErrorObject } from 'ajv'
import { printable } from '../../errors/printable.ts'
import type { JsonPath } from './json-lines.ts'

/** What a document does against a schema. */
export interface Violation {
  readonly path: JsonPath
  readonly message: string
}

/** What ajv found, in words, with the way to the value that it is about. */
export function describeViolation(error: ErrorObject): Violation {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const { params } = error
  switch (error.keyword) {
    case 'additionalProperties':
      return { path: [...path, String(params['additionalProperty'])], message: 'is not allowed here' }
    case 'unevaluatedProperties':
      return { path: [...path, String(params['unevaluatedProperty'])], message: 'is not allowed here' }
    case 'required':
    case 'dependentRequired':
      return { path, message: `must have '${printable(String(params['missingProperty']))}'` }
    case 'enum':
      return {
        path,
        message: `must be one of ${(params['allowedValues'] as unknown[]).map(shown).join(', ')}`,
      }
    case 'contains':
      return { path, message: `must hold an item that meets ${shown(error.schema)}` }
    case 'const':
      return { path, message: `must be ${shown(params['allowedValue'])}` }
    case 'false schema':
      return { path, message: 'is not allowed here' }
    default:
      return { path, message: printable(error.message ?? `does not meet '${error.keyword}'`) }
  }
}

function shown(value: unknown): string {
  return printable(JSON.stringify(value))
}

/** A way as a JSON Pointer; empty for the whole document. */
export function pointerOf(path: JsonPath): string {
  return path.map((key) => `/${printable(String(key)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
