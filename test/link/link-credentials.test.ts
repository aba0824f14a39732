// Proves that sites with a key each, behind TLS, work whole; and that with its key a site can do nothing in another
// one's name: each try is made by a client of its own, with the site's seed, at a real nats-server.
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectTo, inboxOf } from '../../src/link/connection.ts'
import { makeCredentials } from '../../src/link/credentials.ts'
import { examineLink } from '../../src/link/link-doctor.ts'
import { headersOf } from '../../src/link/line.ts'
import { moveTeam } from '../../src/link/move-team.ts'
import { linkNames } from '../../src/link/link-names.ts'
import { sitesThere } from '../../src/link/presence.ts'
import { takeOver } from '../../src/link/take-over.ts'
import { fed, fedJson } from '../support/fed.ts'
import { newFolder } from '../support/federation.ts'
import { sharedRemote, Site } from '../support/linked-sites.ts'
import { hasServer, NatsServer } from '../support/nats-server.ts'
import { until } from '../support/until.ts'

const keys = newFolder('keys')
const names = linkNames('fed')
let server: NatsServer
let berlin: Site
let tokyo: Site
let address: string

const seedOf = (site: string) => path.join(keys, `${site}.seed`)
const seedText = (site: string) => readFileSync(seedOf(site), 'utf8').trim()
const file = (name: string) => path.join(keys, name)

/** A certificate authority of this test, and a certificate of 127.0.0.1 that it signed. */
function makeCertificates(): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: keys, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test CA')
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=127.0.0.1')
  writeFileSync(file('names.conf'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n')
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names.conf']
  openssl('x509', '-req', '-in', 'server.csr', ...by, '-out', 'server.pem', '-days', '2')
}

/** A client that has a site's seed, and is not fed. */
function rawClient(site: string): Promise<NatsConnection> {
  return connect({
    servers: address,
    inboxPrefix: inboxOf(site),
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seedText(site))),
    tls: { caFile: file('ca.pem') },
  })
}

/** What a site that is not that of meta was told when it tried to make the stream. */
let refusal: unknown

