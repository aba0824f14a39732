// Ways to add one to a registry's version while others do the same: ours, and files under a lock.
import { openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { library } from './places.mjs'
import { rivalPackage } from './rivals.mjs'

export function registryFile(folder) {
  return path.join(folder, '.fed', 'team-registry.json')
}

/** What everybody writes under a lock: the file read, changed, and renamed into place. */
function rewrite(file) {
  const registry = JSON.parse(readFileSync(file, 'utf8'))
  registry.lockVersion += 1
  registry.lastUpdated = new Date().toISOString()
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, `${JSON.stringify(registry, null, 2)}\n`)
  renameSync(temporary, file)
}

/** A function that makes one update of the registry of a folder. */
export async function registryWriter(way, folder) {
  const file = registryFile(folder)
  if (way === 'flock') {
    const { flockSync } = await rivalPackage('fs-ext')
    const lock = openSync(`${file}.flock`, 'w')
    return () => {
      flockSync(lock, 'ex')
      rewrite(file)
      flockSync(lock, 'un')
    }
  }
  if (way === 'proper-lockfile') {
    const { lock } = await rivalPackage('proper-lockfile')
    return async () => {
      const release = await lock(file, {
        realpath: false,
        retries: { retries: 100_000, factor: 1, minTimeout: 1, maxTimeout: 10, randomize: true },
      })
      rewrite(file)
      await release()
    }
  }
  const { openFederation } = await library()
  const { registry } = await openFederation(folder)
  return () =>
    registry.update((draft) => {
      draft.counted = (draft.counted ?? 0) + 1
    })
}
