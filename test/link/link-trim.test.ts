// Proves what is taken off a stream that fills up, and that it is never what somebody still needs: a site that was away
// gets its signals, and a team whose line was cut goes on elsewhere.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { moveTeam } from '../../src/link/move-team.ts'
import { sitesThere } from '../../src/link/presence.ts'
import { lineOf, messagesOf } from '../../src/link/read-stream.ts'
import { trim } from '../../src/link/trim.ts'
import { sharedRemote, Site } from '../support/linked-sites.ts'
import { hasServer, NatsServer } from '../support/nats-server.ts'
import { until } from '../support/until.ts'

const limits = { share: 0, keep: 3, ageMs: 0 }
let server: NatsServer
let berlin: Site
let tokyo: Site

/** Several may travel in one message. */
const signalsAtServers = () =>
  berlin.with(async (link) => {
    const messages = await messagesOf(link, link.names.signal('*', '*'))
    return messages.flatMap((message) => message.json<object | object[]>()).length
  })
const versionsAtServers = () => berlin.with(async (link) => (await lineOf(link, 'docs')).length)
const send = (subject: string) =>
  berlin.federation.send({ from: 'docs', to: 'web', type: 'report', subject, body: '' })

/** Waits until all that are there said that they have read the whole stream. */
const allHaveRead = (sites: number) =>
  until('all to have read everything', () =>
    berlin.with(async (link) => {
      const { state } = await link.manager.streams.info(link.names.stream)
      const there = await sitesThere(link)
      return there.length === sites && there.every(({ sequence }) => sequence === state.last_seq)
    }),
  )

describe.skipIf(!hasServer)('a stream that fills up', () => {
  beforeAll(async () => {
    server = await NatsServer.start()
    const remote = sharedRemote()
    berlin = new Site('berlin', [server.url], { meta: 'berlin' }, remote)
    tokyo = new Site('tokyo', [server.url], { meta: 'berlin' }, remote)
    await berlin.federation.onboard({ domain: 'docs', archetype: 'deliverable' })
    await tokyo.federation.onboard({ domain: 'web', archetype: 'consultant' })
    berlin.up()
    tokyo.up()
    await tokyo.knows('docs', 'berlin')
    await berlin.knows('web', 'tokyo')
    const docs = await berlin.federation.team('docs')
    for (let round = 0; round < 5; round += 1) {
      await docs.pause()
      await docs.resume()
    }
    for (const subject of ['one', 'two', 'three']) await send(subject)
    await until('three signals', () => tokyo.subjects('web').length === 3)
    await until('ten versions', async () => (await versionsAtServers()) >= 10)
  })
  afterAll(async () => {
    await Promise.all([berlin?.down(), tokyo?.down()])
    await server?.kill()
  })

  // one after the other: a stream goes on
  test('is cut where every site has read it, and its teams go on', async () => {
    // left as it is while it has room, and by others than the site of meta
    await allHaveRead(2)
    const nothing = { versions: 0, signals: 0 }
    expect(await berlin.with((link, view) => trim(link, view))).toEqual(nothing)
    expect(await tokyo.with((link, view) => trim(link, view, limits))).toEqual(nothing)
    expect(await signalsAtServers()).toBe(3)
    // everything is kept while a site is away at which a team lives
    await tokyo.down()
    await send('four')
    await until('it at the servers', async () => (await signalsAtServers()) === 4)
    await allHaveRead(1)
    const trimmed = await berlin.with((link, view) => trim(link, view, limits))
    expect(trimmed).toEqual(nothing)
    tokyo.up()
    await until('the fourth signal', () => tokyo.subjects('web').includes('four'))
    // the last of each line is kept, and what is young
    await allHaveRead(2)
    const week = { ...limits, ageMs: 7 * 86_400_000 }
    const before = await versionsAtServers()
    const cut = await berlin.with((link, view) => trim(link, view, week))
    expect(cut).toEqual({ versions: before - 3, signals: 0 })
    expect(await versionsAtServers()).toBe(3)
    expect(await signalsAtServers()).toBe(4)
    const { signals } = await berlin.with((link, view) => trim(link, view, limits))
    expect(signals).toBeGreaterThanOrEqual(1)
    expect(await signalsAtServers()).toBeLessThan(4)
    expect(tokyo.subjects('web')).toEqual(['one', 'two', 'three', 'four'])
    // a team whose line was cut goes on elsewhere, and a site that comes late knows it
    const state = (await berlin.federation.team('docs')).present().state
    await berlin.with((link, view) =>
      moveTeam(berlin.federation, link, view, { team: 'docs', site: 'tokyo' }),
    )
    await until('docs at tokyo', () => tokyo.federation.registry.read().teams.length === 2)
    const docs = await tokyo.federation.team('docs')
    expect(docs.present().state).toBe(state)
    await docs.pause()
    const osaka = new Site('osaka', [server.url], { meta: 'berlin' })
    osaka.up()
    await osaka.knows('docs', 'tokyo')
    await until('its state', () => osaka.known('docs')?.state === docs.present().state)
    await osaka.down()
  })
})
