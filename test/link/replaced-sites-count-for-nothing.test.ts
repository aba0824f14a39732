// Proves that what a site goes on with after another has taken its teams over counts nowhere, and is listed there; and
// that what it said before counts. It fails when a signal is lost without a word, comes twice, or counts after its
// sender's epoch, or when a new team is taken for an old one of its name.
import { mkdirSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { teamsElsewhere } from '../../src/federation/elsewhere.ts'
import { beginMission } from '../../src/federation/mission.ts'
import { Outgoing } from '../../src/link/outgoing.ts'
import { nonceOf, sayHere } from '../../src/link/presence.ts'
import { publishLife } from '../../src/link/publish-life.ts'
import { listAside } from '../../src/link/put-aside.ts'
import { META } from '../../src/protocol/team-id.ts'
import { workspaceLayout } from '../../src/protocol/folder-layout.ts'
import { fed } from '../support/fed.ts'
import { type Site } from '../support/linked-sites.ts'
import { hasServer } from '../support/nats-server.ts'
import { until } from '../support/until.ts'
import { heldAt, sitesOfAServer } from '../support/sites-of-a-server.ts'

describe.skipIf(!hasServer)('with a server', () => {
  const { newSite, linked } = sitesOfAServer()

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
})
