// Proves that nothing is lost, refused, doubled or told with a negative time when a machine's clock jumps back or
// two machines disagree. Fails when an order, an age or a duration is believed that only a steady clock gives.
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import type { CycleReport } from '../../src/index.ts'
import type { Registry } from '../../src/protocol/registry-schema.ts'
import { TeamRegistry } from '../../src/records/registry/team-registry.ts'
import { Mailbox } from '../../src/records/signals/mailbox.ts'
import { fed, newFederation, workspaceOf } from '../support/fed.ts'

const preload = fileURLToPath(new URL('../support/preload/shifted-clock.cjs', import.meta.url))
const hour = 3_600_000
const year = 365 * 24 * hour

let root: string

beforeEach(async () => {
  root = await newFederation({ docs: undefined })
})

/** Runs a command whose clock is so many milliseconds off, and insists that it does not fail. */
async function fedAt(
  shift: number,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const ended = await fed(root, args, {
    env: { NODE_OPTIONS: `--require=${preload}`, FED_TEST_CLOCK: String(shift), ...env },
  })
  // a monitor that finds something unhealthy says so by 1
  expect(args[0] === 'monitor' ? [0, 1] : [0], args.join(' ')).toContain(ended.code)
  expect(ended.stderr).not.toContain('fed: ')
  return ended.stdout
}

const send = (subject: string) => ['send', 'docs', '--type', 'report', '--subject', subject]
const subjects = (json: string) => (JSON.parse(json) as { subject: string }[]).map(({ subject }) => subject)

test('mail is in the order of its times, whenever it came, and none is missing', async () => {
  await fedAt(0, send('Second'))
  await fedAt(hour, send('Third'))
  await fedAt(-hour, send('First'))
  await fedAt(0, send('Second'))
  expect(subjects(await fedAt(-year, ['inbox', 'docs', '--json']))).toEqual([
    'First',
    'Second',
    'Second',
    'Third',
  ])
  expect(subjects(await fedAt(0, ['outbox', 'meta', '--json']))).toEqual([
    'First',
    'Second',
    'Second',
    'Third',
  ])
})

test('a life goes on while its clock jumps: every milestone counts once', async () => {
  await fedAt(hour, ['send', 'docs', '--type', 'directive', '--subject', 'Explain src/app.ts'])
  await fedAt(0, ['monitor'])
  await fedAt(-hour, ['report', 'mission-planned', '--team', 'docs', '--body', 'src/app.ts'])
  await fedAt(-2 * hour, ['pause', 'docs'])
  await fedAt(-year, ['resume', 'docs'])
  await fedAt(-3 * hour, ['monitor'])
  const history = JSON.parse(await fedAt(-3 * hour, ['history', 'docs', '--json'])) as {
    event: string
    outcome: string
  }[]
  expect(history.map(({ event, outcome }) => [event, outcome])).toEqual([
    ['directive.explain-src-app-ts', 'accepted'],
    ['report.mission-planned', 'accepted'],
    ['directive.pause', 'accepted'],
    ['directive.resume', 'accepted'],
  ])
  expect(JSON.parse(await fedAt(-year, ['status', 'docs', '--json']))).toMatchObject({
    state: 'scanning',
    status: 'active',
  })
  // the version is what orders writes of the registry, never a time
  const { lockVersion, teams } = new TeamRegistry(root).read() as Registry
  expect(lockVersion).toBeGreaterThan(2)
  expect(teams).toHaveLength(1)
})

test('a finding counts for the mission under way, also when the clock was set back since that began', async () => {
  await fedAt(hour, ['send', 'docs', '--type', 'directive', '--subject', 'Explain src/app.ts'])
  await fedAt(hour, ['monitor'])
  await fedAt(0, ['report', 'mission-planned', '--team', 'docs', '--body', 'src/app.ts'])
  await fedAt(0, ['learn', 'It answers 42', '--team', 'docs'])
  expect(await fedAt(-hour, ['report', 'files-read', '--team', 'docs'])).toContain('scanning → distilling')
})

test('a file whose time lies in the future is read when whole, waited for when new, and set aside when still', async () => {
  const docs = new Mailbox('docs', workspaceOf(root, 'docs'))
  const whole = JSON.stringify({
    id: '6f1c2f0e-3d5b-4b70-9a51-0c2b7a4e8f11',
    timestamp: '2099-01-01T00:00:00Z',
    from: 'meta',
    to: 'docs',
    type: 'directive',
    subject: 'Explain it',
    body: '',
    protocol: 'file-signal-v1',
  })
  const put = (name: string, text: string, at: number) => {
    const file = path.join(docs.inbox, name)
    writeFileSync(file, text)
    utimesSync(file, at / 1000, at / 1000)
    return file
  }
  put('good.json', whole, Date.now() + year)
  const torso = put('torso.json', whole.slice(0, 60), Date.now() + year)
  const report = JSON.parse(await fedAt(0, ['monitor', '--json'])) as CycleReport
  expect(report.teams).toMatchObject([{ handled: 1, waiting: 0 }])
  // its writer's clock may be ahead: the change was seen just now by the file system itself
  expect(existsSync(torso)).toBe(true)
  // a minute later nobody has touched it
  await fedAt(60_000, ['monitor'])
  expect(existsSync(torso)).toBe(false)
  expect(docs.quarantined()).toHaveLength(1)
  // the clock jumped back by an hour: every file seems to be from the future, and none is set aside in haste
  const young = put('young.json', whole.slice(0, 60), Date.now())
  await fedAt(-hour, ['monitor'])
  expect(existsSync(young)).toBe(true)
})

test('what a sender that died left is not taken for somebody’s present work because of its time', async () => {
  const outbox = new Mailbox('meta', root).outbox
  const leftover = path.join(outbox, `.6f1c2f0e-3d5b-4b70-9a51-0c2b7a4e8f11.${2 ** 22 + 1}.tmp`)
  writeFileSync(leftover, '{}')
  utimesSync(leftover, (Date.now() + year) / 1000, (Date.now() + year) / 1000)
  await fedAt(0, ['monitor'])
  expect(existsSync(leftover)).toBe(false)
})

test('a question of a mission is waited for, also where the clock was set back to before the mission', async () => {
  await fedAt(-hour, ['send', 'meta', '--from', 'docs', '--type', 'question', '--subject', 'Which port?'])
  const { waitsFor } = JSON.parse(await fedAt(0, ['status', 'docs', '--json'])) as { waitsFor: unknown }
  expect(waitsFor).toMatchObject({ subject: 'Which port?' })
})
