import { readdirSync } from 'node:fs'
import { writeSignals } from '../history-files.mjs'
import { compared, each, inTurn, timed } from '../measure.mjs'
import { library, newFederation, surviving } from '../places.mjs'
import { rivalProgram, runProgram } from '../rivals.mjs'

/** Reading and validating what is new, without the listing, against a C program that only reads the files. */
export async function measure({ rounds = 15, count = 1000 }) {
  surviving('process')
  rivalProgram()
  const { openFederation } = await library()
  const federation = await newFederation('docs')
  const { inbox, outbox } = federation.mailbox('docs')
  writeSignals(inbox, outbox, 0, count, false)
  const pairs = await inTurn(
    rounds,
    async () => {
      const mailbox = (await openFederation(federation.root)).mailbox('docs')
      const listing = await timed(() => readdirSync(inbox))
      const spent = await timed(() => {
        if (mailbox.unacknowledged().length !== count) throw new Error('not all were read')
      })
      return spent - listing
    },
    () => runProgram('read', inbox),
  )
  return [
    compared(
      { path: 'read and validate what is new', rival: 'C: read', sense: 'at most', floor: 2.5, reach: 2 },
      pairs,
      { describe: each(count) },
    ),
  ]
}
