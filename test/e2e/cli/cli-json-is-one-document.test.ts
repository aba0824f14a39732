// Proves that what programs read has the promised shape and that nothing else gets between: one JSON document
// on the standard output. It fails when a field is missing, or when a note or a second document appears there.
import { beforeAll, expect, test } from 'vitest'
import { agent, fed, fedDone, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'
import { someOf } from '../../support/thorough.ts'

let root: string
const mission = 'Explain the answer'

beforeAll(async () => {
  root = await newFederation({ api: mission })
  await fedDone(root, ['run', mission, '--agent', agent('good')])
})

test('a status says where the team stands and what it accepts', async () => {
  expect(await fedJson(root, ['status', 'api'])).toMatchObject({
    team: 'api',
    archetype: 'deliverable',
    state: 'preparing',
    status: 'active',
    accepts: expect.arrayContaining([
      {
        event: 'report.mission-planned',
        missing: ['the body names at least one existing path of the codebase'],
      },
      { event: 'directive.pause', missing: [] },
    ]),
    mission: { subject: mission },
    session: null,
    workspace: workspaceOf(root, 'api'),
  })
  expect(await fedJson(root, ['status', 'docs'])).toMatchObject({
    state: 'complete',
    accepts: [],
    finished: true,
    session: { running: false, agent: agent('good') },
  })
})

test('a state lasts since it was entered, whatever was refused in it', async () => {
  const { since } = await fedJson<{ since: string }>(root, ['status', 'api'])
  expect((await fed(root, ['report', 'files-read', '--team', 'api'])).code).toBe(5)
  expect(await fedJson(root, ['status', 'api'])).toMatchObject({ since })
})

test('a history has an entry for each handled signal', async () => {
  const entries = await fedJson<Record<string, unknown>[]>(root, ['history', 'docs'])
  expect(entries.map(({ event, from, to }) => `${String(event)} ${String(from)} ${String(to)}`)).toEqual([
    'directive.explain-the-answer preparing preparing',
    'report.mission-planned preparing scanning',
    'report.files-read scanning distilling',
    'report.patterns-identified distilling aggregating',
    'report.document-written aggregating complete',
  ])
  for (const entry of entries) {
    expect(entry).toMatchObject({
      version: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      signal: expect.stringMatching(/^[0-9a-f-]{36}$/),
      outcome: 'accepted',
    })
  }
})

/** What a command may be given after stands in one row with it. */
const rows: readonly (readonly (readonly string[])[])[] = [
  [['init']],
  [['status']],
  [['inbox'], ['inbox', '--all']],
  [['outbox', 'docs']],
  [['learnings']],
  [['check', 'docs']],
  [['monitor']],
  [['learn', 'found', '--team', 'api']],
  [
    ['pause', 'api'],
    ['resume', 'api'],
  ],
]

test.each(someOf(rows, 4).map((commands) => ({ commands })))(
  'fed $commands prints one document and nothing else',
  async ({ commands }) => {
    for (const args of commands) {
      const { code, stdout } = await fed(root, [...args, '--json'])
      expect([args, code, typeof JSON.parse(stdout)]).toEqual([args, 0, 'object'])
    }
  },
)

test('a launch tells its end to programs, and with --quiet nothing else to anybody', async () => {
  const again = ['run', 'Explain it again', '--quiet', '--json', '--agent', agent('good')]
  const { code, stdout, stderr } = await fed(root, again)
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toEqual({
    team: 'docs',
    state: 'complete',
    deliverable: `${workspaceOf(root, 'docs')}/deliverable.md`,
    figures: { sizeBytes: 194, words: 24, sections: 2, codeExamples: 1, diagrams: 0 },
    exitCode: 0,
  })
})

test('a launch of one team tells one end, a launch of several a list, however long', async () => {
  const base = ['launch', '--quiet', '--json', '--max-sessions', '1', '--agent', agent('good'), '--reset']
  const ends = await Promise.all(
    [
      ['--team', 'docs'],
      ['--teams', 'api'],
    ].map(async (which) => JSON.parse((await fed(root, [...base, ...which])).stdout) as unknown),
  )
  expect(ends).toEqual([
    expect.objectContaining({ team: 'docs', state: 'complete' }),
    [expect.objectContaining({ team: 'api', state: 'complete' })],
  ])
  const all = await newFederation({ only: mission })
  const launched = await fedJson(all, ['launch', '--all', '--quiet', '--agent', agent('good')])
  expect(launched).toEqual([expect.objectContaining({ team: 'only' })])
})

test('--quiet leaves errors alone', async () => {
  const { code, stderr } = await fed(root, ['status', 'nobody', '--quiet'])
  expect([code, stderr]).toEqual([4, expect.stringMatching(/^fed: no team/)])
})

test.each([
  [['status', 'nobody'], 4, "no team 'nobody' in this federation"],
  [['report', 'document-written', '--team', 'docs'], 5, 'the team is complete'],
  [['send', 'api'], 2, "'--type <type>'"],
])('a failure of fed %j is one, too', async (args, exitCode, words) => {
  const { code, stdout, stderr } = await fed(root, [...args, '--json'])
  expect(code).toBe(exitCode)
  expect(JSON.parse(stdout)).toEqual({ error: { exitCode, message: expect.stringContaining(words) } })
  expect(stderr).toContain(words)
})
