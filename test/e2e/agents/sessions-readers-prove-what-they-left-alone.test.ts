// Proves that a milestone of an agent that only reads counts only while the codebase is as its session found it, or
// was read-only for it: whoever steps the team looks, in the codebase and in the agent's own worktree. It fails when
// a document is believed that came with an edit, or when a person cannot go on afterwards.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import {
  agent,
  fed,
  fedDone,
  fedJson,
  newFederation,
  pathWith,
  startFed,
  workspaceOf,
} from '../../support/fed.ts'
import { goodDocument } from '../../support/samples.ts'
import { newReaderInWorktree, worktreeOf } from '../../support/reader-in-worktree.ts'
import { hasWalls } from '../../support/walls.ts'
import { until } from '../../support/until.ts'
import { someOf } from '../../support/thorough.ts'

interface Told {
  readonly event: string
  readonly outcome: string
  readonly refusal?: { readonly message: string }
}

const unheld = ['--confinement', 'off']
const launch = (...more: string[]) => ['launch', '--team', 'docs', '--max-sessions', '1', ...more]
const refusals = async (root: string, team = 'docs') =>
  (await fedJson<Told[]>(root, ['history', team])).flatMap(({ event, refusal }) =>
    refusal === undefined ? [] : [`${event}: ${refusal.message}`],
  )
const questions = async (root: string) =>
  (await fedJson<{ type: string; body: string }[]>(root, ['inbox', 'meta'])).filter(
    ({ type }) => type === 'question',
  )
/** A command line that does this in a shell first. */
const after = (script: string, command: string) =>
  `sh -c '${script.replaceAll("'", `'\\''`)}; exec ${command.replaceAll("'", '')}'`
const surveyor = `${process.execPath} ${fileURLToPath(new URL('../../../dist/fed-agent.js', import.meta.url))}`

describe.each([
  ['a scripted agent', () => agent('writing', 'notes.md')],
  ['the embedded agent', () => after('echo mine > notes.md', surveyor)],
])('%s writes, and then its document', (_, command) => {
  test('the document is refused, the team pauses, meta is asked, and then it goes on', async () => {
    const root = await newFederation({ docs: 'Document the source' })
    const launched = await fed(root, launch(...unheld, '--agent', command()))
    expect([launched.code, launched.stderr]).toEqual([5, expect.stringContaining('(A notes.md)')])
    expect(await refusals(root)).toEqual([
      expect.stringMatching(/^report\.document-written: .* when the session .* began \(A notes\.md; end the/),
    ])
    expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ state: 'paused' })
    expect(await questions(root)).toMatchObject([{ body: expect.stringContaining('- A notes.md') }])
    await fedDone(root, ['resume', 'docs'])
    // the next session finds the codebase as it is now
    await fedDone(root, launch(...unheld, '--agent', agent('good')))
    expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ state: 'complete' })
  })
})

const ended = JSON.stringify({
  format: 'fed-session-end-1',
  at: '2026-11-21T10:00:00.000Z',
  exitCode: 0,
  cause: 'ended',
})

const forgetful: readonly (readonly [does: string, script: (memory: string) => string])[] = [
  ['removes what fed remembers', (memory: string) => `rm -r ${memory}`],
  ['damages it', (memory: string) => `echo {} > ${memory}/before.json`],
  ['puts a pipe in its place', (memory: string) => `rm ${memory}/before.json; mkfifo ${memory}/before.json`],
  [
    'removes it with the record of its session',
    (memory: string) => `rm ${memory}/../../sessions/1-1.json; rm -r ${memory}`,
  ],
  [
    'removes it and says that its session ended',
    (memory: string) => `cat > ${memory}/../../sessions/1-1.end.json << E\n${ended}\nE\nrm -r ${memory}`,
  ],
  ['removes what git remembers', (memory: string) => `echo >> src/app.ts; rm -r ${memory}/codebase/objects`],
]

test.each(someOf(forgetful, 2))('an agent that %s: nobody knows, so a person is asked', async (_, script) => {
  const root = await newFederation({ docs: 'Document the source' })
  const memory = path.join(workspaceOf(root, 'docs'), '.fed', 'codebase', '1-1')
  const launched = await fed(root, launch(...unheld, '--agent', after(script(memory), surveyor)))
  expect([launched.code, launched.stderr]).toEqual([5, expect.stringContaining('who did it is not known')])
  expect(await refusals(root)).toEqual([expect.stringMatching(/^report\.document-written: .*nobody knows/)])
  expect(await questions(root)).toHaveLength(1)
  expect(existsSync(path.dirname(memory))).toBe(false)
})

