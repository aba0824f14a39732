// Proves that signals between three sites arrive once, each pair in its order, whatever is cut, stalled, killed, restarted
// and taken over meanwhile; what a replaced site went on with is listed there. It fails when one is lost, or has two
// effects, or stands in the stream before an earlier one of its pair.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAside } from '../../src/link/put-aside.ts'
import { versionFiles, lifeIn } from '../../src/link/publish-life.ts'
import { messagesOf } from '../../src/link/read-stream.ts'
import { decodeSignals } from '../../src/records/signals/decode.ts'
import { Random } from '../simulation/random.ts'
import { sharedRemote, Site } from '../support/linked-sites.ts'
import { linkLedger } from '../support/ledger.ts'
import { hasServer, NatsServer } from '../support/nats-server.ts'
import { Relay } from '../support/relay.ts'
import { isThorough, seed } from '../support/thorough.ts'
import { until } from '../support/until.ts'

/** So many signals go through the same sites; more go through new ones. */
const mostOfRound = 1000
const names = ['a', 'b', 'c']
const teams = names.flatMap((site) => [`${site}1`, `${site}2`])

describe.skipIf(!hasServer)('with a server', () => {
  let server: NatsServer

  beforeAll(async () => {
    server = await NatsServer.start()
  })
  afterAll(() => server.kill())

  const all = Number(process.env.FED_LINK_SIGNALS ?? (isThorough ? 20_000 : 150))
  const rounds = Array.from({ length: Math.ceil(all / mostOfRound) }, (_, round) => ({
    round: round + 1,
    count: Math.min(mostOfRound, all - round * mostOfRound),
    key: `${mostOfRound} signals, round ${round + 1}`,
  })).filter(({ key }) => !linkLedger.has(key))

  test.each(rounds)(
    'round $round: $count signals under random faults',
    async ({ round, count, key }) => {
      const ofRound = seed + round - 1
      console.info(`FED_SEED=${ofRound} FED_LINK_SIGNALS=${count} plays round ${round} again`)
      const random = new Random(ofRound)
      const { hostname: host, port } = new URL(server.url)
      const relays = await Promise.all(names.map(() => Relay.start({ host, port: Number(port) })))
      const remote = sharedRemote()
      const sites = names.map(
        (name, at) => new Site(name, [(relays[at] as Relay).url], { federation: `faults${round}` }, remote),
      )
      const [a] = sites as [Site]
      const faults: Record<string, number> = {}
      const note = (what: string) => void (faults[what] = (faults[what] ?? 0) + 1)
      try {
        for (const site of sites) await site.onboard(`${site.name}1`, `${site.name}2`)
        for (const site of sites) site.up()
        for (const site of sites) for (const team of teams) await site.knows(team, team.slice(0, 1))
        // a short window, so that repetitions come after it as well
        await a.with(({ manager, names: { stream } }) =>
          manager.streams.update(stream, { duplicate_window: 100_000_000 }),
        )
        const sent = new Map<
          string,
          { readonly from: string; readonly to: string; readonly number: number; readonly site: Site }
        >()
        const heal = () => relays.forEach((relay) => relay.heal())
        let number = 0
        const isOver = () => number >= count
        while (!isOver()) {
          for (const site of sites) {
            const own = site.teams()
            if (own.length === 0) continue
            const drafts = Array.from({ length: random.integer(1, 12) }, () => {
              const from = random.pick(own)
              return { from, to: random.pick(teams.filter((team) => team !== from)), type: 'report' as const }
            })
            // a team may go while it sends: then it is told so
            const numbered = drafts.map((draft) => ({ ...draft, subject: `number ${(number += 1)}` }))
            const filed = await site
              .opened()
              .sendMany(numbered)
              .catch(() => [])
            for (const { id, from, to, subject } of filed)
              sent.set(id, { from, to, site, number: Number(subject.slice(7)) })
          }
          const at = random.integer(0, 2)
          const [site, relay] = [sites[at] as Site, relays[at] as Relay]
          const fault = random.next()
          if (fault < 0.12) {
            note('stalled one way, then cut')
            relay.stall(random.chance(0.5) ? 'there' : 'back')
            await new Promise((resolve) => setTimeout(resolve, random.integer(5, 300)))
            relay.reset()
            relay.heal()
          } else if (fault < 0.18) {
            note('stalled, then healed')
            relay.stall('there', 'back')
            await new Promise((resolve) => setTimeout(resolve, random.integer(5, 300)))
            relay.heal()
          } else if (fault < 0.24) {
            note('cut')
            relay.cut()
            setTimeout(() => relay.heal(), random.integer(5, 500))
          } else if (fault < 0.3) {
            note('late')
            relay.delayMs = random.integer(0, 15)
          } else if (fault < 0.35) {
            note('server killed')
            await server.kill()
            server.begin()
            await server.answers()
          } else if (fault < 0.45) {
            note('link restarted')
            await site.down()
            site.up()
          } else if (fault < 0.47) {
            note('taken over')
            const other = random.pick(sites.filter((one) => one !== site))
            heal()
            if (random.chance(0.5)) relay.cut()
            await other.takeOver(site.name).catch(() => note('nothing to take over'))
            relay.heal()
          } else if (fault < 0.5) {
            note('moved')
            const other = random.pick(sites.filter((one) => one !== site))
            const own = site.teams()
            if (own.length > 0) await site.move(random.pick(own), other.name).catch(() => note('not moved'))
          }
        }
        heal()
        for (const relay of relays) relay.delayMs = 0
        await settled(sites)
        const listed = new Set(
          sites.flatMap(({ root, name }) =>
            listAside(root).flatMap(({ sent: late, unread = [] }) =>
              [...late, ...unread].map(({ subject }) => `${name} ${subject}`),
            ),
          ),
        )
        const where = new Map(sites.flatMap((site) => site.teams().map((team) => [team, site])))
        expect([...where.keys()].toSorted()).toEqual(teams)
        const got = new Map(teams.map((team) => [team, (where.get(team) as Site).mail(team)]))
        const lost: string[] = []
        let late = 0
        for (const [id, { from, to, number: which, site }] of sent) {
          const copies = got.get(to)?.filter((one) => one === id).length ?? 0
          const isListed = listed.has(`${site.name} number ${which}`)
          if (isListed && copies === 0) late += 1
          if (copies > 1 || (copies === 0 && !isListed))
            lost.push(`${which} of ${from} to ${to} at ${site.name}: ${copies}; ${placesOf(id, sites)}`)
        }
        console.info(`${sent.size} signals, ${late} listed as late`, faults)
        expect(lost).toEqual([])
        expect(await a.with((link) => disorders(messagesOf(link, link.names.signal('*', '*'))))).toEqual([])
        for (const [team, site] of where) {
          const { location } = site.opened().registry.entry(team)
          const handled = [...versionFiles(location).values()].flatMap((file) => lifeIn(file)?.handled ?? [])
          const accepted = handled.filter(({ outcome }) => outcome === 'accepted').map(({ signal }) => signal)
          expect(accepted.length).toBe(new Set(accepted).size)
        }
        linkLedger.pass(key)
      } finally {
        await Promise.all(sites.map((site) => site.down()))
        for (const relay of relays) relay.close()
      }
    },
    3_600_000,
  )
})

