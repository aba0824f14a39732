import { linkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startProgram, stop, tell } from '../children.mjs'
import { signalFile } from '../history-files.mjs'
import { clock, inWords, median, quantile } from '../measure.mjs'
import { newFederation, surviving } from '../places.mjs'
import { Skipped } from '../rivals.mjs'

/** From the moment a signal has its name in the inbox until a handler in another process has it. */
export async function measure({ rounds = 4, count = 120 }) {
  surviving('process')
  let number = 0

  /** Milliseconds of each signal; they come at irregular times, one after the other. */
  const latencies = async (way) => {
    const federation = await newFederation('docs')
    const { inbox, outbox } = federation.mailbox('docs')
    const reader = await startProgram('wake', way, federation.root)
    const heard = new Map()
    const seen = new Promise((resolve) => {
      reader.on('message', (message) => {
        if (message.id !== undefined) heard.get(message.id)?.()
        if (message.seen !== undefined) resolve(new Map(message.seen))
      })
    })
    tell(reader, count)
    const linked = new Map()
    for (let sent = 0; sent < count; sent += 1) {
      const { name, id, text } = signalFile((number += 1))
      const temporary = path.join(outbox, `.${id}.tmp`)
      writeFileSync(temporary, text, { mode: 0o444 })
      const taken = new Promise((resolve) => heard.set(id, resolve))
      linked.set(id, clock())
      linkSync(temporary, path.join(inbox, name))
      await taken
      await wait(2 + (sent % 7) * 3)
    }
    const times = await seen
    await stop(reader)
    return [...linked].map(([id, at]) => times.get(id) - at)
  }

  const ours = []
  const theirs = []
  let missing
  for (let round = 0; round < rounds; round += 1) {
    ours.push(...(await latencies('ours')))
    if (missing !== undefined) continue
    try {
      theirs.push(...(await latencies('chokidar')))
    } catch (error) {
      if (!(error instanceof Skipped)) throw error
      missing = error.message
    }
  }
  const row = (name, of, floor, reach) => ({
    path: `wake-up, ${name}`,
    ours: inWords(of(ours)),
    rival: missing ?? `chokidar ${inWords(of(theirs))}`,
    value: of(ours),
    unit: 'ms',
    sense: 'at most',
    floor,
    reach,
  })
  return [row('p50', median, 1, 0.4), row('p99', (times) => quantile(times, 0.99), 5, 2)]
}
