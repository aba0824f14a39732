// Proves what `fed link doctor` says of real servers that are set up wrongly, each finding with words and advice.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { jetstreamManager, type StreamConfig } from '@nats-io/jetstream'
import { connect, nanos } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCredentials } from '../../src/link/credentials.ts'
import { examineLink, type LinkFinding } from '../../src/link/link-doctor.ts'
import { linkNames } from '../../src/link/link-names.ts'
import { setUp, streamOf } from '../../src/link/set-up-servers.ts'
import type { SiteRecord } from '../../src/records/sites/site-record.ts'
import { fed } from '../support/fed.ts'
import { newFederation, newFolder } from '../support/federation.ts'
import { freePort, hasServer, startCluster, NatsServer } from '../support/nats-server.ts'
import { until } from '../support/until.ts'

const root = newFolder('doctor')
let server: NatsServer
let count = 0

function recordOf(more: Partial<SiteRecord> = {}): SiteRecord {
  return {
    servers: [server.url],
    federation: `f${count}`,
    site: 'berlin',
    labels: [],
    remote: 'origin',
    since: new Date().toISOString(),
    ...more,
  }
}

/** What the doctor says of a federation whose stream is as `change` says, besides what is good. */
async function findings(change: Partial<StreamConfig>): Promise<string[]> {
  count += 1
  const { federation } = recordOf()
  const connection = await connect({ servers: server.url })
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ ...streamOf(federation, 1), max_bytes: 10_000_000, ...change })
  // it leaves what is there, and makes the rest
  await setUp(connection, federation, 1)
  await connection.close()
  return toldOf(await examineLink(root, recordOf()))
}

function toldOf(all: readonly LinkFinding[]): string[] {
  return all
    .filter(({ state, what }) => state !== 'good' && what !== 'credentials')
    .map(({ state, what, words, advice }) => `${state} ${what}: ${words}; ${advice}`)
}

