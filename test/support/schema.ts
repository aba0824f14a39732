import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { checkDeliverableFile } from '../../src/records/deliverable/check-file.ts'
import type { Problem } from '../../src/records/deliverable/rule.ts'
import { openSchema } from '../../src/records/deliverable/schema.ts'
import { newFolder } from './fed.ts'

/** What a deliverable of this text does against a schema, each as `line /path message`. */
export async function violationsOf(name: string, text: string, schema: unknown): Promise<string[]> {
  const workspace = newFolder('workspace')
  writeFileSync(path.join(workspace, 'schema.json'), JSON.stringify(schema))
  const file = path.join(workspace, name)
  writeFileSync(file, text)
  const opened = await openSchema(workspace, 'schema.json')
  const { problems } = checkDeliverableFile(file, { workspace, codebaseHasCode: false, schema: opened })
  return problems.filter(({ rule }) => rule === 'schema').map(shown)
}

function shown({ line, path: pointer, message }: Problem): string {
  // the message names the place as well, for whoever reads nothing else
  const place = pointer || 'the document'
  if (!message.startsWith(`${place} `)) throw new Error(`'${message}' does not begin with '${place}'`)
  return `${line} ${message}`
}
