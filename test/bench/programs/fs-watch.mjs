// Tells when the operating system's notice of a new name in a folder comes: `fs-watch.mjs <folder>`.
import { watch } from 'node:fs'
import { answer, begin, say } from '../children.mjs'

await answer(async () => {
  const heard = new Set()
  watch(process.argv[2], (_, name) => {
    if (name === null || heard.has(name)) return
    heard.add(name)
    void say({ name, at: performance.timeOrigin + performance.now() })
  })
  await begin()
  return new Promise(() => undefined)
})
