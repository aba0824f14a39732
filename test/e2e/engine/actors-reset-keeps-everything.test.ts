// Proves that a reset begins a new mission and deletes nothing: versions, document and sessions are put away,
// numbers go on, what belonged to the old mission is refused and what was meant for the next one waits for it.
// Fails when anything is lost, or something of the old mission counts for the new one.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { accepted, type Sample } from '../../support/samples.ts'
import { TestTeam, toldBy } from '../../support/test-team.ts'

const samples = accepted.deliverable as readonly Sample[]
const named = (...subjects: string[]) =>
  subjects.map((subject) => samples.find((one) => one.subject === subject) as Sample)
const way = named(
  'Document the storage',
  'mission-planned',
  'files-read',
  'patterns-identified',
  'document-written',
)
const [mission, planned, read] = way as [Sample, Sample, Sample]
const next: Sample = { ...mission, subject: 'Document the registry' }

const inside = (team: TestTeam, ...names: string[]) => path.join(team.workspace, ...names)
const archived = (team: TestTeam, ...names: string[]) => inside(team, '.fed', 'missions', '1', ...names)

/** Every file below a folder with its text; names are relative. */
function filesBelow(dir: string): Record<string, string> {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return Object.fromEntries(
    names.map((one) => {
      const file = path.join(one.parentPath, one.name)
      return [path.relative(dir, file), readFileSync(file, 'utf8')]
    }),
  )
}

async function finished(): Promise<TestTeam> {
  const team = await TestTeam.begin('deliverable')
  await team.walk(way)
  mkdirSync(inside(team, '.fed/sessions'))
  for (const name of ['1-1.json', '1-1.log', '2-1.json'])
    writeFileSync(inside(team, '.fed/sessions', name), name)
  return team
}

const reset = async (team: TestTeam) => (await team.open()).reset()

test('versions, document and sessions of the mission are put away, and every byte is kept', async () => {
  const team = await finished()
  const before = filesBelow(inside(team, '.fed', 'lifecycle.d'))
  const document = readFileSync(inside(team, 'deliverable.md'), 'utf8')
  const log = readFileSync(inside(team, '.fed/learnings.jsonl'), 'utf8')
  expect(await reset(team)).toBe(2)
  expect(filesBelow(archived(team))).toEqual({
    ...before,
    'deliverable.md': document,
    'sessions/1-1.json': '1-1.json',
    'sessions/1-1.log': '1-1.log',
  })
  expect(existsSync(inside(team, 'deliverable.md'))).toBe(false)
  expect(readdirSync(inside(team, '.fed/sessions'))).toEqual(['2-1.json'])
  expect(readFileSync(inside(team, '.fed/learnings.jsonl'), 'utf8')).toBe(log)
})

test('version numbers go on, the history begins anew, and the next reset archives the next mission', async () => {
  const team = await finished()
  const { version } = team.head()
  await reset(team)
  expect(team.head()).toMatchObject({
    version: version + 1,
    mission: 2,
    snapshot: { value: { working: 'preparing' } },
  })
  expect(await toldBy(team)).toEqual([])
  await team.walk([next, planned])
  expect((await team.open()).history().map((one) => [one.version, one.mission])).toEqual([
    [version + 2, 2],
    [version + 3, 2],
  ])
  expect(await reset(team)).toBe(3)
  const kept = readdirSync(inside(team, '.fed/missions/2')).filter((name) => name.endsWith('.json'))
  expect(kept.map((name) => Number.parseInt(name, 10)).toSorted((a, b) => a - b)).toEqual([
    version + 1,
    version + 2,
    version + 3,
  ])
})

test('a milestone of the old mission that nobody handled is refused; a directive waits and is the mission', async () => {
  const team = await finished()
  const late = await team.send(read)
  const waiting = await team.send(next)
  await reset(team)
  expect(await toldBy(team)).toEqual([
    {
      event: 'report.files-read',
      outcome: 'refused',
      kind: 'earlier-mission',
      from: 'complete',
      to: 'preparing',
    },
  ])
  expect((await team.open()).history()[0]?.refusal?.message).toContain('mission 1')
  expect([late, waiting].map((signal) => team.isAcknowledged(signal))).toEqual([true, false])
  await (await team.open()).step()
  expect(team.head().snapshot.context.mission).toMatchObject({ signal: waiting.id, subject: next.subject })
  expect(team.isAcknowledged(waiting)).toBe(true)
})

test('what a paused team deferred becomes the next mission, and the registry is active again', async () => {
  const team = await TestTeam.begin('deliverable')
  await team.walk([mission, ...named('pause'), next])
  expect(team.status()).toBe('paused')
  await reset(team)
  expect(team.status()).toBe('active')
  await (await team.open()).step()
  expect(team.head().snapshot.context).toMatchObject({ mission: { subject: next.subject }, instructions: [] })
})

