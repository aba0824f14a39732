// Proves that of three nodes one whose disk is full can be stopped and done without, and that nothing acknowledged is lost
// where two are full: what waits arrives once there is room. It fails when a signal is lost or twice. Needs to mount:
// skipped without.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { newFolder } from '../support/federation.ts'
import { areLinked, sharedRemote, Site } from '../support/linked-sites.ts'
import { hasServer, startCluster, type NatsServer } from '../support/nats-server.ts'
import { until } from '../support/until.ts'

const mounted: string[] = []

/** A file system of so many MiB of its own; undefined where none may be mounted. */
function smallDisk(mebibytes: number): string | undefined {
  const folder = newFolder('small-disk')
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder])
  if (status !== 0) return undefined
  mounted.push(folder)
  return folder
}

const unmount = () => {
  for (const folder of mounted.splice(0)) spawnSync('umount', ['--lazy', folder])
}
const canMount = hasServer && process.getuid?.() === 0 && smallDisk(1) !== undefined
unmount()

describe.skipIf(!canMount)('three nodes', () => {
  let nodes: NatsServer[] = []
  let sites: Site[] = []

  afterEach(async () => {
    for (const site of sites) await site.down()
    for (const node of nodes) await node.kill()
    unmount()
  })

  test.each([1, 2])('%i of them with a disk that fills up', async (small) => {
    const disks = Array.from({ length: small }, () => smallDisk(24) as string)
    nodes = await startCluster({ stores: disks })
    const remote = sharedRemote()
    const settings = { federation: `full${small}`, replicas: 3 }
    sites = ['a', 'b'].map(
      (name) =>
        new Site(
          name,
          nodes.map(({ url }) => url),
          settings,
          remote,
        ),
    )
    const [a, b] = sites as [Site, Site]
    await a.onboard('x')
    await b.onboard('y')
    for (const site of sites) site.up()
    await areLinked(a, b)
    await a.knows('y', 'b')
    await b.knows('x', 'a')
    const sent = [await a.send('x', 'y', 'before')]
    await b.got('y', sent)
    // something else fills it
    const filler = disks.map((disk) => path.join(disk, 'filler'))
    for (const file of filler)
      expect(() => writeFileSync(file, Buffer.alloc(32 * 1024 * 1024))).toThrow(/ENOSPC/)
    for (let number = 0; number < 40; number += 1)
      sent.push(await a.send('x', 'y', `number ${number}`), await b.send('y', 'x', `number ${number}`))
    const [toY, toX] = [
      sent.filter((_, at) => at === 0 || at % 2 === 1),
      sent.filter((_, at) => at > 0 && at % 2 === 0),
    ]
    // what a full node leads stands still until it is stopped; then two do without it
    for (const node of nodes.slice(0, small)) await node.kill()
    if (small === 1) {
      await b.got('y', toY)
      await a.got('x', toX)
    }
    for (const file of filler) rmSync(file)
    for (const node of nodes.slice(0, small)) {
      node.begin()
      await node.answers()
    }
    await b.got('y', toY)
    await a.got('x', toX)
    expect(b.mail('y')).toEqual(toY)
    expect(a.mail('x')).toEqual(toX)
    await until('all to be read', () => a.readTo === b.readTo)
  })
})
