import { answerOf, startProgram, stop, tell } from '../children.mjs'
import { comparedWithEach, each } from '../measure.mjs'
import { newFederation, newFolder, surviving } from '../places.mjs'
import { startServer } from '../servers.mjs'

const withoutServer = async () => ({ place: newFolder('messages'), end: () => undefined })
const withServer = (name) => async () => {
  const { port, stop: end } = await startServer(name)
  return { place: port, end }
}

const rivals = [
  { way: 'sqlite', rival: 'SQLite NORMAL, 2 ms', floor: 0.6, reach: 1, prepare: withoutServer },
  { way: 'nats', rival: 'NATS JetStream', floor: 2.5, reach: 5, prepare: withServer('nats-server') },
  { way: 'redis', rival: 'Redis streams', floor: 1.5, reach: 3, prepare: withServer('redis-server') },
]

/** One process sends and awaits each message, another reads and acknowledges them, until all are acknowledged. */
export async function measure({ rounds = 5, count = 2000, warming = 1000 }) {
  surviving('process')
  const exchange = async (way, place) => {
    const receiver = await startProgram('exchange', 'receive', way, place)
    const sender = await startProgram('exchange', 'send', way, place)
    const both = [receiver, sender]
    const round = async (messages) => {
      const results = Promise.all(both.map(answerOf))
      for (const child of both) tell(child, messages)
      const [{ result: last }, { result: first }] = await results
      return last.ended - first.begun
    }
    // code that runs for the first time is slow everywhere
    await round(warming)
    const spent = await round(count)
    for (const child of both) await stop(child)
    return spent
  }
  const ours = async () => exchange('ours', (await newFederation('docs')).root)
  const rivalsOf = rivals.map(({ way, prepare, ...goal }) => ({
    ...goal,
    prepare: async () => async () => {
      const { place, end } = await prepare()
      const spent = await exchange(way, place)
      await end()
      return spent
    },
  }))
  return comparedWithEach({ path: 'send → read → acknowledge', sense: 'at least' }, rivalsOf, {
    rounds,
    ours,
    describe: each(count),
  })
}
