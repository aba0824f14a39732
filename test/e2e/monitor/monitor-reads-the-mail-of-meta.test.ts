// Proves that a cycle shows what meta was sent, alerts first, and acknowledges the reports alone; an alert is
// unhealthy until somebody acknowledges it. Fails when a question is acknowledged unanswered, or mail is not shown.
import { beforeEach, expect, test } from 'vitest'
import { openFederation } from '../../../src/index.ts'
import { fed, fedDone, newFederation } from '../../support/fed.ts'
import { cycle, kindsOf } from '../../support/monitored.ts'
import { mailOf } from '../../support/standing.ts'

let root: string

beforeEach(async () => {
  root = await newFederation({ api: undefined, docs: undefined })
})

async function tellMeta(): Promise<void> {
  const federation = await openFederation(root)
  for (const type of ['report', 'question', 'directive', 'alert', 'report'] as const)
    await federation.send({ from: 'docs', to: 'meta', type, subject: `A ${type}`, body: 'x' })
}

const unread = async () => (await mailOf(root, 'meta')).map(({ type }) => type).toSorted()

test('alerts are shown first, then questions, directives and reports; only reports are acknowledged', async () => {
  await tellMeta()
  const report = await cycle(root)
  expect(report.mail.map(({ type }) => type)).toEqual(['alert', 'question', 'directive', 'report', 'report'])
  expect(report.mail[0]).toMatchObject({ from: 'docs', subject: 'A alert', body: 'x' })
  expect(report.inbox).toBe(3)
  expect(await unread()).toEqual(['alert', 'directive', 'question'])
  expect((await cycle(root)).mail.map(({ type }) => type)).toEqual(['alert', 'question', 'directive'])
})

test('an alert is unhealthy until it is acknowledged, a question after an hour', async () => {
  await tellMeta()
  const { findings } = await cycle(root)
  expect(findings).toMatchObject([{ kind: 'alert', team: 'meta', message: 'docs sent an alert: A alert' }])
  const [, command] = /'fed (read meta [0-9a-f]{8})'/.exec(findings[0]?.fix ?? '') ?? []
  await fedDone(root, (command as string).split(' '))
  expect(kindsOf(await cycle(root))).toEqual([])
  expect(kindsOf(await cycle(root, 61))).toEqual(['meta: unacknowledged'])
})

test('what a cycle itself causes is in its own mail', async () => {
  await fedDone(root, ['send', 'docs', '--type', 'directive', '--subject', 'Pause'])
  const { mail } = await cycle(root)
  expect(mail.map(({ type, subject }) => [type, subject])).toEqual([['report', 'docs: preparing to paused']])
  expect((await cycle(root)).mail).toEqual([])
})

test('quiet shows the reports that it acknowledges', async () => {
  await tellMeta()
  const { stdout } = await fed(root, ['monitor', '--quiet'])
  expect(stdout).toContain('A report')
  expect(await unread()).toEqual(['alert', 'directive', 'question'])
})

test('the table shows the mail, and how much more there is', async () => {
  await tellMeta()
  const federation = await openFederation(root)
  const draft = { from: 'api', to: 'meta', type: 'report' } as const
  await federation.sendMany(
    Array.from({ length: 30 }, (_, index) => ({ ...draft, subject: `Part ${index}` })),
  )
  const { stdout } = await fed(root, ['monitor'])
  expect(stdout).toMatch(
    /\nmail for meta, .*\n {2}alert +docs +\d+ s ago +A alert\n {2}question .*\n {2}directive .*\n {2}report /,
  )
  expect(stdout).toMatch(/\n {2}and 12 more: 'fed inbox meta --all' shows them\n$/)
  expect(stdout.split('\n')[1]).toBe('  alert: docs sent an alert: A alert')
})
