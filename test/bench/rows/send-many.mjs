import { openMessages } from '../message-table.mjs'
import { compared, each, inTurn, timed } from '../measure.mjs'
import { draftOf, newFederation, newFolder, surviving } from '../places.mjs'

const batch = 64

/** 64 signals in one durable round, against 64 inserts into SQLite, each durable. */
export async function measure({ rounds = 11, count = 3 }) {
  surviving('power')
  const messages = await openMessages(newFolder('rival'), 'FULL')
  const federation = await newFederation('docs')
  let number = 0
  const pairs = await inTurn(
    rounds,
    () =>
      timed(async () => {
        for (let done = 0; done < count; done += 1) {
          await federation.sendMany(Array.from({ length: batch }, () => draftOf((number += 1))))
        }
      }),
    () =>
      timed(() => {
        for (let done = 0; done < batch * count; done += 1) messages.send(draftOf(done))
      }),
  )
  return [
    compared(
      { path: 'sendMany of 64, durable', rival: 'SQLite FULL', sense: 'at least', floor: 2.5, reach: 5 },
      pairs,
      { describe: each(batch * count) },
    ),
  ]
}
