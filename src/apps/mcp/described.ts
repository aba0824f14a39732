import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import * as z from 'zod/mini'

/** The schema as the protocol wants it: it describes itself as JSON Schema. */
export function described(schema: z.ZodMiniType): StandardSchemaWithJSON {
  const of = (io: 'input' | 'output') => () => z.toJSONSchema(schema, { io }) as Record<string, unknown>
  const { '~standard': standard } = schema
  return { '~standard': { ...standard, jsonSchema: { input: of('input'), output: of('output') } } }
}
