// The entry of `npm run diagrams`: draws the machines into the directory named, or into `diagrams/`.
import { writeDiagrams } from './diagram-files.ts'

void writeDiagrams(process.argv[2] ?? 'diagrams').then((files) => console.log(files.join('\n')))
