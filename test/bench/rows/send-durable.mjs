import { openMessages } from '../message-table.mjs'
import { comparedWithEach, each, timed } from '../measure.mjs'
import { draftOf, newFederation, newFolder, surviving } from '../places.mjs'
import { runProgram } from '../rivals.mjs'

const usualBytes = 400

/** A send that survives a power cut, against an insert into SQLite that does, and against its own promises in C. */
export async function measure({ rounds = 15, count = 60 }) {
  surviving('power')
  const federation = await newFederation('docs')
  let number = 0
  const ours = () =>
    timed(async () => {
      for (let done = 0; done < count; done += 1) await federation.send(draftOf((number += 1)))
    })
  const insert = async () => {
    const messages = await openMessages(newFolder('rival'), 'FULL')
    return () =>
      timed(() => {
        for (let done = 0; done < count; done += 1) messages.send(draftOf(done))
      })
  }
  const rivals = [
    { rival: 'SQLite FULL', floor: 0.75, reach: 1, prepare: insert },
    {
      rival: 'C: the same calls',
      prepare: async () => () => runProgram('promise', newFolder('rival'), count, usualBytes),
    },
  ]
  return comparedWithEach({ path: 'send, durable', sense: 'at least' }, rivals, {
    rounds,
    ours,
    describe: each(count),
  })
}
