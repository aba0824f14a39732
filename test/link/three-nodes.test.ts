// Proves with three nodes and three sites, each a machine of its own with its own time, that what was sent arrives once
// while nodes die and the network loses what goes one way, or both; and that a site which was cut off or stopped while
// it was taken over moves nobody. It fails when a signal is lost or twice, or a replaced site's counts.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'
import { beginMission } from '../../src/federation/mission.ts'
import { listAside } from '../../src/link/put-aside.ts'
import { packageRoot, program } from '../../src/platform/process/package.ts'
import { META } from '../../src/protocol/team-id.ts'
import { readLinkState } from '../../src/records/sites/link-state.ts'
import { sharedRemote, Site } from '../support/linked-sites.ts'
import { hasNamespaces, Network } from '../support/namespaces.ts'
import { hasServer, NatsServer } from '../support/nats-server.ts'
import { isThorough } from '../support/thorough.ts'
import { until } from '../support/until.ts'

const nodes = ['n1', 'n2', 'n3']
const names = ['a', 'b', 'c']
/** How far the sites' clocks are ahead, in milliseconds. */
const ahead: Readonly<Record<string, number>> = { a: 0, b: 3_600_000, c: -3_600_000 }

/** A site whose link is a process at its machine. */
class Machine {
  readonly site: Site
  readonly #network: Network
  #link: ChildProcess | undefined

  constructor(network: Network, site: Site) {
    this.#network = network
    this.site = site
  }