describe.skipIf(!hasServer)('the doctor of the link', () => {
  beforeAll(async () => {
    server = await NatsServer.start()
  })
  afterAll(() => server?.kill())

  test('one node', async () => {
    expect(await findings({})).toEqual([expect.stringMatching(/^note replicas: .*one node.*; three nodes/)])
  })

  test.each<[string, Partial<StreamConfig>, RegExp]>([
    ['memory', { storage: 'memory' }, /^wrong storage: in memory.*; make the stream anew/],
    ['discard old', { discard: 'old' }, /^wrong full stream: .*; nats stream edit FED_f\d+ --discard new/],
    ['an age', { max_age: nanos(3_600_000) }, /^wrong limits: .*60 min.*; nats stream edit/],
    ['a number', { max_msgs: 1000 }, /^wrong limits: .*1000 messages.*; nats stream edit/],
    ['a number for each subject', { max_msgs_per_subject: 5 }, /^wrong limits: .*5 of each subject.*; /],
    [
      'a short window',
      { duplicate_window: nanos(1000) },
      /^note duplicates: known for 1 s.*; nats stream edit/,
    ],
    ['a wrong subject', { subjects: ['other.>'] }, /^wrong subjects: other\.>; they must be fed\.f\d+\.>/],
  ] as never)('%s', async (_name, change, told) => {
    expect(await findings(change)).toContainEqual(expect.stringMatching(told))
  })

  test('a stream that is nearly full', async () => {
    count += 1
    const { federation } = recordOf()
    const connection = await connect({ servers: server.url })
    const manager = await jetstreamManager(connection)
    await manager.streams.add({ ...streamOf(federation, 1), max_bytes: 10_000 })
    await setUp(connection, federation, 1)
    connection.publish(linkNames(federation).signal('berlin', 'web'), Buffer.alloc(9000))
    await connection.flush()
    await connection.close()
    expect(toldOf(await examineLink(root, recordOf()))).toContainEqual(
      expect.stringMatching(/^note room: .*9\d %.*; nats stream edit/),
    )
  })

  test('a site whose clock is an hour off', async () => {
    count += 1
    const { federation } = recordOf()
    const connection = await connect({ servers: server.url })
    await setUp(connection, federation, 1)
    const said = {
      ...{ format: 'fed-presence-1', nonce: 'n', host: 'h', labels: [], slots: 0, taken: 0, teams: 0 },
      ...{ sequence: 0, clock: Date.now() + 3_600_000 },
    }
    connection.publish(`$KV.${linkNames(federation).sites}.tokyo`, JSON.stringify(said))
    await connection.flush()
    await connection.close()
    expect(toldOf(await examineLink(root, recordOf()))).toContainEqual(
      expect.stringMatching(/^note clock: the clock of tokyo is 60 min ahead.*; set it/),
    )
  })

  test('a list of sites from which one may take the others', async () => {
    count += 1
    const { federation } = recordOf()
    const connection = await connect({ servers: server.url })
    await setUp(connection, federation, 1)
    const manager = await jetstreamManager(connection)
    const bucket = `KV_${linkNames(federation).sites}`
    expect((await manager.streams.info(bucket)).config.allow_rollup_hdrs).toBe(false)
    await manager.streams.update(bucket, { allow_rollup_hdrs: true })
    const told = () => examineLink(root, recordOf()).then(toldOf)
    expect(await told()).toContainEqual(
      expect.stringMatching(/^note roll-ups: any site can .*; 'fed link up'/),
    )
    await setUp(connection, federation)
    expect(await told()).not.toContainEqual(expect.stringMatching(/roll-ups/))
    await connection.close()
  })

  test('other nodes than a stream has', async () => {
    count += 1
    const { federation } = recordOf()
    const connection = await connect({ servers: server.url })
    expect(await setUp(connection, federation, 1)).toBeUndefined()
    expect(await setUp(connection, federation)).toBeUndefined()
    expect(await setUp(connection, federation, 3)).toMatch(/--replicas 3 does nothing: the server is alone/)
    await connection.close()
  })

  test('nothing made yet', async () => {
    count += 1
    expect(toldOf(await examineLink(root, recordOf()))).toEqual([
      expect.stringMatching(/^wrong link: the servers keep nothing for the federation f\d+/),
    ])
  })

  test('no JetStream', async () => {
    const plain = await NatsServer.start({ hasStreams: false })
    expect(toldOf(await examineLink(root, recordOf({ servers: [plain.url] })))).toEqual([
      expect.stringMatching(/^wrong link: .*without JetStream.*nats-server -js/),
    ])
    await plain.kill()
  })

  test('a key that the servers do not know', async () => {
    const keys = newFolder('keys')
    makeCredentials({ sites: ['berlin'], meta: 'berlin', federation: 'fed', folder: keys })
    const closed = await NatsServer.start({ settings: 'include "authorization.conf"', folder: keys })
    const others = newFolder('other-keys')
    makeCredentials({ sites: ['berlin'], meta: 'berlin', federation: 'fed', folder: others })
    const examined = (credentials: string) =>
      examineLink(root, recordOf({ servers: [closed.url], credentials }))
    expect(toldOf(await examined(path.join(others, 'berlin.seed')))).toEqual([
      expect.stringMatching(/^wrong link: the servers refuse site berlin/),
    ])
    const noSeed = path.join(others, 'none.seed')
    writeFileSync(noSeed, 'hello\n', { mode: 0o600 })
    expect(toldOf(await examined(noSeed))).toEqual([expect.stringMatching(/holds no seed of an nkey/)])
    expect(toldOf(await examined(path.join(others, 'absent.seed')))).toEqual([
      expect.stringMatching(/the credentials cannot be read/),
    ])
    await closed.kill()
  })

  test('nobody there', async () => {
    const federation = newFederation()
    const servers = `nats://127.0.0.1:${await freePort()}`
    const { writeSite } = await import('../../src/records/sites/site-record.ts')
    writeSite(federation, recordOf({ servers: [servers] }))
    const { code, stdout } = await fed(federation, ['link', 'doctor'])
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^wrong +link +no server answers at nats:\/\/127\.0\.0\.1:\d+.*is the server running/m,
    )
    expect(stdout).not.toMatch(/link doctor/)
  })
  test('a server that says nothing', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const servers = [`nats://127.0.0.1:${(silent.address() as AddressInfo).port}`]
    expect(toldOf(await examineLink(root, recordOf({ servers })))).toEqual([
      expect.stringMatching(/^wrong link: .*takes connections, but does not answer.*; start them/),
    ])
    silent.close()
  })

  test('two of three nodes are down', async () => {
    count += 1
    const nodes = await startCluster()
    const servers = nodes.map(({ url }) => url)
    const record = recordOf({ servers })
    const connection = await connect({ servers })
    await until('three replicas', () =>
      setUp(connection, record.federation).then(
        () => true,
        (error) => /JetStream|nodes|servers/.test(String(error)) && false,
      ),
    )
    expect(await setUp(connection, record.federation, 1)).toMatch(/kept on 1 nodes from now on, before on 3/)
    await until('all to be on three nodes again', () =>
      setUp(connection, record.federation, 3).then(
        (told) => /kept on 3 nodes from now on, before on 1/.test(told ?? ''),
        () => false,
      ),
    )
    await until('all nodes to have everything', async () => {
      const told = await examineLink(root, record)
      return told.every(({ state, what }) => state === 'good' || what === 'credentials')
    })
    await connection.close()
    await nodes[0]?.kill()
    await until('one node to be missed', async () => {
      const told = toldOf(await examineLink(root, record))
      return told.some((one) => /^wrong nodes: 2 of 3 have everything.*; start the nodes/.test(one))
    })
    await nodes[1]?.kill()
    expect(toldOf(await examineLink(root, record))).toContainEqual(
      expect.stringMatching(/^wrong link: .*more than half may be down; start them/),
    )
    await nodes[2]?.kill()
  })
})