test('a report that its agent only left in the inbox is judged all the same', async () => {
  const root = await newFederation({ docs: 'Document the source' })
  const program = agent('writing', 'src/app.ts', 'aggregating', 'stays')
  const launcher = startFed(root, launch(...unheld, '--agent', program))
  await until('its edit', () => readFileSync(path.join(root, 'src', 'app.ts'), 'utf8').includes('written by'))
  writeFileSync(path.join(workspaceOf(root, 'docs'), 'deliverable.md'), goodDocument)
  const signal = ['send', 'docs', '--from', 'docs', '--type', 'report', '--subject', 'Document written']
  await fedDone(root, signal)
  const lifecycle = path.join(workspaceOf(root, 'docs'), '.fed', 'lifecycle.json')
  await until('its refusal', () => readFileSync(lifecycle, 'utf8').includes('guard-refused'))
  launcher.kill('SIGINT')
  expect((await launcher.ended).code).toBe(5)
  expect(await refusals(root)).toEqual([expect.stringContaining('(M src/app.ts; ')])
})

test('a person who plays an agent by hand reports, whatever else changes', async () => {
  const root = await newFederation({ docs: 'Document the source' })
  const report = (...words: string[]) => fedDone(root, ['report', ...words, '--team', 'docs'])
  await report('mission-planned', '--body', 'Read src/app.ts')
  await fedDone(root, ['learn', '--team', 'docs', '--category', 'pattern', 'A constant'])
  await report('files-read')
  await report('patterns-identified', '--body', 'It is constant')
  appendFileSync(path.join(root, 'src', 'app.ts'), '// mine\n')
  writeFileSync(path.join(workspaceOf(root, 'docs'), 'deliverable.md'), goodDocument)
  await report('document-written')
  expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ state: 'complete' })
})

test('a consultant that wrote gives no answer', async () => {
  const root = await newFederation({ docs: undefined })
  await fedDone(root, ['onboard', 'port', '--archetype', 'consultant', '--mission', 'Know the ports'])
  await fedDone(root, ['launch', '--team', 'port', '--agent', agent('consultant')])
  const ask = ['send', 'port', '--from', 'docs', '--type', 'question', '--subject', 'Which port?']
  await fedDone(root, ask)
  const writing = after('echo mine > notes.md', agent('consultant'))
  const launched = await fed(root, ['launch', '--team', 'port', '--agent', writing, ...unheld])
  expect([launched.code, launched.stderr]).toEqual([5, expect.stringContaining('(A notes.md)')])
  expect(await refusals(root, 'port')).toEqual([expect.stringMatching(/^report\.answer: .*A notes\.md/)])
  expect(await fedJson(root, ['inbox', 'docs'])).toEqual([])
  await fedDone(root, ['resume', 'port'])
  await fedDone(root, ['launch', '--team', 'port', '--agent', agent('consultant'), ...unheld])
  expect(await fedJson(root, ['inbox', 'docs'])).toMatchObject([{ subject: 'Answer: Which port?' }])
})

describe.each([
  ['not held', unheld],
  ...(hasWalls ? [['in a sandbox', ['--confinement', 'on']] as const] : []),
] as const)('in a worktree of its own, %s', (hold, held) => {
  test('its document is its own, and nothing else', async () => {
    const root = await newReaderInWorktree()
    await fedDone(root, launch(...held, '--agent', agent('good')))
    expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ state: 'complete' })
  })

  test.each<[does: string, script: string, line: string]>([
    ['edits', 'echo mine >> src/app.ts', 'M src/app.ts in its worktree'],
    ['adds', 'echo mine > notes.md', 'A notes.md in its worktree'],
    ...(hold === 'not held'
      ? [
          [
            'commits',
            'git commit --quiet --allow-empty --message mine',
            '→ [0-9a-f]{40} in its worktree',
          ] satisfies [string, string, string],
        ]
      : []),
  ])('one that %s there is found', async (_, script, line) => {
    const root = await newReaderInWorktree()
    git(root, 'config', 'user.email', 'tester@example.org')
    const launched = await fed(root, launch(...held, '--agent', after(script, agent('good'))))
    expect([launched.code, launched.stderr]).toEqual([5, expect.stringMatching(line)])
    // there it could have written
    expect(launched.stderr).toContain('who did it is not known')
    expect(launched.stderr).not.toContain('mounted read-only for')
    expect(await refusals(root)).toEqual([expect.stringMatching(line)])
  })

  test('one whose own tool call wrote there fails', async () => {
    const root = await newReaderInWorktree()
    const program = fileURLToPath(new URL('../../agents/stream-json.mjs', import.meta.url))
    const env = { PATH: pathWith({ claude: `exec '${process.execPath}' '${program}' improving "$@"` }) }
    const { code } = await fed(root, launch(...held, '--agent', 'claude'), { env })
    const status = await fedJson<{ failure: { reason: string } }>(root, ['status', 'docs'])
    expect([code, status]).toMatchObject([1, { state: 'failed' }])
    expect(status.failure.reason).toContain('wrote src/app.ts')
    expect(readFileSync(path.join(worktreeOf(root), 'src', 'app.ts'), 'utf8')).toContain('improved')
  })
})
