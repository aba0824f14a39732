import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../src/errors/unless.ts'
import { beginMission } from '../../src/federation/mission.ts'
import { listAside } from '../../src/link/put-aside.ts'
import { nonceOf, sayHere } from '../../src/link/presence.ts'
import { wholeLineOf } from '../../src/link/read-stream.ts'
import { isSystemError } from '../../src/platform/storage/system-error.ts'
import { federationLayout } from '../../src/protocol/folder-layout.ts'
import { META } from '../../src/protocol/team-id.ts'
import { fed, run, startCounting, type Act, type Point } from '../killing/counted-process.ts'
import { Site } from '../support/linked-sites.ts'
import { until } from '../support/until.ts'

/** Three sites: meta and `w` at a, `x` and `v` at b, `y` at c; `x` has a mission and mail from all of them. */
export class World {
  readonly a: Site
  readonly b: Site
  readonly c: Site
  /** Ids of the mail of `x`, and of what it sent to `y`. */
  readonly mail: string[] = []
  readonly sent: string[] = []
  /** Where `x` may live in the end. */
  homes: string[] = ['a']

  constructor(server: string, federation: string, remote: string) {
    const site = (name: string) => new Site(name, [server], { federation }, remote)
    this.a = site('a')
    this.b = site('b')
    this.c = site('c')
  }

  get sites(): Site[] {
    return [this.a, this.b, this.c]
  }

  async prepare(): Promise<void> {
    const { a, b, c } = this
    await a.onboard('w')
    await b.onboard('x', 'v')
    await c.onboard('y')
    for (const site of this.sites) site.up()
    for (const site of this.sites) {
      await site.knows(META, 'a')
      for (const [team, at] of Object.entries({ w: 'a', x: 'b', v: 'b', y: 'c' })) await site.knows(team, at)
    }
    const team = await b.opened().team('x')
    await beginMission(team, 'Work')
    this.mail.push(await a.send('w', 'x', 'from w'), await c.send('y', 'x', 'from y'))
    this.sent.push(await b.send('x', 'y', 'from x'))
    await b.got('x', this.mail)
    await c.got('y', this.sent)
  }

  async down(...sites: Site[]): Promise<void> {
    await Promise.all((sites.length === 0 ? this.sites : sites).map((site) => site.down()))
  }

  /** Has a site look as if its link ran. */
  async pretend(site: Site): Promise<void> {
    const said = { slots: 0, taken: 0, teams: 0, sequence: 0 }
    await site.with((link) => sayHere(link, { ...said, nonce: nonceOf(site.root) }))
  }

  /** Where `x` is registered. */
  homesOf(team: string): string[] {
    return this.sites.filter((site) => site.teams().includes(team)).map(({ name }) => name)
  }

