// Asks by many trays at once, request after request, and prints how long each waited for its answer, in milliseconds:
// `ask-trays.mjs <seconds> <tray>…`. It drops files as an agent's `fed` does, without a process for each.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, renameSync, watch, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setInterval } from 'node:timers/promises'

const [seconds, ...trays] = process.argv.slice(2)
const end = performance.now() + 1000 * Number(seconds)
const waits = []
/** An agent asks so often, in milliseconds: it thinks between two commands. */
const pauseMs = 500

async function askOn(tray) {
  const answers = path.join(path.dirname(path.dirname(tray)), 'answers', path.basename(tray))
  const watcher = watch(answers)
  const next = () => once(watcher, 'change')
  for await (const _ of setInterval(pauseMs)) {
    if (performance.now() >= end) break
    const id = randomUUID()
    const request = { format: 'fed-request-1', id, verb: 'inbox', args: {} }
    const began = performance.now()
    writeFileSync(path.join(tray, `${id}.tmp`), JSON.stringify(request))
    renameSync(path.join(tray, `${id}.tmp`), path.join(tray, `${id}.json`))
    const answer = path.join(answers, `${id}.json`)
    while (!existsSync(answer)) await next()
    waits.push(performance.now() - began)
  }
  watcher.close()
}

await Promise.all(trays.map(askOn))
console.log(JSON.stringify(waits))