  #start(...args: string[]): ChildProcess {
    const [file = '', ...words] = this.#network.at(this.site.name)
    const clock = path.join(packageRoot, 'test', 'support', 'preload', 'shifted-clock.cjs')
    return spawn(file, [...words, process.execPath, '--require', clock, program('fed'), ...args], {
      cwd: this.site.root,
      env: { ...process.env, FED_TEST_CLOCK: String(ahead[this.site.name]), FED_TELEMETRY_ENABLED: 'false' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  up(): void {
    this.#link = this.#start('link', 'up', '--replicas', '3')
    this.#link.stdout?.resume()
    this.#link.stderr?.resume()
  }

  signal(signal: NodeJS.Signals): void {
    this.#link?.kill(signal)
  }

  async fed(...args: string[]): Promise<{ readonly code: number; readonly said: string }> {
    const child = this.#start(...args)
    let said = ''
    for (const output of [child.stdout, child.stderr]) output?.on('data', (bytes) => (said += String(bytes)))
    const [code] = (await once(child, 'exit')) as [number]
    return { code, said }
  }
}

test.skipIf(!hasServer || !hasNamespaces || !isThorough)(
  'three nodes and three sites',
  async () => {
    const network = new Network()
    const servers: NatsServer[] = []
    const machines: Machine[] = []
    try {
      for (const host of [...nodes, ...names]) network.add(host)
      const routes = nodes.map((node) => `nats://${network.address(node)}:6222`).join(', ')
      for (const node of nodes) {
        const host = network.address(node)
        const cluster = `cluster { name: proof, listen: "${host}:6222", routes: [${routes}] }`
        const settings = `server_name: ${node}\n${cluster}`
        servers.push(new NatsServer({ host, settings, before: network.at(node) }))
      }
      for (const server of servers) server.begin()
      for (const server of servers) await server.answers()
      const urls = servers.map(({ url }) => url)
      const remote = sharedRemote()
      for (const name of names)
        machines.push(new Machine(network, new Site(name, urls, { federation: 'nodes' }, remote)))
      const [a, b, c] = machines as [Machine, Machine, Machine]
      for (const { site } of machines) await site.onboard(`${site.name}1`, `${site.name}2`)
      for (const machine of machines) machine.up()
      const teams = names.flatMap((name) => [`${name}1`, `${name}2`])
      const agree = async (at: (team: string) => string, all: readonly Machine[] = machines) => {
        for (const { site } of all) for (const team of teams) await site.knows(team, at(team))
      }
      await until('the first link', () => a.site.siteOf(META) === 'a')
      await agree((team) => team.slice(0, 1))
      // nodes that were just healed may choose their leader still: whoever is told so tries again
      const takenOver = (site: string) =>
        until(`${site} to be taken over`, async () => {
          await a.fed('takeover', site, '--force')
          return [`${site}1`, `${site}2`].every((team) => a.site.siteOf(team) === 'a')
        })
      const sent = new Map<string, string[]>(teams.map((team) => [team, []]))
      let count = 0
      const send = async (...from: Machine[]) => {
        for (const { site } of from)
          for (const sender of site.teams())
            for (const to of teams)
              // what goes within a site is in its files only, and stays there when the site is replaced
              if (to.slice(0, 1) !== sender.slice(0, 1))
                sent.get(to)?.push(await site.send(sender, to, `number ${(count += 1)}`))
      }
      const arrived = async () => {
        for (const { site } of machines)
          for (const team of site.teams()) await site.got(team, sent.get(team) ?? [])
      }
      await send(...machines)
      await arrived()
      console.info('all arrive')

      for (const server of servers) {
        await server.kill()
        await send(...machines)
        await arrived()
        server.begin()
        await server.answers()
      }
      console.info('each of three nodes was killed')

      const [first, second] = servers as [NatsServer, NatsServer]
      await Promise.all([first.kill(), second.kill()])
      await send(...machines)
      await until('a link to be in trouble', () =>
        machines.some(({ site }) => (readLinkState(site.root)?.trouble ?? null) !== null),
      )
      first.begin()
      await arrived()
      second.begin()
      await second.answers()
      console.info('two of three nodes were killed')

      for (const way of ['there', 'back', 'both']) {
        for (const node of nodes) {
          if (way !== 'back') network.cut('c', node)
          if (way !== 'there') network.cut(node, 'c')
        }
        await send(...machines)
        await a.site.got('a1', (sent.get('a1') ?? []).slice(0, 5))
        for (const node of nodes)
          for (const [from, to] of [
            ['c', node],
            [node, 'c'],
          ] as const)
            network.heal(from, to)
        await arrived()
      }
      console.info('a site was cut off, one way and the other, and both')

      // the node that most may speak with
      for (const other of ['n2', 'n3']) {
        network.cut('n1', other)
        network.cut(other, 'n1')
      }
      await send(...machines)
      await arrived()
      for (const other of ['n2', 'n3']) {
        network.heal('n1', other)
        network.heal(other, 'n1')
      }
      console.info('a node was cut off from the others')

      // stopped while it is taken over
      c.signal('SIGSTOP')
      await takenOver('c')
      await a.site.has('c1')
      await a.site.has('c2')
      const late = [
        await c.site.send('c1', 'b1', 'too late'),
        await c.site.send('c1', 'c2', 'too late, at home'),
      ]
      await beginMission(await c.site.opened().team('c1'), 'Too late')
      c.signal('SIGCONT')
      await until('c to put them aside', () => listAside(c.site.root).length === 2)
      await agree((team) => (team.startsWith('c') ? 'a' : team.slice(0, 1)))
      const status = await c.fed('link', 'status')
      expect(status.said).toContain('too late')
      expect(status.said).toMatch(/version \d+ \(.*counts nowhere/)
      await send(a, b)
      await arrived()
      console.info('a site was stopped while it was taken over')

      // cut off while it is taken over
      for (const node of nodes) {
        network.cut('b', node)
        network.cut(node, 'b')
      }
      await takenOver('b')
      await a.site.has('b1')
      late.push(
        await b.site.send('b1', 'a1', 'too late, too'),
        await b.site.send('b2', META, 'too late for meta'),
      )
      for (const node of nodes)
        for (const [from, to] of [
          ['b', node],
          [node, 'b'],
        ] as const)
          network.heal(from, to)
      await until('b to put them aside', () => listAside(b.site.root).length === 2)
      await agree(() => 'a')
      expect((await b.fed('link', 'status')).said).toContain('too late, too')
      await send(a)
      await arrived()
      for (const team of teams) {
        const mail = a.site.mail(team)
        expect([team, mail.length]).toEqual([team, new Set(mail).size])
        expect(mail.filter((id) => late.includes(id))).toEqual([])
        expect(mail.filter((id) => sent.get(team)?.includes(id)).length).toBe(sent.get(team)?.length)
      }
      expect(a.site.mail(META).filter((id) => late.includes(id))).toEqual([])
      console.info(`${count} signals, each arrived once`)
    } catch (error) {
      for (const { site } of machines) console.error(site.name, JSON.stringify(readLinkState(site.root)))
      throw error
    } finally {
      for (const machine of machines) machine.signal('SIGKILL')
      for (const server of servers) await server.kill()
      network.remove()
    }
  },
  1_800_000,
)
