import path from 'node:path'
import fs from 'fs-extra'
import * as z from 'zod/mini'
import { documentSchema } from '../../records/deliverable/checked-document.ts'
import { packageVersion } from '../../platform/process/package.ts'
import { planSchema } from '../../protocol/plan-schema.ts'
import { configSchema } from '../../protocol/config-schema.ts'

/** What editors understand best. */
const target = 'draft-7'

/** A zod schema as JSON Schema of what people write: what has a default may be left out. */
function jsonSchema(schema: z.core.$ZodType, title: string, io: 'input' | 'output'): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target, io })
  // by the version a copy of it knows whether it is older
  return `${JSON.stringify({ $schema, $comment: `fed ${packageVersion}`, title, ...rest }, null, 2)}\n`
}

/** The content of each schema file of this folder, by its name. */
function schemaFiles(): Map<string, string> {
  return new Map([
    ['federate.config.schema.json', jsonSchema(configSchema, 'federate.config.json', 'input')],
    ['plan.schema.json', jsonSchema(planSchema, 'Plan of a goal', 'input')],
    ['deliverable.schema.json', jsonSchema(documentSchema, 'Model of a Markdown deliverable', 'output')],
  ])
}

/** Writes all of them into a folder, which it makes; returns their paths. */
export function writeSchemas(dir: string): string[] {
  return [...schemaFiles()].map(([name, content]) => {
    const file = path.join(dir, name)
    fs.outputFileSync(file, content)
    return file
  })
}
