// Proves what holds of teams at several sites of one process each: one site has a team, whoever comes; what a replaced
// site goes on with counts nowhere; a team that moves takes its mail along. It fails when a signal is lost, comes twice,
// or counts after its sender's epoch.
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { teamsElsewhere } from '../../src/federation/elsewhere.ts'
import { beginMission } from '../../src/federation/mission.ts'
import { Outgoing } from '../../src/link/outgoing.ts'
import { nonceOf, sayHere } from '../../src/link/presence.ts'
import { publishLife } from '../../src/link/publish-life.ts'
import { listAside } from '../../src/link/put-aside.ts'
import { META } from '../../src/protocol/team-id.ts'
import { placeOfAbsent, workspaceLayout } from '../../src/protocol/folder-layout.ts'
import { readLinkState } from '../../src/records/sites/link-state.ts'
import { fed } from '../support/fed.ts'
import { areLinked, sharedRemote, Site } from '../support/linked-sites.ts'
import { hasServer, NatsServer } from '../support/nats-server.ts'
import { until } from '../support/until.ts'

describe.skipIf(!hasServer)('with a server', () => {
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

  const heldAt = (site: Site) =>
    readLinkState(site.root)?.held.map(({ team, why }) => `${team}: ${why}`) ?? []

  test('signals arrive once, each pair in order, while links come and go', async () => {
    const [a, b] = (await linked({ a: ['x'], b: ['y', 'z'] })) as [Site, Site]
    const sent: Record<string, string[]> = { y: [], z: [], x: [] }
    for (let round = 0; round < 3; round += 1) {
      for (let number = 0; number < 5; number += 1) {
        for (const to of ['y', 'z']) sent[to]?.push(await a.send('x', to, `${to} ${round} ${number}`))
        sent['x']?.push(await b.send('y', 'x', `x ${round} ${number}`))
      }
      await (round === 1 ? a : b).down()
      ;(round === 1 ? a : b).up()
    }
    await b.got('y', sent['y'] ?? [])
    await b.got('z', sent['z'] ?? [])
    await a.got('x', sent['x'] ?? [])
    expect(b.mail('y')).toEqual(sent['y'])
    expect(b.mail('z')).toEqual(sent['z'])
    expect(a.mail('x')).toEqual(sent['x'])
  })

  test('a stream that was made anew is read from its beginning, however long it is', async () => {
    const [a, b] = (await linked({ a: ['x'], b: ['y'] })) as [Site, Site]
    await b.down()
    await a.down()
    await a.with((link) => link.manager.streams.delete(link.names.stream))
    a.up()
    await areLinked(a)
    const many = Array.from({ length: 8 }, (_, number) => `new-${number}`)
    await a.onboard(...many)
    for (const team of many) await a.knows(team, 'a')
    b.up()
    for (const team of many) await b.knows(team, 'a')
    await a.knows('y', 'b')
  })

  test('a file whose name cannot travel keeps its team where it is; a program stays one', async () => {
    const [a, b] = (await linked({ a: ['x'], b: [] })) as [Site, Site]
    const { location } = a.opened().registry.entry('x')
    const odd = path.join(location, String.raw`one\two`)
    writeFileSync(odd, '')
    writeFileSync(path.join(location, 'run.sh'), '#!/bin/sh', { mode: 0o755 })
    await expect(a.move('x', 'b')).rejects.toThrow('cannot travel')
    rmSync(odd)
    mkdirSync(path.join(location, 'empty', 'folder'), { recursive: true })
    symlinkSync('run.sh', path.join(location, 'link.sh'))
    await expect(a.move('x', 'b')).rejects.toThrow(/x stays: link\.sh in .* --force/)
    expect(a.teams()).toEqual(['x'])
    await a.move('x', 'b', true)
    await b.has('x')
    expect(
      statSync(path.join(b.opened().registry.entry('x').location, 'empty', 'folder')).isDirectory(),
    ).toBe(true)
    expect(readdirSync(path.join(listAside(a.root)[0]?.folder ?? ''))).toContain('link.sh')
    expect(statSync(path.join(b.opened().registry.entry('x').location, 'run.sh')).mode & 0o100).toBe(0o100)
  })

  test('a team of an archetype that the other site does not know stays', async () => {
    const [a, b] = (await linked({ a: ['x'], b: [] })) as [Site, Site]
    await b.down()
    const said = { slots: 0, taken: 0, teams: 0, sequence: 0, nonce: nonceOf(b.root) }
    await b.with((link) => sayHere(link, { ...said, archetypes: ['consultant'] }))
    await expect(a.move('x', 'b')).rejects.toThrow('site b does not know the archetype deliverable of x')
    expect(a.teams()).toEqual(['x'])
    b.up()
    await until('b to say what it knows', () =>
      a.move('x', 'b').then(
        () => true,
        () => false,
      ),
    )
    await b.has('x')
  })

  test('what is repeated when the servers do not know it any more has one effect', async () => {
    const [a, b] = (await linked({ a: ['x'], b: ['y'] })) as [Site, Site]
    const ids = [await a.send('x', 'y', 'first'), await a.send('x', 'y', 'second')]
    await b.got('y', ids)
    await a.with(({ manager, names }) =>
      manager.streams.update(names.stream, { duplicate_window: 100 * 1_000_000 }),
    )
    await a.down()
    const { inbox } = workspaceLayout(placeOfAbsent(a.root, 'y'))
    for (const name of readdirSync(inbox)) if (name.endsWith('.ack')) rmSync(path.join(inbox, name))
    b.opened()
      .mailbox('y')
      .acknowledgeFiles(
        b
          .opened()
          .mailbox('y')
          .unacknowledged()
          .map(({ file }) => file),
      )
    const messages = () =>
      a.with(async ({ manager, names }) => {
        const { state } = await manager.streams.info(names.stream, {
          subjects_filter: names.signal('a', 'y'),
        })
        return state.subjects?.[names.signal('a', 'y')] ?? 0
      })
    const before = await messages()
    let asked = 0
    // the servers forget an id within its window and a little; whether they have is asked with another id
    await until('an id to be forgotten', () =>
      a.with(async ({ js, names }) => {
        const told = await js.publish(names.offer('none'), '', { msgID: 'probe' })
        asked += 1
        return asked > 1 && !told.duplicate
      }),
    )
    a.up()
    await until('both to be sent again', async () => (await messages()) > before)
    const last = await a.send('x', 'y', 'third')
    await b.got('y', [last])
    expect(b.mail('y')).toEqual([...ids, last])
    expect(
      b
        .opened()
        .mailbox('y')
        .unacknowledged()
        .map(({ id }) => id),
    ).toEqual([last])
  })

  test('of two sites that onboard one name, one gets it and the other is told', async () => {
    const [a, b] = (await linked({ a: [], b: [] })) as [Site, Site]
    await Promise.all([a.onboard('same'), b.onboard('same')])
    await until(
      'both to agree',
      () => a.siteOf('same') !== undefined && a.siteOf('same') === b.siteOf('same'),
    )
    const other = a.siteOf('same') === 'a' ? b : a
    await until('the other one to be told', () => heldAt(other).some((one) => one.includes('another name')))
    expect(heldAt(other === a ? b : a)).toEqual([])
  })

  test('what one sender may not send holds up no other', async () => {
    const [a, b] = (await linked({ a: ['x'], b: ['y', 'same'] })) as [Site, Site]
    // a team that onboarded while its site did not know that the name is another's
    await a.down()
    await a.onboard('same')
    const first = await a.send('same', 'y', 'of nobody')
    const second = await a.send('x', 'y', 'of somebody')
    a.up()
    await b.got('y', [second])
    expect(b.mail('y')).not.toContain(first)
  })

  test('what waits when its sender is offboarded is sent before its name is given back', async () => {
    const [a, b] = (await linked({ a: ['x', 'w'], b: ['y'] })) as [Site, Site]
    await a.down()
    const last = await a.send('x', 'y', 'the last word')
    const { offboard } = await import('../../src/agents/offboarding/offboard-team.ts')
    await (await a.opened().team('x')).archive()
    await offboard(a.opened(), 'x')
    const other = await a.send('w', 'y', 'of another')
    a.up()
    await b.got('y', [last, other])
    await until('the name to be free', () => b.siteOf('x') === undefined)
  })

  test('a new team of a name that was given back meanwhile goes on, and the last word of the one before arrives', async () => {
    const [a, b] = (await linked({ a: ['x'], b: ['y'] })) as [Site, Site]
    await a.down()
    const last = await a.send('x', 'y', 'the last word')
    const { offboard } = await import('../../src/agents/offboarding/offboard-team.ts')
    await (await a.opened().team('x')).archive()
    await offboard(a.opened(), 'x')
    await a.opened().onboard({ domain: 'x', archetype: 'consultant' })
    const first = await a.send('x', 'y', 'the first word')
    a.up()
    await b.got('y', [last, first])
    expect(heldAt(a)).toEqual([])
    expect(teamsElsewhere(b.root).find(({ team }) => team === 'x')?.archetype).toBe('consultant')
  })

  test('a replaced site sends nothing that counts, and lists it', async () => {
    const [a, b] = (await linked({ a: [], b: ['x'] })) as [Site, Site]
    const c = newSite('c')
    await c.onboard('y')
    c.up()
    for (const site of [a, b, c]) await site.knows('y', 'c')
    await b.down()
    await a.takeOver('b')
    await a.has('x')
    // it does not know yet
    const late = await b.send('x', 'y', 'late')
    await beginMission(await b.opened().team('x'), 'Go on')
    b.up()
    await until('it to be put aside', () => listAside(b.root).some(({ team }) => team === 'x'))
    expect(b.teams()).toEqual([])
    const [aside] = listAside(b.root)
    expect(aside).toMatchObject({ team: 'x', site: 'a', isMoved: false })
    expect(aside?.versions.length).toBeGreaterThan(0)
    expect(aside?.sent.map(({ subject }) => subject)).toContain('late')
    // and when it has the name again, what it sent meanwhile still does not count
    await b.onboard('w')
    await b.knows('w', 'b')
    await a.move('x', 'b')
    await b.has('x')
    const right = await b.send('w', 'y', 'right')
    const again = await b.send('x', 'y', 'again')
    await c.got('y', [right, again])
    expect(c.mail('y')).not.toContain(late)
  })

  test('a team that was offboarded where it was taken over to does not come back with the slow site', async () => {
    const [a, b] = (await linked({ a: [], b: ['x'] })) as [Site, Site]
    await b.down()
    await a.takeOver('b')
    await a.has('x')
    const { offboard } = await import('../../src/agents/offboarding/offboard-team.ts')
    await (await a.opened().team('x')).archive()
    await offboard(a.opened(), 'x')
    await until('the name to be free', () => a.siteOf('x') === undefined)
    b.up()
    await until('it to be put aside', () => listAside(b.root).some(({ team }) => team === 'x'))
    expect(a.siteOf('x')).toBeUndefined()
    expect(b.teams()).toEqual([])
  })

  test('a site that gets a team back which it had kept goes on where the others were', async () => {
    const [a, b] = (await linked({ a: [], b: ['x'] })) as [Site, Site]
    await b.down()
    await a.takeOver('b')
    await a.has('x')
    await beginMission(await a.opened().team('x'), 'Go on at a')
    const { version } = await (await a.opened().team('x')).status()
    await until('all to be published', () => a.with(async (_, view) => view.team('x')?.version === version))
    // back to a site that never knew
    await a.down()
    await b.with(async (link, view) => {
      const { takeOver } = await import('../../src/link/take-over.ts')
      return takeOver(link, view, 'a', true)
    })
    b.up()
    await until('it to go on there', async () => {
      const team = b.teams().includes('x') ? await b.opened().team('x') : undefined
      return team !== undefined && (await team.status()).mission?.subject === 'Go on at a'
    })
    expect(listAside(b.root).map(({ team }) => team)).toEqual(['x'])
  })

  test('a team that is back before its site saw it go leaves there what counted nowhere', async () => {
    const [a, b] = (await linked({ a: ['y'], b: ['x'] })) as [Site, Site]
    await b.down()
    await a.takeOver('b')
    await a.has('x')
    // its site does not know, and sends in the epoch before
    const late = await b.send('x', 'y', 'late')
    await b.with(async (link, view) => {
      const outgoing = new Outgoing(b.opened(), view)
      await outgoing.pass(link)
      expect(outgoing.sent).toBe(1)
    })
    await until('it to be refused', () => a.refusals.some((one) => one.includes('of x at b')))
    const said = { slots: 0, taken: 0, teams: 0, sequence: 0, nonce: nonceOf(b.root) }
    await b.with((link) => sayHere(link, said))
    await a.move('x', 'b')
    b.up()
    await until('it to be put aside', () => listAside(b.root).some(({ team }) => team === 'x'))
    await b.has('x')
    expect(listAside(b.root).flatMap(({ sent }) => sent.map(({ subject }) => subject))).toEqual(['late'])
    const right = await b.send('x', 'y', 'right')
    await a.got('y', [right])
    expect(a.mail('y')).not.toContain(late)
  })

  test('what was sent before the last accepted version, and left after it, is listed', async () => {
    const [a, b] = (await linked({ a: ['y'], b: ['x'] })) as [Site, Site]
    await b.down()
    const late = await b.send('x', 'y', 'late')
    await beginMission(await b.opened().team('x'), 'Go on')
    const entry = b.opened().registry.entry('x')
    await b.with(async (link, view) => {
      // it is killed between the two
      expect(await publishLife(link, view, entry, 'deliverable.md')).toBe('current')
      await a.takeOver('b')
      const outgoing = new Outgoing(b.opened(), view)
      await outgoing.pass(link)
      expect(outgoing.sent).toBe(1)
    })
    b.up()
    await until('it to be put aside', () => listAside(b.root).some(({ team }) => team === 'x'))
    expect(listAside(b.root).flatMap(({ sent }) => sent.map(({ subject }) => subject))).toEqual(['late'])
    expect(a.mail('y')).not.toContain(late)
  })

  test('a new team of the name of one that went and came back is not taken for that one', async () => {
    const [a, b] = (await linked({ a: ['x'], b: ['y'] })) as [Site, Site]
    await a.move('x', 'b')
    await b.has('x')
    await b.move('x', 'a')
    await a.has('x')
    const { offboard } = await import('../../src/agents/offboarding/offboard-team.ts')
    await (await a.opened().team('x')).archive()
    await offboard(a.opened(), 'x')
    await until('the name to be free', () => b.siteOf('x') === undefined)
    await a.opened().onboard({ domain: 'x', archetype: 'consultant' })
    const { onboardedAt } = a.opened().registry.entry('x')
    await until('the new one to be known', () => b.known('x')?.entry?.['onboardedAt'] === onboardedAt)
    await b.got('y', [await a.send('x', 'y', 'one')])
    await a.down()
    a.up()
    await b.got('y', [await a.send('x', 'y', 'two')])
    expect(a.opened().registry.entry('x').onboardedAt).toBe(onboardedAt)
    expect(listAside(a.root).filter(({ isMoved }) => !isMoved)).toEqual([])
  })

  test('what nobody read of a team that went first is listed', async () => {
    const [a, b] = (await linked({ a: [], b: ['x', 'w'] })) as [Site, Site]
    // nobody steps it: it waits
    await b.send('w', 'x', 'unread')
    await b.move('w', 'a')
    await a.has('w')
    await b.down()
    await a.takeOver('b')
    await a.has('x')
    b.up()
    await until('it to be put aside', () => listAside(b.root).some(({ team }) => team === 'x'))
    const aside = listAside(b.root).find(({ team }) => team === 'x')
    expect(aside?.unread).toMatchObject([{ from: 'w', subject: 'unread' }])
    expect((await fed(b.root, ['link', 'status'])).stdout).toContain(
      "report 'unread' of w was read by nobody",
    )
  })

  test('what a team committed and sent before its site died reaches its recipients', async () => {
    const [a, b] = (await linked({ a: [], b: ['x', 'w'] })) as [Site, Site]
    await b.down()
    const team = await b.opened().team('x')
    await beginMission(team, 'Work')
    await team.pause()
    await team.resume()
    const { version } = await team.status()
    const { inbox } = workspaceLayout(b.root)
    // its lives were published, its signals were not: the link died between
    const mail = b.subjects(META)
    expect(mail.length).toBeGreaterThan(0)
    rmSync(inbox, { recursive: true })
    mkdirSync(inbox)
    b.up()
    await until('all to be published', () => a.with(async (_, view) => view.team('x')?.version === version))
    await b.down()
    await a.takeOver('b')
    await a.has('x')
    await until('its reports', () => mail.every((subject) => a.subjects(META).includes(subject)))
    expect(a.subjects(META).filter((subject) => subject.startsWith('x:'))).toEqual(
      mail.filter((subject) => subject.startsWith('x:')),
    )
  })

  test('meta that was taken over has the mail that it had', async () => {
    const [a, b] = (await linked({ a: [], b: ['y'] })) as [Site, Site]
    const id = await b.send('y', META, 'for meta')
    await a.got(META, [id])
    await a.down()
    await b.takeOver('a')
    await b.got(META, [id])
    const next = await b.send('y', META, 'for meta again')
    await b.got(META, [id, next])
    // and the old one holds up nobody
    a.up()
    await a.knows(META, 'b')
    await a.onboard('x')
    await b.knows('x', 'a')
    const other = await a.send('x', META, 'of another')
    await b.got(META, [other])
    expect(b.mail(META).length).toBe(new Set(b.mail(META)).size)
  })

  test('a team moves with its mail, there and back', async () => {
    const [a, b] = (await linked({ a: ['x', 'w'], b: ['y'] })) as [Site, Site]
    const local = await a.send('w', 'x', 'local')
    const far = await b.send('y', 'x', 'far')
    await a.got('x', [local, far])
    writeFileSync(path.join(a.root, '.fed', 'teams', 'x', 'note.txt'), 'kept')
    const waits = await a.send('x', 'y', 'waits')
    await a.move('x', 'b')
    await b.has('x')
    await b.got('y', [waits])
    await b.got('x', [local, far])
    const after = await a.send('w', 'x', 'after')
    await b.got('x', [local, far, after])
    await b.move('x', 'a')
    await a.has('x')
    await a.got('x', [local, far, after])
    expect(a.mail('x').length).toBe(3)
    expect(b.teams()).toEqual(['y'])
    expect(a.teams().toSorted()).toEqual(['w', 'x'])
  })

  test('what waits is sent before its sender moves, also where no link runs', async () => {
    const [a, b] = (await linked({ a: ['x'], b: ['y'] })) as [Site, Site]
    await a.down()
    const waits = await a.send('x', 'y', 'waits')
    await a.move('x', 'b')
    await b.has('x')
    await b.got('y', [waits])
  })

  test('a stream that is full refuses, and goes on when there is room', async () => {
    const [a, b] = (await linked({ a: ['x'], b: ['y'] })) as [Site, Site]
    const first = await a.send('x', 'y', 'first')
    await b.got('y', [first])
    const limit = (bytes: number) =>
      a.with(async ({ manager, names }) => {
        const { config } = await manager.streams.info(names.stream)
        await manager.streams.update(names.stream, { ...config, max_bytes: bytes })
      })
    const { state } = await a.with(({ manager, names }) => manager.streams.info(names.stream))
    await limit(state.bytes + 500)
    const sent: string[] = []
    for (let number = 0; number < 40; number += 1) sent.push(await a.send('x', 'y', `more ${number}`))
    await until('it to be refused', () => /maximum bytes/.test(readLinkState(a.root)?.trouble ?? ''))
    const kept = await a.with(({ manager, names }) => manager.streams.info(names.stream))
    expect(kept.state.first_seq).toBe(state.first_seq)
    await limit(2 ** 30)
    await b.got('y', sent)
    expect(b.mail('y')).toEqual([first, ...sent])
  })

  test('a reset that the servers did not see leaves one line', async () => {
    const [a, b] = (await linked({ a: ['x'], b: [] })) as [Site, Site]
    await a.down()
    const team = await a.opened().team('x')
    await beginMission(team, 'One')
    await (await a.opened().team('x')).archive().catch(() => undefined)
    const { reset } = await import('../../src/engine/step/reset.ts')
    await reset((await a.opened().team('x')).actor, 1)
    const { version } = await (await a.opened().team('x')).status()
    a.up()
    await until('all to be published', () => b.with(async (_, view) => view.team('x')?.version === version))
    expect(heldAt(a)).toEqual([])
  })
})
