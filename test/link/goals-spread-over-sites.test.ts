// Proves that the tasks of a goal go to sites that have what they need and a free slot, each to one; that they work there
// from documents as they were proven elsewhere; that a task that failed is tried again where its team lives; and that a
// goal goes on with what a site that died had. Fails when two sites have one task, when a team begins without what it
// works from, or when a proof is believed that is not there.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { siteOf } from '../../src/federation/site-of-team.ts'
import { keepShared } from '../../src/link/copies.ts'
import { placeOfAbsent } from '../../src/protocol/folder-layout.ts'
import { finish, goalWith, movedOn, needsOf, stateOfTasks } from '../support/goal.ts'
import { areLinked, sharedRemote, Site } from '../support/linked-sites.ts'
import { hasServer, NatsServer } from '../support/nats-server.ts'
import { until } from '../support/until.ts'

describe.skipIf(!hasServer)('with a server', () => {
  let server: NatsServer
  let remote = ''
  let sites: Site[] = []
  let count = 0

  beforeAll(async () => {
    server = await NatsServer.start()
    remote = sharedRemote()
  })
  afterAll(() => server.kill())
  afterEach(async () => {
    await Promise.all(sites.map((site) => site.down()))
    sites = []
  })

  /** Linked sites, the first of which has a goal with this plan. */
  async function sitesWith(
    plan: string,
    settings: Readonly<Record<string, { slots: number; labels?: string[] }>>,
  ): Promise<Site[]> {
    count += 1
    sites = Object.entries(settings).map(
      ([name, own]) => new Site(name, [server.url], { federation: `goals${count}`, ...own }, remote),
    )
    const [first] = sites as [Site]
    await goalWith(plan, first.root)
    for (const site of sites) site.up()
    await areLinked(...sites)
    return sites
  }

  /** Moves the goal on until its tasks are in these states. */
  async function reaches({ root }: Site, wanted: Readonly<Record<string, string>>): Promise<void> {
    await until(JSON.stringify(wanted), async () => {
      const states = await movedOn(root)
      return Object.entries(wanted).every(([task, state]) => states[task] === state)
    })
  }

  /** The team of a task, once it has its mission at a site. */
  async function atWork(site: Site, task: string) {
    return until(`${task} at ${site.name}`, async () => {
      await movedOn((sites[0] as Site).root)
      const team = await site
        .opened()
        .team(`goal-${task}`)
        .catch(() => undefined)
      return team?.present().context.mission == null || team.present().finished ? undefined : team
    })
  }

  test('each task is one site’s, which has what it needs', async () => {
    const [a, b, c] = (await sitesWith(
      'goal: Document it\ntasks: [{ id: one, mission: Read }, { id: two, mission: Read, needs: [gpu] }, { id: three, mission: Read, needs: [tape] }]\n',
      { a: { slots: 0 }, b: { slots: 3 }, c: { slots: 3, labels: ['gpu'] } },
    )) as [Site, Site, Site]
    await reaches(a, { one: 'running', two: 'running', three: 'running' })
    await atWork(c, 'two')
    const one = await until('somebody to take it', () =>
      [b, c].find((site) => site.teams().includes('goal-one')),
    )
    await atWork(one, 'one')
    expect(b.teams()).not.toContain('goal-two')
    expect([b, c].filter((site) => site.teams().includes('goal-one'))).toEqual([one])
    expect([a, b, c].filter((site) => site.teams().includes('goal-three'))).toEqual([])
    expect(await stateOfTasks(a.root)).toMatchObject({ three: 'running' })
  })

  test('a task begins with the document of another site, as it was proven', async () => {
    const [a, b, c] = (await sitesWith(
      'goal: Document it\ntasks: [{ id: one, mission: Read, needs: [b] }, { id: two, mission: Read, after: [one], needs: [c] }]\n',
      { a: { slots: 0 }, b: { slots: 1, labels: ['b'] }, c: { slots: 1, labels: ['c'] } },
    )) as [Site, Site, Site]
    await reaches(a, { one: 'running', two: 'waiting' })
    const one = await atWork(b, 'one')
    await finish(one)
    const proven = readFileSync(one.deliverableFile, 'utf8')
    await reaches(a, { one: 'done', two: 'running' })
    const two = await atWork(c, 'two')
    expect(readFileSync(path.join(two.actor.workspace, 'inputs', 'one.md'), 'utf8')).toBe(proven)
    await finish(two)
    await reaches(a, { one: 'done', two: 'done' })
    expect(readFileSync(path.join(placeOfAbsent(a.root, 'goal-two'), 'deliverable.md'), 'utf8')).toBe(proven)
  })

  test('a task that failed is tried again where its team lives', async () => {
    const [a, b] = (await sitesWith('goal: Document it\ntasks: [{ id: one, mission: Read }]\n', {
      a: { slots: 0 },
      b: { slots: 1 },
    })) as [Site, Site]
    await reaches(a, { one: 'running' })
    const first = await atWork(b, 'one')
    const { missionNumber } = first.present()
    await finish(first, 'failed')
    const again = await until('the second attempt', async () => {
      await movedOn(a.root)
      const team = await b.opened().team('goal-one')
      return team.present().missionNumber > missionNumber && team.present().context.mission !== null && team
    })
    expect(again.present().context.mission?.body).toContain('This is attempt 2')
    await finish(again)
    await reaches(a, { one: 'done' })
    expect(await needsOf(a.root)).toEqual([])
  })

  test('a goal goes on with the task of a site that died', async () => {
    const [a, b, c] = (await sitesWith(
      'goal: Document it\ntasks: [{ id: one, mission: Read, needs: [b] }]\n',
      { a: { slots: 0 }, b: { slots: 1, labels: ['b'] }, c: { slots: 0 } },
    )) as [Site, Site, Site]
    await reaches(a, { one: 'running' })
    await atWork(b, 'one')
    await b.down()
    await c.takeOver('b')
    const again = await atWork(c, 'one')
    await finish(again)
    await reaches(a, { one: 'done' })
    expect(siteOf(a.root, 'goal-one')).toBe('c')
  })

  test('a document that is not what its digest says is not taken', async () => {
    const [a, b] = (await sitesWith('goal: Document it\ntasks: [{ id: one, mission: Read }]\n', {
      a: { slots: 0 },
      b: { slots: 1 },
    })) as [Site, Site]
    await reaches(a, { one: 'running' })
    await finish(await atWork(b, 'one'))
    await reaches(a, { one: 'done' })
    const file = path.join(placeOfAbsent(a.root, 'goal-one'), 'deliverable.md')
    const digest = await until('its digest', () => {
      const { document } = a.known('goal-one') ?? {}
      return document?.digest
    })
    writeFileSync(file, 'something else')
    const brought = await a.with((link) =>
      keepShared(a.root, link, 'goal-one', { name: 'deliverable.md', digest }),
    )
    expect(brought).toBe(file)
    expect(readFileSync(file, 'utf8')).not.toBe('something else')
    const unknown = `sha256:${'0'.repeat(64)}`
    expect(
      await a.with((link) => keepShared(a.root, link, 'goal-one', { name: 'other.md', digest: unknown })),
    ).toBeUndefined()
    expect(existsSync(path.join(placeOfAbsent(a.root, 'goal-one'), 'other.md'))).toBe(false)
  })
})
