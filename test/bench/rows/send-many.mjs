import { openMessages } from '../message-table.mjs'
import { comparedWithEach, each, timed } from '../measure.mjs'
import { draftOf, newFederation, newFolder, surviving } from '../places.mjs'
import { runProgram } from '../rivals.mjs'

const batch = 64
const usualBytes = 400

/** 64 signals in one durable round, against 64 inserts into SQLite, each durable, and its own promises in C. */
export async function measure({ rounds = 11, count = 3 }) {
  surviving('power')
  const federation = await newFederation('docs')
  let number = 0
  const ours = () =>
    timed(async () => {
      for (let done = 0; done < count; done += 1) {
        await federation.sendMany(Array.from({ length: batch }, () => draftOf((number += 1))))
      }
    })
  const insert = async () => {
    const messages = await openMessages(newFolder('rival'), 'FULL')
    return () =>
      timed(() => {
        for (let done = 0; done < batch * count; done += 1) messages.send(draftOf(done))
      })
  }
  const inC = async () => () => {
    let spent = 0
    for (let done = 0; done < count; done += 1)
      spent += runProgram('batch', newFolder('rival'), batch, usualBytes)
    return spent
  }
  return comparedWithEach(
    { path: 'sendMany of 64, durable', sense: 'at least' },
    [
      { rival: 'SQLite FULL', floor: 2.5, reach: 5, prepare: insert },
      { rival: 'C: the same calls', sense: 'at most', prepare: inC },
    ],
    { rounds, ours, describe: each(batch * count) },
  )
}
