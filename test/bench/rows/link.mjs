import { existsSync, readdirSync, watch } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  arrivalsIn,
  costOf,
  flushingServer,
  linkUp,
  natsClient,
  newSites,
  startServers,
  until,
} from '../linked.mjs'
import { clock, compared, each, inWords, quantile, timed } from '../measure.mjs'
import { draftOf, surviving } from '../places.mjs'

/** Resolves when all these files are in a folder. */
function filesIn(folder, files) {
  return new Promise((resolve) => {
    const missing = new Set(files)
    const look = (names) => {
      for (const name of names) missing.delete(name)
      if (missing.size > 0) return
      hints.close()
      clearInterval(poll)
      resolve(clock())
    }
    const hints = watch(
      folder,
      (_event, name) => missing.has(name) && existsSync(path.join(folder, name)) && look([name]),
    )
    const poll = setInterval(() => look(readdirSync(folder)), 1000)
    look(readdirSync(folder))
  })
}

async function linked(nodes) {
  const servers = await startServers(nodes)
  const sites = await newSites({ a: ['docs'], b: ['web'] })
  const [a, b] = sites
  const { addresses } = servers
  if (nodes > 1) await leader(addresses)
  const links = [await linkUp(a, { addresses, meta: 'a' }), await linkUp(b, { addresses, meta: 'a' })]
  const knows = (link, team) => link.known()[team] !== undefined
  await until('both to know both', () => knows(links[0], 'web') && knows(links[1], 'docs'))
  const client = await natsClient(addresses)
  return {
    ...{ servers, sites, links, client },
    async end() {
      await client.connection.close()
      for (const link of links) await link.stop()
      await servers.stop()
    },
  }
}

/** Waits until a cluster has a leader. */
async function leader(addresses) {
  await until('a leader', async () => {
    const client = await natsClient(addresses).catch(() => undefined)
    if (client === undefined) return false
    const info = await client.manager.getAccountInfo().catch(() => undefined)
    await client.connection.close()
    return info !== undefined
  })
}

const subject = 'fed.fed.bench.one'

/**
 * A signal from a team of one site to its file in the inbox at the other, against NATS alone: which by itself flushes
 * every two minutes, and where it flushes each message as fed does on both sides.
 */
async function oneByOne({ sites: [a, b], client }, rounds, nodes) {
  const arrivals = await arrivalsIn(b.federation.mailbox('web').inbox)
  const flushing = await flushingServer()
  const flushed = flushing && (await natsClient([`nats://127.0.0.1:${flushing.port}`]))
  await flushed?.manager.streams.add({ name: 'flushed', subjects: [subject] })
  const times = { ours: [], send: [], publish: [], flushed: [], through: [] }
  let wake
  client.connection.subscribe(subject, { callback: () => wake?.(clock()) })
  const text = JSON.stringify(draftOf(1))
  for (let round = 0; round < rounds + 10; round += 1) {
    const begun = clock()
    const { file } = await a.federation.send({ ...draftOf(round, 'web'), from: 'docs' })
    const sent = clock()
    const there = await arrivals.of(file)
    const took = { ours: there - begun, send: sent - begun }
    took.publish = await timed(() => client.js.publish(subject, text))
    took.flushed = flushed && (await timed(() => flushed.js.publish(subject, text)))
    const published = clock()
    const heard = new Promise((resolve) => (wake = resolve))
    client.js.publish(subject, text)
    took.through = (await heard) - published
    if (round >= 10) for (const [name, list] of Object.entries(times)) list.push(took[name])
  }
  await flushed?.connection.close()
  await flushing?.stop('SIGKILL')
  await arrivals.end()
  const way = `link, ${nodes === 1 ? 'one node' : `${nodes} nodes`}: send → file at another site`
  const p99 = (name) => inWords(quantile(times[name], 0.99))
  const rivals = [
    ['publish', 'NATS awaited publish, not flushed', {}],
    ['flushed', 'NATS awaited publish, flushed', { floor: 6, reach: 3 }],
    ['through', 'NATS publish → receive', {}],
    ['send', 'send alone', {}],
  ]
  return rivals.map(([name, rival, goal]) => {
    if (name === 'flushed' && flushed === undefined)
      return { path: way, skipped: 'NATS flushes each message from nats-server 2.10 on' }
    const pairs = times.ours.map((ours, index) => [ours, times[name][index]])
    const row = compared({ path: way, rival, sense: 'at most', ...goal }, pairs, { describe: inWords })
    return { ...row, ours: `${row.ours} (p99 ${p99('ours')})`, rival: `${row.rival} (p99 ${p99(name)})` }
  })
}

