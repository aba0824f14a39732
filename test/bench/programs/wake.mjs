// A reader that tells when it is told of a signal: `wake.mjs ours|chokidar <root>`. Both read the signal and
// acknowledge it, as a recipient must.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { answer, begin, say } from '../children.mjs'
import { clock } from '../measure.mjs'
import { library } from '../places.mjs'
import { rivalPackage } from '../rivals.mjs'

const [way, root] = process.argv.slice(2)

async function watchOurs(onSignal) {
  const { openFederation } = await library()
  const mailbox = (await openFederation(root)).mailbox('docs')
  return mailbox.watch(async (signals) => {
    const at = clock()
    for (const { id } of signals) onSignal(id, at)
    await mailbox.acknowledgeFiles(signals.map(({ file }) => file))
  })
}

async function watchWithChokidar(onSignal) {
  const { watch } = await rivalPackage('chokidar')
  const { openFederation } = await library()
  const { inbox } = (await openFederation(root)).mailbox('docs')
  const watcher = watch(inbox, { ignored: (file) => file.endsWith('.ack'), depth: 0 })
  await new Promise((resolve) => watcher.once('ready', resolve))
  watcher.on('add', (file) => {
    const { id } = JSON.parse(readFileSync(file, 'utf8'))
    onSignal(id, clock())
    writeFileSync(path.join(inbox, `${path.basename(file)}.ack`), '{"acknowledged":true}\n')
  })
}

await answer(async () => {
  const seen = new Map()
  let expected = Number.POSITIVE_INFINITY
  let finish
  const all = new Promise((resolve) => (finish = resolve))
  const onSignal = (id, at) => {
    if (!seen.has(id)) seen.set(id, at)
    void say({ id })
    if (seen.size >= expected) finish()
  }
  await (way === 'ours' ? watchOurs : watchWithChokidar)(onSignal)
  expected = Number(await begin())
  await all
  return { seen: [...seen] }
})
