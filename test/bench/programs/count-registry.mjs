// One of several writers of a registry: `count-registry.mjs <way> <folder> <times>`.
import { answer, begin } from '../children.mjs'
import { clock } from '../measure.mjs'
import { registryWriter } from '../registry-writer.mjs'

const [way, folder, times] = process.argv.slice(2)

await answer(async () => {
  const write = await registryWriter(way, folder)
  await begin()
  const begun = clock()
  for (let done = 0; done < Number(times); done += 1) await write()
  return { begun, ended: clock() }
})
