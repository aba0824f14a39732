// What the tests of a crowded registry start as processes of their own: `<role> <root> <gate> <team> <times>`.
import { readFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { openFederation } from '../../src/index.ts'
import { Gate } from '../support/gate.ts'

const [role, root = '', folder = '', team = '', times = '0'] = process.argv.slice(2)
const gate = new Gate(folder)
const { registry } = await openFederation(root)

/** Counts in an entry of its own and, with all others, in one field of the whole registry. */
function update(): number[] {
  const versions: number[] = []
  for (let count = 1; count <= Number(times); count += 1) {
    const { lockVersion } = registry.update((draft) => {
      const counted = draft as { total?: number }
      counted.total = (counted.total ?? 0) + 1
      for (const entry of draft.teams) if (entry.domainId === team) entry.count = count
    })
    versions.push(lockVersion)
  }
  return versions
}

/** Reads on and on until the others are done; `lockVersion` is looked at as often as it is read. */
async function read(look: () => number) {
  const torn: string[] = []
  const fell: string[] = []
  let reads = 0
  let last = 0
  for (let isLast = false; !isLast;) {
    isLast = gate.isOver('updating')
    try {
      const lockVersion = look()
      if (lockVersion < last) fell.push(`from ${last} to ${lockVersion}`)
      last = lockVersion
    } catch (error) {
      torn.push(String(error))
    }
    reads += 1
    await turn()
  }
  return { reads, torn, fell, last }
}

const published = path.join(root, '.fed', 'team-registry.json')
gate.arrive(1)
switch (role) {
  case 'update':
    writeSync(1, JSON.stringify({ versions: update() }))
    break
  case 'read-plainly':
    writeSync(1, JSON.stringify(await read(() => JSON.parse(readFileSync(published, 'utf8')).lockVersion)))
    break
  case 'read':
    writeSync(1, JSON.stringify(await read(() => registry.read().lockVersion)))
    break
  default:
    throw new Error(`no role ${role}`)
}
