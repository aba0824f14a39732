import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { compared, each, inTurn, timed } from '../measure.mjs'
import { draftOf, inboxOf, newFederation, newFolder, surviving } from '../places.mjs'
import { rivalProgram, runProgram } from '../rivals.mjs'

/** A send that waits for no disk, against what a C program needs to put a file of that size in place. */
export async function measure({ rounds = 21, count = 400 }) {
  surviving('process')
  rivalProgram()
  let bytes = 0
  const pairs = await inTurn(
    rounds,
    async () => {
      const federation = await newFederation('docs')
      const spent = await timed(async () => {
        for (let number = 0; number < count; number += 1) await federation.send(draftOf(number))
      })
      const inbox = inboxOf(federation, 'docs')
      const [name] = readdirSync(inbox)
      bytes = statSync(path.join(inbox, name)).size
      return spent
    },
    () => runProgram('send', newFolder('rival'), count, bytes || 400),
  )
  return [
    compared(
      { path: 'send, not durable', rival: 'C: write, rename', sense: 'at least', floor: 0.45, reach: 0.6 },
      pairs,
      { describe: each(count) },
    ),
  ]
}
