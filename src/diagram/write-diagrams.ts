// The entry of `npm run diagrams`: draws the machines into the directory named, or into `diagrams/`.
import { writeDiagrams } from './diagram-files.ts'

for (const file of await writeDiagrams(process.argv[2] ?? 'diagrams')) console.log(file)
