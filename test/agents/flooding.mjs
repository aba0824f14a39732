// Prints far more than anybody reads and less than a log holds, one line of it endless, and does its job.
import { writeSync } from 'node:fs'
import { walk } from './work.mjs'

const flood = 'überflüssig '.repeat(90_000)
for (let round = 0; round < 2; round += 1) {
  for (const output of [1, 2]) {
    for (let bytes = Buffer.from(flood); bytes.length > 0;) bytes = bytes.subarray(writeSync(output, bytes))
  }
}
console.log('\n\u001B[31mthe last of the flood\u001B[0m')
await walk()
