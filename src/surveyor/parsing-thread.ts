/** A thread that parses source files which the survey hands to it. */
import { parentPort } from 'node:worker_threads'
import { readFacts } from './file-facts.ts'
import { SourceParser } from './languages/grammars.ts'
import type { ParsingAnswer, ParsingJob } from './parsing-threads.ts'

const port = parentPort as NonNullable<typeof parentPort>
const parser = SourceParser.start()

// What goes wrong here ends the thread, and the survey with it.
port.on('message', ({ number, file, bytes }: ParsingJob) => {
  void readFacts(file, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), () => parser).then(
    (facts) => port.postMessage({ number, facts } satisfies ParsingAnswer),
  )
})
