// One of several senders of a burst: `send-burst.mjs <root> <first number> <count>`.
import { answer, begin } from '../children.mjs'
import { draftOf, library } from '../places.mjs'

const [root, first, count] = process.argv.slice(2).map((word, index) => (index === 0 ? word : Number(word)))
const batch = 500

await answer(async () => {
  const { openFederation } = await library()
  const federation = await openFederation(root)
  await begin()
  for (let done = 0; done < count; done += batch) {
    const size = Math.min(batch, count - done)
    await federation.sendMany(Array.from({ length: size }, (_, index) => draftOf(first + done + index)))
  }
  return { sent: count }
})