describe.skipIf(!hasServer)('with a key for each site, behind TLS', () => {
  beforeAll(async () => {
    makeCredentials({ sites: ['berlin', 'tokyo'], meta: 'berlin', federation: 'fed', folder: keys })
    makeCertificates()
    const tls = `tls { cert_file: "${file('server.pem')}", key_file: "${file('server.key')}" }`
    server = await NatsServer.start({ settings: `include "authorization.conf"\n${tls}`, folder: keys })
    address = server.url.replace('nats:', 'tls:')
    const remote = sharedRemote()
    const siteOf = (site: string) =>
      new Site(
        site,
        [address],
        {
          federation: 'fed',
          meta: 'berlin',
          credentials: seedOf(site),
          ca: file('ca.pem'),
        },
        remote,
      )
    berlin = siteOf('berlin')
    tokyo = siteOf('tokyo')
    await berlin.federation.onboard({ domain: 'docs', archetype: 'deliverable' })
    await tokyo.federation.onboard({ domain: 'web', archetype: 'consultant' })
    const raw = await rawClient('tokyo')
    const manager = await jetstreamManager(raw)
    refusal = await manager.streams.add({ name: names.stream, subjects: [names.subjects] }).then(
      () => undefined,
      (error: unknown) => error,
    )
    await raw.close()
    tokyo.up()
    await until('tokyo to wait', () => tokyo.events.some(({ kind }) => kind === 'trouble'))
    berlin.up()
    await tokyo.knows('docs', 'berlin')
    await berlin.knows('web', 'tokyo')
  })
  afterAll(async () => {
    await Promise.all([berlin?.down(), tokyo?.down()])
    await server?.kill()
  })

  test('only the site of meta makes what the federation needs', () => {
    expect(String(refusal)).toMatch(/permissions violation/i)
    // it waited for that one
    expect(tokyo.events.some(({ kind }) => kind === 'trouble')).toBe(true)
  })

  test('signals, presence, and the doctor', async () => {
    await berlin.federation.send({ from: 'meta', to: 'web', type: 'report', subject: 'There', body: '' })
    await until('a signal at tokyo', () => tokyo.subjects('web').includes('There'))
    await tokyo.federation.send({ from: 'web', to: 'docs', type: 'report', subject: 'Back', body: '' })
    await until('a signal at berlin', () => berlin.subjects('docs').includes('Back'))
    for (const site of [berlin, tokyo]) {
      const seen = await until('both to be there', () =>
        site.with(async (link) => {
          const there = await sitesThere(link)
          return there.length === 2 && there.map((one) => one.site)
        }),
      )
      expect(seen).toEqual(['berlin', 'tokyo'])
      const findings = await examineLink(site.root, site.record)
      expect(findings.filter(({ state }) => state !== 'good').map(({ what }) => what)).toEqual(['replicas'])
      expect(findings.find(({ what }) => what === 'transport')?.words).toBe('TLS')
    }
  })

  test('a team moves, with its files, and is taken over with a dead site', async () => {
    writeFileSync(path.join(berlin.root, '.fed', 'teams', 'docs', 'notes.txt'), 'half done\n')
    await berlin.with((link, view) =>
      moveTeam(berlin.federation, link, view, { team: 'docs', site: 'tokyo' }),
    )
    const notes = path.join(tokyo.root, '.fed', 'teams', 'docs', 'notes.txt')
    await until('docs at tokyo', () => tokyo.federation.registry.read().teams.length === 2)
    expect(readFileSync(notes, 'utf8')).toBe('half done\n')
    await tokyo.down()
    await until('tokyo to be gone', () => berlin.with(async (link) => (await sitesThere(link)).length === 1))
    const taken = await berlin.with((link, view) => takeOver(link, view, 'tokyo', false))
    expect(taken.map(({ team, isLost }) => [team, isLost])).toEqual([
      ['docs', false],
      ['web', false],
    ])
    await until('both at berlin', () => berlin.federation.registry.read().teams.length === 2)
    tokyo.up()
    await until('both put aside', () => tokyo.federation.registry.read().teams.length === 0)
  })

  test('no message, and no seed, is seen by who has none', async () => {
    await expect(connect({ servers: address, tls: { caFile: file('ca.pem') } })).rejects.toThrow(
      /authorization/i,
    )
    const { ca: _ca, ...trusting } = berlin.record
    await expect(connectTo(berlin.root, trusting)).rejects.toThrow(/no safe way .*certificate.*--ca/)
    // never in clear, where a server offers nothing else
    const plain = await NatsServer.start()
    const servers = [plain.url.replace('nats:', 'tls:')]
    for (const record of [
      { ...trusting, servers },
      { ...berlin.record, servers: [plain.url] },
    ])
      await expect(connectTo(berlin.root, record)).rejects.toThrow(/no safe way .*tls/)
    await plain.kill()
    const { credentials: _none, ...keyless } = berlin.record
    await expect(connectTo(berlin.root, keyless)).rejects.toThrow(/refuse site berlin/)
    const written = [server.log()]
    for (const site of [berlin, tokyo]) {
      for (const args of [['link', 'status'], ['config'], ['link', 'doctor'], ['sites']]) {
        const { stdout, stderr } = await fed(site.root, [...args, '--json'])
        written.push(stdout, stderr)
      }
      const state = path.join(site.root, '.fed', 'link')
      written.push(
        ...readdirSync(state)
          .filter((name) => name.endsWith('.json'))
          .map((name) => readFileSync(path.join(state, name), 'utf8')),
      )
    }
    for (const site of ['berlin', 'tokyo']) expect(written.join('\n')).not.toContain(seedText(site))
    expect(readFileSync(file('authorization.conf'), 'utf8')).not.toMatch(/S[UA][A-Z2-7]{40,}/)
  })

  test('a seed that others may read is told', async () => {
    expect(statSync(seedOf('tokyo')).mode & 0o777).toBe(0o600)
    chmodSync(seedOf('tokyo'), 0o644)
    const { code, stdout } = await fed(tokyo.root, ['link', 'doctor'])
    chmodSync(seedOf('tokyo'), 0o600)
    expect(code).toBe(1)
    expect(stdout).toMatch(/seed .*can be read by others.*chmod 600/)
    const status = await fedJson<{ running: { trouble: string | null } | null }>(tokyo.root, [
      'link',
      'status',
    ])
    expect(status.running?.trouble).toBe(null)
  })

  describe('a site that is not honest', () => {
    let raw: NatsConnection
    let manager: JetStreamManager
    const refused = /permissions violation/i

    beforeAll(async () => {
      raw = await rawClient('tokyo')
      manager = await jetstreamManager(raw)
    })
    afterAll(() => raw?.close())

    test('sends as itself only', async () => {
      const js = jetstream(raw)
      const headers = headersOf({ 'Fed-Epoch': '1' })
      await expect(js.publish(names.signal('berlin', 'docs'), '{}', { headers, retries: 0 })).rejects.toThrow(
        refused,
      )
      await expect(js.publish(`$KV.${names.sites}.berlin`, '{}', { retries: 0 })).rejects.toThrow(refused)
      // its own it may send, and what is in it counts only where it lived there
      await js.publish(names.signal('tokyo', 'docs'), JSON.stringify({ from: 'docs' }), { headers })
    })

    test('hears nothing that is not for it', async () => {
      for (const subject of [
        `${inboxOf('berlin')}.>`,
        '_INBOX.>',
        names.subjects,
        '>',
        `$KV.>`,
        '$JS.EVENT.>',
      ]) {
        const error = await new Promise((resolve) => {
          raw.subscribe(subject, { callback: (failure) => resolve(failure) })
        })
        expect(String(error)).toMatch(refused)
      }
    })

    test('takes no message away', async () => {
      const before = (await manager.streams.info(names.stream)).state.messages
      await expect(manager.streams.deleteMessage(names.stream, 1)).rejects.toThrow(refused)
      for (const stream of [names.stream, `KV_${names.sites}`, `OBJ_${names.files}`]) {
        await expect(manager.streams.purge(stream)).rejects.toThrow(refused)
        await expect(manager.streams.delete(stream)).rejects.toThrow(refused)
        await expect(manager.streams.update(stream, { max_age: 1 })).rejects.toThrow(refused)
      }
      expect((await manager.streams.info(names.stream)).state.messages).toBe(before)
    })

    test('learns the names of no other consumer, and so can take none away', async () => {
      await expect(manager.consumers.list(names.stream).next()).rejects.toThrow(refused)
      const names_ = raw.request(`$JS.API.CONSUMER.NAMES.${names.stream}`, '')
      await expect(names_).rejects.toThrow(refused)
    })

    test('a consumer of its own delivers to nobody else', async () => {
      const at = {
        [names.signal('berlin', 'docs')]: [`KV_${names.sites}`, `$KV.${names.sites}.tokyo`],
        [`$KV.${names.sites}.berlin`]: [names.stream, names.line('web')],
        [`$JS.API.STREAM.PURGE.${names.stream}`]: [names.stream, names.line('web')],
      }
      const made = []
      for (const [target, [stream = '', filter = '']] of Object.entries(at)) {
        const name = target.replaceAll(/\W/g, '_')
        await manager.consumers.add(stream, {
          name,
          ack_policy: 'none',
          deliver_policy: 'all',
          filter_subject: filter,
          deliver_subject: target,
        })
        made.push({ stream, name })
      }
      // whoever is asked after it sees that nothing was delivered meanwhile
      await berlin.federation.send({ from: 'meta', to: 'web', type: 'report', subject: 'Later', body: '' })
      await until('a later signal', () => berlin.subjects('web').includes('Later'))
      for (const { stream, name } of made)
        expect((await manager.consumers.info(stream, name)).delivered.consumer_seq).toBe(0)
    })
  })
})
