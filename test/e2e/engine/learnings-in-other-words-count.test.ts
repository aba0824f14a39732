// Proves that findings which a team's agent wrote into its log in words of its own (the specification, §2.5, allows
// any) count as evidence, are kept as written, stand under *other*, and are counted. It fails when such a finding is
// passed over, when its words are changed, or when a filter takes it for one of fed's.
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import type { Learning } from '../../../src/index.ts'
import { matches, type FindingFilter } from '../../../src/records/learnings/known-findings.ts'
import { fed, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'

let root: string
const timestamp = new Date(Date.now() + 3_600_000).toISOString()
const foreign: Learning = {
  timestamp,
  domain: 'Documentation',
  category: 'design smell',
  content: 'The registry is read twice',
  tags: [],
  confidence: '80 %',
}
const shouted: Learning = { ...foreign, category: 'Gotcha', confidence: 'HIGH', content: 'It is read again' }

beforeAll(async () => {
  root = await newFederation({ docs: 'Explain the registry' })
  const log = path.join(workspaceOf(root, 'docs'), '.fed', 'learnings.jsonl')
  for (const one of [foreign, shouted]) appendFileSync(log, `${JSON.stringify(one)}\n`)
})

test('they are the evidence that files were read', async () => {
  const team = await new Federation(root).team('docs')
  await team.tell({ type: 'report', subject: 'mission-planned', body: 'read src/app.ts' })
  const { entry } = await team.tell({ type: 'report', subject: 'files-read', body: '' })
  expect(entry).toMatchObject({ outcome: 'accepted', to: 'distilling' })
})

test('they are listed as they were written, by the team in whose log they are', async () => {
  const listed = await fedJson<Learning[]>(root, ['learnings'])
  expect(listed).toEqual([
    { ...foreign, domain: 'docs', alsoFoundBy: [] },
    { ...shouted, domain: 'docs', alsoFoundBy: [] },
  ])
})

test('people see them under other, and how many there are', async () => {
  const { code, stdout, stderr } = await fed(root, ['learnings'])
  expect(code).toBe(0)
  expect(stdout.replaceAll(/ {2,}/g, '  ').split('\n')).toEqual([
    `${timestamp}  docs  other: design smell  other: 80 %  The registry is read twice`,
    `${timestamp}  docs  gotcha  high  It is read again`,
    '',
  ])
  expect(stderr).toMatch(/^1 of 2 findings in other words than fed's: '--category other'/)
})

test.each([
  ['--confidence', 'low', 1],
  ['--category', 'gotcha', 1],
  ['--confidence', 'other', 0],
  ['--tag', 'storage', 0],
])('those that %s %s passes over only for their words are told: %d', async (option, value, count) => {
  const { stderr } = await fed(root, ['learnings', option, value])
  const told = "1 finding in other words passed over: '--category other' or '--confidence other' lists them\n"
  expect(stderr.includes(told)).toBe(count === 1)
})

const filters: [FindingFilter, boolean, boolean][] = [
  [{}, true, true],
  [{ categories: ['other'] }, true, false],
  [{ categories: ['gotcha'] }, false, true],
  [{ categories: ['other', 'gotcha'] }, true, true],
  [{ confidence: 'low' }, false, true],
  [{ confidence: 'other' }, true, false],
]
test.each(filters)('a question %j finds what it asks for', (filter, findsForeign, findsShouted) => {
  expect([matches(foreign, filter), matches(shouted, filter)]).toEqual([findsForeign, findsShouted])
})

test('a milestone that finds no finding says which lines are none', async () => {
  const other = await newFederation({ docs: 'Explain the registry' })
  const log = path.join(workspaceOf(other, 'docs'), '.fed', 'learnings.jsonl')
  appendFileSync(log, `${JSON.stringify({ ...foreign, confidence: 0.8 })}\n`)
  const team = await new Federation(other).team('docs')
  await team.tell({ type: 'report', subject: 'mission-planned', body: 'read src/app.ts' })
  const { entry } = await team.tell({ type: 'report', subject: 'files-read', body: '' })
  expect(entry?.refusal?.message).toMatch(
    /at least one finding since the mission began \(1 line is no finding and passed over; line 1: confidence: .*\)$/,
  )
})

test('a line without a word for its kind is no finding, and is told', async () => {
  const log = path.join(workspaceOf(root, 'docs'), '.fed', 'learnings.jsonl')
  appendFileSync(log, `${JSON.stringify({ ...foreign, category: ' ' })}\n`)
  const { stderr } = await fed(root, ['learnings', '--category', 'other', '--quiet'])
  expect(stderr).toBe('')
  expect((await fed(root, ['learnings'])).stderr).toContain(
    `${log}: 1 line is no finding and passed over; line 3: category: is empty`,
  )
})
