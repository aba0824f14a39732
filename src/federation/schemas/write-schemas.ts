// The entry of `npm run schemas`: writes the JSON Schemas into the directory named, or where they belong.
import { writeSchemas } from './schema-files.ts'

console.log(writeSchemas(process.argv[2] ?? 'src/federation/schemas').join('\n'))
