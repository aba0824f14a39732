// Proves what holds of teams at several sites of one process each: one site has a team, whoever comes; what is sent
// arrives once, in order; a team that moves takes its mail along. It fails when a signal is lost or comes twice, or when
// two sites have one team.
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { beginMission } from '../../src/federation/mission.ts'
import { nonceOf, sayHere } from '../../src/link/presence.ts'
import { listAside } from '../../src/link/put-aside.ts'
import { placeOfAbsent, workspaceLayout } from '../../src/protocol/folder-layout.ts'
import { readLinkState } from '../../src/records/sites/link-state.ts'
import { areLinked, type Site } from '../support/linked-sites.ts'
import { hasServer } from '../support/nats-server.ts'
import { until } from '../support/until.ts'
import { heldAt, sitesOfAServer } from '../support/sites-of-a-server.ts'

describe.skipIf(!hasServer)('with a server', () => {
  const { linked } = sitesOfAServer()

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