test('findings and the document of the old mission prove nothing for the new one', async () => {
  const team = await finished()
  await reset(team)
  await team.walk([next, planned])
  await team.send(read)
  await (await team.open()).step()
  expect((await toldBy(team)).at(-1)).toMatchObject({
    outcome: 'refused',
    kind: 'guard-refused',
    to: 'scanning',
  })
  await team.walk([read, ...named('patterns-identified')])
  await team.send(way[4] as Sample)
  await (await team.open()).step()
  expect((await toldBy(team)).at(-1)).toMatchObject({ outcome: 'refused', to: 'aggregating' })
})

test('a copy of a signal of the old mission is a duplicate in the new one', async () => {
  const team = await finished()
  const file = (await team.open()).history()[0]?.file
  const old = inside(team, '.fed/signals/inbox', file ?? '')
  await reset(team)
  writeFileSync(inside(team, '.fed/signals/inbox/copy.json'), readFileSync(old, 'utf8'))
  await (await team.open()).step()
  expect((await toldBy(team)).map(({ outcome }) => outcome)).toEqual(['duplicate'])
  expect(team.head().snapshot.context.mission).toBeNull()
})

test.each([
  ['nothing', () => true],
  ['the document', (name: string) => name !== 'deliverable.md'],
  ['the document and the first versions', (name: string) => /^[3-9]\./.test(name)],
])('a process killed when it had put away %s is finished by the next step', async (_title, isLeft) => {
  const team = await finished()
  const { version } = team.head()
  await reset(team)
  const whole = { archive: filesBelow(archived(team)), rest: filesBelow(inside(team, '.fed', 'lifecycle.d')) }
  for (const name of readdirSync(archived(team)).filter((one) => one !== 'sessions' && isLeft(one))) {
    const home = name === 'deliverable.md' ? inside(team, name) : inside(team, '.fed/lifecycle.d', name)
    renameSync(archived(team, name), home)
  }
  rmSync(inside(team, '.fed/lifecycle.d', `${version + 1}.done`))
  await (await team.open()).step()
  expect(filesBelow(archived(team))).toEqual(whole.archive)
  expect(filesBelow(inside(team, '.fed', 'lifecycle.d'))).toEqual(whole.rest)
  expect(existsSync(inside(team, 'deliverable.md'))).toBe(false)
})

test('a document that the next mission wrote is never taken for the old one', async () => {
  const team = await finished()
  const { version } = team.head()
  await reset(team)
  const old = readFileSync(archived(team, 'deliverable.md'), 'utf8')
  writeFileSync(inside(team, 'deliverable.md'), 'new')
  // a process that was stopped in the middle of the reset's effects wakes up
  rmSync(inside(team, '.fed/lifecycle.d', `${version + 1}.done`))
  await (await team.open()).step()
  expect(readFileSync(inside(team, 'deliverable.md'), 'utf8')).toBe('new')
  expect(readFileSync(archived(team, 'deliverable.md'), 'utf8')).toBe(old)
})

test('a question that waits for a consultant is answered by the next mission', async () => {
  const consultants = accepted.consultant as readonly Sample[]
  const [question] = consultants.filter(({ type }) => type === 'question') as [Sample]
  const team = await TestTeam.begin('consultant')
  await team.walk(consultants.filter(({ subject }) => subject === 'Document the storage'))
  const asked = await team.send(question)
  await reset(team)
  await team.walk(
    ['Document the storage', 'domain-mapped', 'index-built'].map(
      (subject) => consultants.find((one) => one.subject === subject) as Sample,
    ),
  )
  expect((await team.open()).present()).toMatchObject({
    state: 'researching',
    context: { question: { signal: asked.id } },
  })
})

test('a document that appears after a mission without one belongs to the next, however late the effects run', async () => {
  const team = await TestTeam.begin('deliverable')
  const opened = await team.open()
  await opened.reset(1)
  const document = inside(team, 'deliverable.md')
  writeFileSync(document, 'new')
  const done = readdirSync(inside(team, '.fed/lifecycle.d')).filter((name) => name.endsWith('.done'))
  expect(done).toHaveLength(1)
  rmSync(inside(team, '.fed/lifecycle.d', done[0] ?? ''))
  await opened.step()
  expect(readFileSync(document, 'utf8')).toBe('new')
})

test('a mission that is to be repeated is part of the reset', async () => {
  const team = await finished()
  const opened = await team.open()
  const before = opened.present().context.mission
  await opened.reset(1, true)
  await opened.step()
  expect(before).not.toBeNull()
  expect(opened.present().context.mission).toMatchObject({ subject: before?.subject, body: before?.body })
})

test('of two resets that mean the same mission one counts', async () => {
  const team = await TestTeam.begin('deliverable')
  const opened = await team.open()
  expect(await opened.reset(1)).toBe(2)
  expect(await opened.reset(1)).toBe(2)
  expect(opened.present().missionNumber).toBe(2)
})
