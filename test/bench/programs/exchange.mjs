// One side of an exchange, in rounds of so many messages as it is told: `exchange.mjs send|receive <way> <place>`.
import { on } from 'node:events'
import { answer, say } from '../children.mjs'
import { ways } from '../exchange-ways.mjs'
import { clock } from '../measure.mjs'

const [side, way, place] = process.argv.slice(2)

/** Sends a round of messages one after the other. */
async function sender({ send }) {
  let number = 0
  return async (count) => {
    const begun = clock()
    for (let done = 0; done < count; done += 1) await send((number += 1))
    return { begun }
  }
}

/** Receives until a round is complete. */
async function receiver({ receive }) {
  const seen = new Set()
  const rounds = { expected: 0, finish: undefined }
  const look = () => {
    if (rounds.finish !== undefined && seen.size >= rounds.expected) rounds.finish()
  }
  const failed = new Promise((_resolve, reject) => {
    Promise.resolve(
      receive((ids) => {
        for (const id of ids) seen.add(id)
        look()
      }),
    ).catch(reject)
  })
  return async (count) => {
    rounds.expected += count
    const complete = new Promise((resolve) => (rounds.finish = resolve))
    look()
    await Promise.race([complete, failed])
    return { ended: clock() }
  }
}

await answer(async () => {
  const means = await ways[way](place)
  const round = await (side === 'send' ? sender(means) : receiver(means))
  process.once('disconnect', () => process.exit(0))
  const told = on(process, 'message')
  await say({ ready: true })
  for await (const [count] of told) await say({ result: await round(count) })
})