/** Many signals at once. */
async function batches({ sites: [a, b], client }, rounds, count, nodes) {
  const inbox = b.federation.mailbox('web').inbox
  const pairs = []
  const text = JSON.stringify(draftOf(1))
  for (let round = 0; round <= rounds; round += 1) {
    const begun = clock()
    const filed = await a.federation.sendMany(
      Array.from({ length: count }, (_, number) => ({ ...draftOf(number, 'web'), from: 'docs' })),
    )
    const ours =
      (await filesIn(
        inbox,
        filed.map(({ file }) => file),
      )) - begun
    const before = clock()
    for (let number = 0; number < count; number += 1) await client.js.publish(subject, text)
    if (round > 0) pairs.push([ours, clock() - before])
  }
  return compared(
    {
      path: `link, ${nodes === 1 ? 'one node' : `${nodes} nodes`}: ${count} signals at once → all there`,
      rival: 'NATS awaited, one by one',
      ...{ sense: 'at most', floor: 3, reach: 1.5 },
    },
    pairs,
    { describe: each(count) },
  )
}

/** The node that leads is killed: how long until the next signal has effect. */
async function recovery({ servers, sites: [a, b], client }) {
  const { cluster } = await client.manager.streams.info('FED_fed')
  const begun = clock()
  await servers.kill(servers.addresses[Number(cluster.leader.slice(1))])
  const { file } = await a.federation.send({ ...draftOf(0, 'web'), from: 'docs' })
  const spent = (await filesIn(b.federation.mailbox('web').inbox, [file])) - begun
  return {
    path: "link, 3 nodes: the leader's death → the next signal's effect",
    ...{ ours: inWords(spent), rival: 'a new leader is elected within about 5 s' },
    ...{ value: spent / 1000, unit: 's', sense: 'at most', floor: 15, reach: 6 },
  }
}

/** What a link costs that has nothing to do, by the number of teams that live at its site. */
async function atRest(teams, seconds) {
  const servers = await startServers(1)
  const [site] = await newSites({ a: Array.from({ length: teams }, (_, index) => `t${index}`) })
  const link = await linkUp(site, { addresses: servers.addresses, meta: 'a' }, 'process')
  await until('all teams at the servers', () => Object.keys(link.known()).length > teams)
  // until it has told of itself what it did last
  await wait(6000)
  const before = costOf(link.pid)
  await wait(seconds * 1000)
  const { cpu, memory } = costOf(link.pid)
  await link.stop()
  await servers.stop()
  const value = ((cpu - before.cpu) * 60) / seconds
  return {
    path: `link at rest, ${teams} teams: CPU of a minute`,
    ...{ ours: `${value.toFixed(2)} s, ${memory.toFixed(0)} MiB`, rival: '' },
    ...{ value, unit: 's', sense: 'at most', floor: 3, reach: 1.5 },
  }
}

/** What a signal takes from one site into effect at another, and what a link costs that has nothing to do. */
export async function measure({ rounds = 200, nodes = 0, seconds = 20, teams = 1000 }) {
  surviving('power')
  const outcomes = []
  for (const one of nodes === 0 ? [1, 3] : [nodes]) {
    const place = await linked(one)
    outcomes.push(...(await oneByOne(place, rounds, one)))
    for (const count of [64, 1000]) outcomes.push(await batches(place, 5, count, one))
    if (one > 1) outcomes.push(await recovery(place))
    await place.end()
  }
  surviving('process')
  for (const count of [...new Set([0, Math.ceil(teams / 10), teams])])
    outcomes.push(await atRest(count, seconds))
  return outcomes
}