  /** Starts all links that do not run, waits until everything is at its place, and returns what is wrong even so. */
  async settle(): Promise<string[]> {
    for (const site of this.sites) if (!site.isUp) site.up()
    const at = await until('x to be at one site that all agree on', () => {
      const homes = this.homesOf('x')
      const known = new Set(this.sites.map((site) => site.siteOf('x')))
      return homes.length === 1 && known.size === 1 && known.has(homes[0]) ? homes[0] : undefined
    })
    const home = this.sites.find(({ name }) => name === at) as Site
    await until('what was begun to be over', () =>
      this.sites.every(({ root }) => {
        const { link } = federationLayout(root)
        const begun = path.join(link, 'brought')
        const aside = path.join(link, 'aside')
        const names = existsSync(aside) ? readdirSync(aside) : []
        return (
          (!existsSync(begun) || !readdirSync(begun).some((name) => name.endsWith('.begun'))) &&
          names.filter((name) => name.endsWith('.json')).length ===
            names.filter((name) => name.endsWith('.done')).length
        )
      }),
    )
    const last = await this.c.send('y', 'x', 'last')
    this.mail.push(last)
    await home.got('x', this.mail)
    await this.c.got('y', this.sent)
    const faults: string[] = []
    if (!this.homes.includes(home.name)) faults.push(`x is at ${home.name}`)
    const got = home.mail('x').filter((id) => this.mail.includes(id))
    if (got.length !== this.mail.length)
      faults.push(`x has ${got.length} of ${this.mail.length} signals, some twice`)
    const copies = this.c.mail('y').filter((id) => this.sent.includes(id))
    if (copies.length !== this.sent.length)
      faults.push(`y has ${copies.length} of ${this.sent.length} signals`)
    faults.push(...(await this.#lineFaults(home)))
    for (const site of this.sites) {
      const left = path.join(site.root, '.fed', 'teams', 'x')
      if (site !== home && existsSync(left)) faults.push(`${left} was left`)
      if (site !== home && site === this.b && !listAside(site.root).some(({ team }) => team === 'x'))
        faults.push(`b does not list what it put aside`)
    }
    return faults
  }

  async #lineFaults(home: Site): Promise<string[]> {
    const line = await home.with((link) => wholeLineOf(link, 'x'))
    const faults: string[] = []
    let before = { epoch: 0, version: 0, site: '' }
    for (const { entry } of line) {
      const { kind, epoch, version, site } = entry
      const isNext =
        kind === 'owner' ? epoch === before.epoch + 1 : epoch === before.epoch && site === before.site
      if (!isNext || version < before.version)
        faults.push(`epoch ${epoch}, version ${version} after ${JSON.stringify(before)}`)
      before = { epoch, version, site }
    }
    if (before.site !== home.name) faults.push(`the line says ${before.site}`)
    const { mission } = await (await home.opened().team('x')).status()
    if (mission?.subject !== 'Work') faults.push(`its mission is ${mission?.subject}`)
    return faults
  }
}

/** Something that a process does with the servers, and may be killed at. */
export interface LinkScenario {
  readonly name: string
  prepare(world: World): Promise<void>
  act(world: World): Act
  /** Whether it has done it, where it does not end by itself. */
  isDone?(world: World): boolean
  /** Whether the same command is given again after a kill, and with which codes it may end. */
  readonly again?: readonly number[]
}

const up = ({ root }: Site): Act => fed(root, 'link', 'up', '--replicas', '1')
const isAdopted = ({ a }: World) => a.teams().includes('x') && a.teams().includes('v')

export const linkScenarios: readonly LinkScenario[] = [
  {
    name: 'a takeover',
    async prepare(world) {
      await world.down(world.b)
    },
    act: ({ a }) => fed(a.root, 'takeover', 'b', '--force'),
    // all was taken over before
    again: [0, 3, 4],
  },
  {
    name: 'a link that brings what was taken over',
    async prepare(world) {
      await world.down(world.a, world.b)
      await world.a.takeOver('b')
    },
    act: ({ a }) => up(a),
    isDone: isAdopted,
  },
  {
    name: 'a link that puts aside what was replaced',
    async prepare(world) {
      const { a, b, mail } = world
      await world.down(b)
      await a.takeOver('b')
      await until('a to have it', () => isAdopted(world))
      await (await b.opened().team('x')).pause()
      await b.send('x', 'y', 'too late')
      mail.push(await a.send('w', 'x', 'meanwhile'))
    },
    act: ({ b }) => up(b),
    isDone: ({ b }) => b.teams().length === 0,
  },
  {
    name: 'a move',
    async prepare(world) {
      world.homes = ['a', 'b']
      await world.down(world.b)
      world.mail.push(await world.b.send('v', 'x', 'just before'))
      world.sent.push(await world.b.send('x', 'y', 'just before'))
    },
    act: ({ b }) => fed(b.root, 'move', 'x', '--to', 'a'),
    // it lives there already, or is on its way
    again: [0, 1, 2, 3, 4, 5],
  },
  {
    name: 'a link that brings what was moved',
    async prepare(world) {
      const { a, b, mail } = world
      await world.down(a)
      await world.pretend(a)
      // within a site nothing goes to the servers: it travels with the team
      mail.push(await b.send('v', 'x', 'from v'))
      await b.move('x', 'a')
      mail.push(await b.send('v', 'x', 'after it'))
    },
    act: ({ a }) => up(a),
    isDone: ({ a }) => a.teams().includes('x'),
  },
]

/**
 * Plays a scenario, kills its process at a point, has everybody go on, and says what is wrong then.
 * @returns how many calls it made, and whether it came to the point.
 */
export async function playLink(
  world: World,
  scenario: LinkScenario,
  point?: Point,
): Promise<{ readonly calls: readonly string[]; readonly isKilled: boolean; readonly faults: string[] }> {
  try {
    await world.prepare()
    await scenario.prepare(world)
    const child = startCounting(scenario.act(world), {
      ...(point && { ...point, signal: 'SIGKILL' as const }),
      sockets: true,
    })
    let hasEnded = false
    const over = child.ended.then((counted) => {
      hasEnded = true
      return counted
    })
    const { isDone } = scenario
    if (isDone !== undefined) {
      await until(`${scenario.name} to be done`, () => hasEnded || isDone(world))
      // it may have been killed at this very moment
      if (!hasEnded) unless(isSystemError, () => process.kill(child.pid, 'SIGTERM'))
    }
    const { calls, signal, code, stderr } = await over
    const isKilled = signal === 'SIGKILL'
    const faults: string[] = []
    if (!isKilled && code !== 0) faults.push(`it ended ${signal ?? code}: ${stderr.slice(-300)}`)
    if (isKilled && scenario.again !== undefined) {
      const again = await run(scenario.act(world))
      if (!scenario.again.includes(again.code ?? -1))
        faults.push(`again it ended ${again.signal ?? again.code}: ${again.stderr.slice(-300)}`)
    }
    faults.push(...(await world.settle()))
    const where =
      point === undefined
        ? 'undisturbed'
        : `${point.moment} ${calls[point.number - 1]} (call ${point.number})`
    return { calls, isKilled, faults: faults.map((fault) => `${scenario.name}, ${where}: ${fault}`) }
  } catch (error) {
    const where = point === undefined ? 'undisturbed' : `${point.moment} call ${point.number}`
    return { calls: [], isKilled: true, faults: [`${scenario.name}, ${where}: ${(error as Error).message}`] }
  } finally {
    await world.down().catch(() => undefined)
  }
}
