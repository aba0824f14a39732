// A reader whose event loop is blocked when the burst comes: `blocked-reader.mjs <root> <ms>`.
import { answer, begin, say } from '../children.mjs'
import { clock } from '../measure.mjs'
import { library } from '../places.mjs'

const [root, blocked] = process.argv.slice(2)

await answer(async () => {
  const { openFederation } = await library()
  const mailbox = (await openFederation(root)).mailbox('docs')
  const ids = new Set()
  let told = 0
  let enough = Number.POSITIVE_INFINITY
  let finish
  const all = new Promise((resolve) => (finish = resolve))
  mailbox.watch((signals) => {
    for (const { id } of signals) ids.add(id)
    told += 1
    if (ids.size >= enough) finish()
  })
  enough = Number(await begin())
  await say({ blocked: true })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(blocked))
  const free = clock()
  const late = setTimeout(finish, 60_000)
  await all
  clearTimeout(late)
  return { seen: ids.size, told, after: clock() - free }
})
