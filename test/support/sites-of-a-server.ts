import { afterAll, beforeAll, beforeEach } from 'vitest'
import { readLinkState } from '../../src/records/sites/link-state.ts'
import { areLinked, sharedRemote, Site } from './linked-sites.ts'
import { NatsServer } from './nats-server.ts'

interface SitesOfAServer {
  newSite(name: string): Site
  /** Sites with these teams, linked, each knowing all teams. */
  linked(teams: Readonly<Record<string, readonly string[]>>): Promise<Site[]>
}

/** What waits at a site, and why. */
export const heldAt = (site: Site) =>
  readLinkState(site.root)?.held.map(({ team, why }) => `${team}: ${why}`) ?? []

/** A server for all tests of a group, and sites in a federation of its own for each. */
export function sitesOfAServer(): SitesOfAServer {
  let server: NatsServer
  let sites: Site[] = []
  let count = 0
  let remote = ''

  beforeAll(async () => {
    server = await NatsServer.start()
    remote = sharedRemote()
  })
  afterAll(() => server.kill())
  beforeEach(() => {
    count += 1
    return async () => {
      await Promise.all(sites.map((site) => site.down()))
      sites = []
    }
  })

  function newSite(name: string): Site {
    const site = new Site(name, [server.url], { federation: `one${count}` }, remote)
    sites.push(site)
    return site
  }

  /** Sites with these teams, linked, each knowing all teams. */
  async function linked(teams: Readonly<Record<string, readonly string[]>>): Promise<Site[]> {
    const made = Object.keys(teams).map(newSite)
    for (const site of made) await site.onboard(...(teams[site.name] ?? []))
    for (const site of made) site.up()
    await areLinked(...made)
    for (const site of made)
      for (const [at, ids] of Object.entries(teams)) for (const id of ids) await site.knows(id, at)
    return made
  }

  return { newSite, linked }
}
