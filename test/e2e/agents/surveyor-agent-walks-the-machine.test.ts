// Proves that fed-agent, a process of its own, carries a team from any state to the end, resumes after a kill and refuses what it cannot do; fails on a lost or doubled step.
import { execFile } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bundle } from '../../support/bundle.ts'
import { repositoryOf } from '../../support/repository.ts'

const here = path.dirname(fileURLToPath(import.meta.url))
const FILES = {
  'README.md': '# Shop\n\nShop keeps orders and carts for small sellers.\n',
  'src/a.ts': "import './b.ts'\nexport const a = 1\n",
  'src/b.ts': 'export const b = 2\n',
}
interface Fake {
  status: {
    archetype: string
    state: string
    mission: { subject: string; body: string; at: string } | null
    instructions: []
    deliverable: string
  }
  mail: { file: string; subject: string; from: string }[]
  findings: string[]
  alerts: { subject: string; body: string }[]
  reports: { subject: string; body: string }[]
  refuse: string[]
  calls: string[][]
}

function team(
  mission: string | null,
  change: Partial<Fake['status']> = {},
  files: Record<string, string> = FILES,
): { root: string; workspace: string; state: string; bin: string } {
  const root = repositoryOf(files)
  const home = mkdtempSync(path.join(os.tmpdir(), 'fed-agent-'))
  const bin = path.join(home, 'bin')
  const workspace = path.join(root, '.fed/teams/docs')
  mkdirSync(bin)
  mkdirSync(path.join(workspace, '.fed'), { recursive: true })
  copyFileSync(path.join(here, '../../fixtures/fake-fed.mjs'), path.join(bin, 'fed'))
  chmodSync(path.join(bin, 'fed'), 0o755)
  const fake: Fake = {
    status: {
      archetype: 'deliverable',
      state: 'preparing',
      mission: mission === null ? null : { subject: 'm', body: mission, at: '2024-05-01T00:00:00Z' },
      instructions: [],
      deliverable: 'report.md',
      ...change,
    },
    mail: [{ file: 'x-question-hi.json', subject: 'hi', from: 'ops' }],
    findings: [],
    alerts: [],
    reports: [],
    refuse: [],
    calls: [],
  }
  const state = path.join(home, 'state.json')
  writeFileSync(state, JSON.stringify(fake))
  return { root, workspace, state, bin }
}

const read = (state: string): Fake => JSON.parse(readFileSync(state, 'utf8')) as Fake

async function runAgent({
  root,
  workspace,
  state,
  bin,
}: ReturnType<typeof team>): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    ...process.env,
    FED_ROOT: root,
    FED_TEAM: 'docs',
    FED_WORKSPACE: workspace,
    FAKE_FED_STATE: state,
    PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`,
  }
  const program = await bundle('../src/apps/cli/fed-agent.ts')
  return await new Promise((resolve) => {
    execFile(process.execPath, [program], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}

test('from the mission to the deliverable, with findings, mail and milestones in order', async () => {
  const place = team('Document the architecture of this repository')
  const { code, stdout } = await runAgent(place)
  const after = read(place.state)
  expect(code).toBe(0)
  expect(after.status.state).toBe('complete')
  expect(after.reports.map(({ subject }) => subject)).toEqual([
    'mission-planned',
    'files-read',
    'patterns-identified',
    'document-written',
  ])
  expect(after.reports[0]?.body).toContain('src')
  expect(after.findings.length).toBeGreaterThanOrEqual(2)
  expect(after.mail).toEqual([])
  expect(stdout).toContain('reading ')
  expect(readFileSync(path.join(place.workspace, 'report.md'), 'utf8')).toContain('# Architecture of Shop')
})

test.each(['scanning', 'distilling', 'aggregating'])(
  'started again in %s it goes on from there',
  async (state) => {
    const place = team('Document the architecture of this repository', { state })
    expect((await runAgent(place)).code).toBe(0)
    expect(read(place.state).status.state).toBe('complete')
    expect(existsSync(path.join(place.workspace, 'report.md'))).toBe(true)
  },
)

test('a finding that is in the log is not logged again', async () => {
  const place = team('Document the architecture of this repository', { state: 'scanning' })
  await runAgent(place)
  const first = read(place.state)
  writeFileSync(place.state, JSON.stringify({ ...first, status: { ...first.status, state: 'scanning' } }))
  await runAgent(place)
  expect(read(place.state).findings).toEqual(first.findings)
})

test.each([
  ['Fix the login bug', {}, 'it asks to change code'],
  ['Document the code', { archetype: 'coding' }, "archetype 'coding'"],
])('%s: refused with exit 5 and the reason', async (mission, change, reason) => {
  const place = team(mission, change)
  const { code, stderr } = await runAgent(place)
  expect(code).toBe(5)
  expect(stderr).toContain(reason)
  expect(stderr).toContain('no language model')
  expect(read(place.state).reports).toEqual([])
})

test('what is not there is not answered: the words, where they were looked for, and the nearest that exist', async () => {
  const place = team('How are torpedoes launched?')
  expect((await runAgent(place)).code).toBe(1)
  expect(read(place.state).alerts).toEqual([
    {
      subject: 'information-missing',
      body: expect.stringMatching(
        /^“torpedoes” stands in no identifier, comment or document of \d+ files/,
      ) as string,
    },
  ])
})

test('a path that does not exist fails the team with the nearest names', async () => {
  const place = team('Explain src/aa.ts')
  expect((await runAgent(place)).code).toBe(1)
  expect(read(place.state).alerts).toEqual([
    { subject: 'information-missing', body: 'src/aa.ts does not exist (the nearest are src/a.ts, src/b.ts)' },
  ])
})

test('a refused milestone becomes an alert that says why', async () => {
  const place = team('Document the code')
  writeFileSync(place.state, JSON.stringify({ ...read(place.state), refuse: ['document-written'] }))
  expect((await runAgent(place)).code).toBe(1)
  expect(read(place.state).alerts[0]).toMatchObject({
    subject: 'structure-undetermined',
    body: expect.stringContaining('refused: document-written') as string,
  })
})

test('paused, finished and failed teams are left alone', async () => {
  for (const [state, expected] of [
    ['paused', 0],
    ['complete', 0],
    ['failed', 1],
  ] as const) {
    const place = team('Document the code', { state })
    expect((await runAgent(place)).code).toBe(expected)
    expect(read(place.state).reports).toEqual([])
  }
  expect((await runAgent(team(null))).code).toBe(1)
})
