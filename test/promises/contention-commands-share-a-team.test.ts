// Proves that commands typed at the same moment do not hurt each other, and that their exit codes say which of
// them did it: monitor, report, pause, ack and onboard. Fails when one dies of the other, when both claim to have
// done what can be done once, or when something is done twice.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openFederation, type CycleReport, type FiledSignal, type HistoryEntry } from '../../src/index.ts'
import { bundle } from '../support/bundle.ts'
import { fedJson, newFederation, newFolder, startFed, workspaceOf, type Ended } from '../support/fed.ts'
import { Gate } from '../support/gate.ts'

/** Runs commands as processes that wait for each other just before they begin. */
async function atOnce(root: string, ...commands: string[][]): Promise<Ended[]> {
  const gate = new Gate(newFolder('gate'))
  const waits = pathToFileURL(await bundle('workers/at-the-gate.ts')).href
  const env = { TEST_GATE: gate.folder, NODE_OPTIONS: `--import=${waits}`, FED_DURABILITY: 'process' }
  const running = commands.map((args) => startFed(root, args, { env }))
  await gate.open(1, commands.length)
  return Promise.all(running.map(({ ended }) => ended))
}

const codes = (ended: readonly Ended[]) => ended.map(({ code }) => code).toSorted()
const history = (root: string) => fedJson<HistoryEntry[]>(root, ['history', 'docs'])
const order = (subject: string) => ({ from: 'meta', to: 'docs', type: 'directive', subject }) as const

test('two cycles and a milestone: each handled once, each command content', async () => {
  const root = await newFederation({ docs: 'Document the storage' })
  const federation = await openFederation(root)
  const [pause, resume] = await federation.sendMany(['pause', 'resume'].map(order))
  const monitor = ['monitor', '--json']
  const report = ['report', 'mission-planned', '--team', 'docs', '--body', 'Read src/app.ts']
  const [one, two, told] = await atOnce(root, monitor, monitor, report)
  expect([one, two, told].map((ended) => [ended?.code, ended?.stderr])).toEqual(
    [0, 0, 0].map((code) => [code, '']),
  )
  expect(told?.stdout).toContain('preparing → scanning')
  for (const cycle of [one, two]) {
    const { teams } = JSON.parse(cycle?.stdout ?? '') as CycleReport
    expect(teams).toMatchObject([{ team: 'docs' }])
    // the milestone may come between a cycle's step and its look at what waits
    expect([0, 1]).toContain(teams[0]?.waiting)
  }
  const { teams: afterwards } = await fedJson<CycleReport>(root, ['monitor'])
  expect(afterwards).toMatchObject([{ team: 'docs', handled: 0, waiting: 0 }])
  const handled = await history(root)
  expect(handled.map(({ event, outcome }) => [event, outcome])).toEqual(
    ['directive.document-the-storage', 'directive.pause', 'directive.resume', 'report.mission-planned'].map(
      (event) => [event, 'accepted'],
    ),
  )
  expect(handled.map(({ signal }) => signal)).toEqual(expect.arrayContaining([pause?.id, resume?.id]))
  const heard = await fedJson<FiledSignal[]>(root, ['inbox', 'meta', '--all'])
  const moves = ['docs: preparing to paused', 'docs: paused to preparing', 'docs: preparing to scanning']
  expect(heard.map(({ subject }) => subject).toSorted()).toEqual(moves.toSorted())
})

test('two pauses: one exits 0, the other joins it or exits 5, and it is paused once', async () => {
  const root = await newFederation({ docs: undefined })
  const [first, second] = codes(await atOnce(root, ['pause', 'docs'], ['pause', 'docs']))
  expect(first).toBe(0)
  expect([0, 5]).toContain(second)
  expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ state: 'paused', status: 'paused' })
  const [accepted, ...others] = (await history(root)).map(({ outcome }) => outcome)
  expect(accepted).toBe('accepted')
  // who saw that it is paused already sent nothing
  expect(second === 0 ? [[]] : [[], ['refused']]).toContainEqual(others)
})

test.each([
  { what: 'mail', from: 'peer', type: 'question' },
  { what: 'an event', from: 'meta', type: 'directive' },
] as const)('two acknowledgments of $what: both exit 0, and one stands', async ({ from, type }) => {
  const root = await newFederation({ docs: undefined, peer: undefined })
  const federation = await openFederation(root)
  const { file, id } = await federation.send({ from, to: 'docs', type, subject: 'Which port' })
  expect(codes(await atOnce(root, ['ack', 'docs', id], ['ack', 'docs', id]))).toEqual([0, 0])
  const signals = path.join(workspaceOf(root, 'docs'), '.fed', 'signals')
  expect(readdirSync(path.join(signals, 'inbox')).toSorted()).toEqual([file, `${file}.ack`])
  expect(readdirSync(path.join(signals, 'outbox'))).toEqual([])
  expect(await history(root)).toHaveLength(from === 'meta' ? 1 : 0)
})

test.each(['directory', 'worktree'])(
  'two onboardings of one team in a %s: one exits 0, the other 2',
  async (kind) => {
    const root = await newFederation()
    const onboard = ['onboard', 'docs', '--archetype', 'deliverable', '--placement', kind]
    const ended = await atOnce(root, onboard, onboard)
    expect(codes(ended)).toEqual([0, 2])
    expect(ended.find(({ code }) => code === 2)?.stderr).toMatch(
      /team 'docs' (exists already|is being onboarded)/,
    )
    expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ state: 'preparing', status: 'active' })
    const places = path.join(root, '.fed', kind === 'directory' ? 'teams' : 'worktrees')
    expect(readdirSync(places)).toEqual(['docs'])
  },
)
