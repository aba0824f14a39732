// Proves that what an agent says goes by the tray of its session, with the words and the exit codes that a person is
// told for the same, and that it speaks for nobody else. It fails when a command in a session answers otherwise, when
// another team is moved from inside, or when an agent waits for ever where nobody serves it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { SignalMessage, TeamStatus } from '../../../src/index.ts'
import { agent, fed, fedJson, newFederation, newFolder, workspaceOf, type Ended } from '../../support/fed.ts'

type Said = Ended & { readonly words: readonly string[] }

/** What the agent of `docs` is told for each of these commands, in one session. */
async function inSession(
  root: string,
  commands: readonly (readonly string[])[],
  more: readonly string[] = [],
) {
  const words = commands.map((command) => JSON.stringify(command))
  const launched = await fed(root, [
    'launch',
    '--team',
    'docs',
    '--agent',
    agent('commands', ...words),
    ...more,
  ])
  expect(launched.stderr).toContain('session 1')
  return JSON.parse(readFileSync(path.join(workspaceOf(root, 'docs'), 'said.json'), 'utf8')) as Said[]
}

/** Ids, times and places are each federation's own. */
const plain = (root: string, text: string) =>
  text
    .replaceAll(root, '<root>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\b[0-9a-f]{8}\b/g, '<id>')
    // of two signals of one second the second has a longer name
    .replaceAll('-<id>.json', '.json')

/** A document is what it holds, in whatever order. */
const documentOf = (text: string): unknown => (text.startsWith('{') ? JSON.parse(text) : text)

/** A letter lies in the inbox of `docs`. */
async function federation(): Promise<string> {
  const root = await newFederation({ docs: 'Explain the answer', api: 'Explain the API' })
  await fedJson(root, ['send', 'docs', '--type', 'report', '--subject', 'For you', '--from', 'api'])
  return root
}

test('each command says what it says to a person', async () => {
  const commands = [
    ['report', 'nonsense'],
    ['report', 'files-read', '--json'],
    ['report', 'mission-planned', '--body', 'Read src/app.ts'],
    ['learn', 'Every write is a link', '--json'],
    ['learn', 'x', '--category', 'rumour'],
    ['report', 'files-read', '--json'],
    ['send', 'api', '--type', 'report', '--subject', 'Hello', '--json'],
    ['send', 'nobody', '--type', 'report', '--subject', 'Hello'],
    ['send', 'api', '--type', 'directive', '--subject', 'pauze'],
    ['send', 'api', '--type', 'report', '--subject', 'long'.repeat(60)],
    ['inbox', 'docs'],
    ['read', 'docs', 'nothing-of-that-name'],
    ['check'],
    ['check', 'docs', '--json'],
    ['status', 'docs', '--json'],
    ['report', 'tests-passed', '--run', 'true'],
    ['alert', 'information-missing', '--body', 'There is no API'],
    ['report', 'files-read'],
  ]
  const [there, here] = [await federation(), await federation()]
  const told = await inSession(there, commands)
  for (const { words, code, stdout, stderr } of told) {
    const team = ['report', 'alert', 'learn'].includes(words[0] as string) ? ['--team', 'docs'] : []
    const from = words[0] === 'send' ? ['--from', 'docs'] : []
    const name = words[0] === 'check' && words[1] === undefined ? ['docs'] : []
    const person = await fed(here, [...words, ...team, ...from, ...name])
    const asPerson = {
      code: person.code,
      stdout: documentOf(plain(here, person.stdout)),
      stderr: plain(here, person.stderr),
    }
    const asAgent = { code, stdout: documentOf(plain(there, stdout)), stderr: plain(there, stderr) }
    // whether a session runs is another thing in a session
    if (words[0] === 'status') {
      const { session, used, started, findings, ...rest } = asAgent.stdout as Record<string, unknown>
      const {
        session: _none,
        used: _nothing,
        started: _not,
        findings: _other,
        ...same
      } = asPerson.stdout as Record<string, unknown>
      expect(session).toMatchObject({ running: true })
      expect(used).toMatchObject({ sessions: 1 })
      expect([started, findings]).toEqual([true, []])
      expect({ ...rest, healthy: true, agent: '' }).toEqual({ ...same, healthy: true, agent: '' })
    } else expect(asAgent, words.join(' ')).toEqual(asPerson)
  }
})

test('a letter is read, answered and acknowledged', async () => {
  const root = await federation()
  const [letter] = await fedJson<SignalMessage[]>(root, ['inbox', 'docs'])
  const id = letter?.id as string
  const told = await inSession(root, [
    ['reply', 'docs', id, '--body', 'Thanks'],
    ['read', 'docs', id, '--json'],
    ['ack', 'docs', id],
    ['inbox', 'docs'],
  ])
  expect(told.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(JSON.parse(told[1]?.stdout ?? '')).toMatchObject({ subject: 'For you', from: 'api' })
  expect(told[3]?.stdout).toBe('nothing waits for docs\n')
  const answers = await fedJson<SignalMessage[]>(root, ['inbox', 'api', '--all'])
  expect(answers).toMatchObject([
    { subject: 'Explain the API' },
    { from: 'docs', subject: 'Re: For you', body: 'Thanks' },
  ])
})

test('it speaks for its own team alone, and meta is told once', async () => {
  const root = await federation()
  const before = await fedJson<TeamStatus[]>(root, ['status'])
  const refused = [
    ['pause', 'api'],
    ['pause', 'api'],
    ['offboard', 'api'],
    ['report', 'mission-planned', '--body', 'x', '--team', 'api'],
    ['send', 'docs', '--from', 'meta', '--type', 'directive', '--subject', 'merged'],
    ['learn', 'x', '--team', 'api'],
    ['inbox', 'meta'],
    ['prompt', 'docs'],
    ['chat', 'say', 'pause api', '--as', 'alice'],
    ['monitor'],
    ['launch', '--team', 'api'],
    ['skills', 'sync'],
    ['doctor', '--fix'],
  ]
  const told = await inSession(root, refused)
  for (const { words, code, stdout, stderr } of told) {
    expect([words, code, stdout]).toEqual([words, 5, ''])
    expect(stderr).toMatch(/only a person may|an agent speaks as its own team/)
    expect(stderr).toContain('nothing was changed')
  }
  const after = await fedJson<TeamStatus[]>(root, ['status'])
  const standing = (all: TeamStatus[]) => all.find(({ team }) => team === 'api')
  expect(standing(after)).toEqual(standing(before))
  const mail = await fedJson<SignalMessage[]>(root, ['inbox', 'meta'])
  const alerts = mail
    .filter(({ subject }) => subject.startsWith('Refused:'))
    .map(({ from, type, subject }) => ({ from, type, subject }))
  const once = [
    'pause',
    'offboard',
    'report',
    'send',
    'learn',
    'inbox',
    'prompt',
    'chat',
    'monitor',
    'launch',
    'skills',
    'doctor',
  ]
  expect(alerts.toSorted((a, b) => a.subject.localeCompare(b.subject))).toEqual(
    once.toSorted().map((verb) => ({ from: 'docs', type: 'alert', subject: `Refused: fed ${verb}` })),
  )
})

test('what looks at teams and changes nothing an agent may', async () => {
  const root = await federation()
  const told = await inSession(root, [
    ['status'],
    ['status', 'api'],
    ['history', 'docs'],
    ['learnings'],
    ['diagram', 'deliverable'],
    ['__complete', '--', 'status', ''],
    ['rights', 'docs'],
    ['--help'],
    ['report', '--help'],
  ])
  expect(told.map(({ code, stderr }) => [code, stderr])).toEqual(told.map(() => [0, '']))
  expect(told[0]?.stdout).toMatch(/docs .* an agent works/)
})

test('it is of its own team, whatever its environment says', async () => {
  const root = await federation()
  const agentWords = `sh -c 'cd "$FED_WORKSPACE"; FED_TEAM=meta fed inbox; echo $? > code; fed inbox > own'`
  await fed(root, ['launch', '--team', 'docs', '--confinement', 'off', '--agent', agentWords])
  const lies = (name: string) => readFileSync(path.join(workspaceOf(root, 'docs'), name), 'utf8')
  expect(lies('code')).toBe('5\n')
  expect(lies('own')).toContain('For you')
})

test('another federation is not its own', async () => {
  const [root, other] = [await federation(), await federation()]
  const told = await inSession(
    root,
    [['report', 'mission-planned', '--body', 'x', '--dir', other]],
    ['--confinement', 'off'],
  )
  expect(told[0]).toMatchObject({ code: 5, stderr: expect.stringContaining('in its own federation') })
  expect(await fedJson(other, ['status', 'docs'])).toMatchObject({ state: 'preparing' })
})

test('where nobody serves it, it is told at once what to do', async () => {
  const root = await federation()
  const tray = path.join(newFolder('trays'), '.fed', 'tray', '1-1')
  const ask = () =>
    fed(root, ['report', 'files-read'], { env: { FED_TEAM: 'docs', FED_TRAY: tray, FED_ROOT: root } })
  expect(await ask()).toMatchObject({ code: 3, stderr: expect.stringContaining('takes nothing') })
  mkdirSync(tray, { recursive: true })
  const ended = await ask()
  expect(ended).toMatchObject({ code: 3, stdout: '' })
  expect(ended.stderr).toContain("waits in its tray; the next 'fed launch' of this team takes up what waits")
})

test('what a dead launcher left is done by the next one, as the session that asked it', async () => {
  const root = await federation()
  const tray = path.join(workspaceOf(root, 'docs'), '.fed', 'tray', '1-7')
  mkdirSync(tray, { recursive: true })
  const id = '0b6f7a52-9d1e-4c7a-8a41-2f3c5d6e7f80'
  const args = { to: 'api', type: 'report', subject: 'From the dead' }
  writeFileSync(
    path.join(tray, `${id}.json`),
    JSON.stringify({ format: 'fed-request-1', id, verb: 'send', args }),
  )
  await inSession(root, [['learn', 'After it']])
  const mail = await fedJson<SignalMessage[]>(root, ['inbox', 'api'])
  expect(mail).toContainEqual(expect.objectContaining({ from: 'docs', subject: 'From the dead' }))
})