/** Where a signal lies, for whoever looks why it did not arrive. */
function placesOf(id: string, sites: readonly Site[]): string {
  const { stdout } = spawnSync('grep', ['-rl', id, ...sites.map(({ root }) => path.join(root, '.fed'))])
  return String(stdout).trim().split('\n').join(' ')
}

/** Resolves when nothing waits and all sites agree where the teams are. */
async function settled(sites: readonly Site[]): Promise<void> {
  await until('everything to be at its place', () => {
    const homes = sites.flatMap((site) => site.teams())
    const isAgreed = sites.every((site) =>
      teams.every((team) => {
        const at = site.siteOf(team)
        return (
          sites
            .find(({ name }) => name === at)
            ?.teams()
            .includes(team) === true
        )
      }),
    )
    return homes.length === teams.length && isAgreed
  })
  await until('nothing to wait', () =>
    sites.every((site) =>
      teams
        .filter((team) => site.siteOf(team) !== site.name)
        .every((team) => site.opened().mailbox(team).unacknowledgedFiles().length === 0),
    ),
  )
  // what is in the stream is read by all
  const last = await Promise.all(
    sites.map((site) =>
      site.with(async (link) => (await link.manager.streams.info(link.names.stream)).state.last_seq),
    ),
  )
  await until('all to be read', () => sites.every((site) => site.readTo >= Math.max(...last)))
}

/** Signals that stand in the stream before an earlier one of the same sender and recipient. */
async function disorders(reading: ReturnType<typeof messagesOf>): Promise<string[]> {
  const seen = new Set<string>()
  const newest = new Map<string, number>()
  const found: string[] = []
  for (const message of await reading)
    for (const { signal } of decodeSignals(message.string())) {
      if (signal === undefined || seen.has(signal.id)) continue
      const { id, from, to, subject } = signal
      seen.add(id)
      const pair = `${message.subject} ${from} ${to}`
      const number = Number(subject.slice(7))
      if (number < (newest.get(pair) ?? 0)) found.push(`${pair}: ${number} after ${newest.get(pair)}`)
      newest.set(pair, number)
    }
  return found
}
