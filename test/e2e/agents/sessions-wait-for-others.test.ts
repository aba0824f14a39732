// Proves that no agent is started, or started again, while a team waits for somebody else, and that one that is
// started knows what came in meanwhile. It fails when waiting counts as failing, when mail or a question does not
// reach the agent, or when a team that has nothing to do costs a session.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { FiledSignal } from '../../../src/index.ts'
import {
  agent,
  fed,
  fedDone,
  fedJson,
  newFederation,
  startFed,
  startsOf,
  workspaceOf,
} from '../../support/fed.ts'
import { mailOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'

let root: string
const good = ['--agent', agent('good')]
const launch = ['launch', '--team', 'port']
const answers = () =>
  readdirSync(path.join(workspaceOf(root, 'docs'), '.fed', 'signals', 'inbox')).filter((name) =>
    name.endsWith('.json'),
  )
const workspace = () => workspaceOf(root, 'port')
const waits = "port is ready and waits for somebody else; 'fed status port' shows what it accepts\n"

/** A consultant that knows its domain and waits for questions. */
beforeEach(async () => {
  root = await newFederation({ docs: undefined })
  await fedDone(root, ['onboard', 'port', '--archetype', 'consultant', '--mission', 'Know the ports'])
  await fedDone(root, ['report', 'domain-mapped', '--team', 'port'])
  await fedDone(root, ['learn', 'there is one', '--team', 'port'])
  await fedDone(root, ['report', 'index-built', '--team', 'port'])
})

test('a team that waits and has no mail starts no agent', async () => {
  expect(await fed(root, [...launch, ...good])).toMatchObject({ code: 0, stdout: waits })
  expect(await fedJson(root, [...launch, ...good])).toMatchObject({ state: 'ready', exitCode: 0 })
  expect(await fedDone(root, ['launch', '--all', ...good])).toBe('no team has a mission to work on\n')
  expect(startsOf(workspace())).toEqual([])
})

test('mail is for the agent, which is started once', async () => {
  const send = ['send', 'port', '--from', 'docs', '--type', 'report', '--subject']
  const { id } = await fedJson<FiledSignal>(root, [...send, 'Port moved', '--body', 'x'.repeat(3000)])
  const other = await fedJson<FiledSignal>(root, [...send, 'Port closed', '--body', 'since noon'])
  expect(await fed(root, ['launch', '--all', ...good])).toMatchObject({ code: 0, stdout: waits })
  const [start, again] = startsOf(workspace())
  expect(again).toBeUndefined()
  const reference = id.slice(0, 8)
  expect(start?.prompt).toContain('`fed ack port <id>`')
  expect(start?.prompt).toContain('`fed reply port <id> --body')
  expect(start?.prompt).toContain(
    `## ${reference}: report from docs\n\ndocs wrote:\n\n\`\`\`text\nSubject: Port moved\n\nxxx`,
  )
  expect(start?.prompt).toMatch(
    new RegExp(
      `x\\n\`\`\`\\n\\n\\(cut here, of \\d+ characters; \`fed read port ${reference}\` shows all of it\\)`,
    ),
  )
  expect(start?.prompt).toContain(
    `## ${other.id.slice(0, 8)}: report from docs\n\ndocs wrote:\n\n\`\`\`text\nSubject: Port closed\n\nsince noon\n\`\`\`\n`,
  )
  expect(start?.prompt).not.toContain('# Question')
})

test('a question is told to the agent, and answered the team waits again', async () => {
  const ask = ['send', 'port', '--from', 'docs', '--type', 'question', '--subject', 'Which port?']
  await fedDone(root, [...ask, '--body', 'For the tests'])
  const answering = ['--agent', "sh -c 'fed report answer --body eighty'"]
  expect(await fed(root, [...launch, ...answering])).toMatchObject({ code: 0, stdout: waits })
  const prompt = readFileSync(path.join(workspace(), '.fed', 'sessions', '1-1.prompt.md'), 'utf8')
  expect(prompt).toContain(
    '# Question\n\ndocs asks:\n\n```text\nSubject: Which port?\n\nFor the tests\n```\n',
  )
  expect(prompt).not.toContain('# Mail')
  expect(await mailOf(root, 'docs')).toMatchObject([{ from: 'port', body: 'eighty' }])
})

test('words for the agent start it all the same', async () => {
  expect(await fed(root, [...launch, ...good, '--prompt', 'Look again'])).toMatchObject({
    code: 0,
    stdout: waits,
  })
  expect(startsOf(workspace()).map(({ prompt }) => prompt)).toEqual(['Look again'])
})

test('--idle stays with it: its agent is started for each question that comes, however many', async () => {
  const answering = ['--agent', "sh -c 'fed report answer --body eighty'"]
  const launched = startFed(root, [...launch, ...answering, '--idle', '1h', '--max-sessions', '1'])
  await until('it to wait', () => launched.stderr().includes('port waits for what may come'))
  const ask = ['send', 'port', '--from', 'docs', '--type', 'question', '--subject']
  for (const subject of ['Which port?', 'Which host?', 'Which user?']) await fedDone(root, [...ask, subject])
  await until('the answers', () => answers().length === 3)
  await fedDone(root, [...ask, 'And now?'])
  await until('another answer', () => answers().length === 4)
  launched.kill('SIGINT')
  expect(await launched.ended).toMatchObject({ code: 130 })
})

test('--idle takes mail, too; an agent that leaves it unread is not started for it again', async () => {
  const launched = startFed(root, [...launch, ...good, '--idle', '1h'])
  await until('it to wait', () => launched.stderr().includes('port waits for what may come'))
  await fedDone(root, ['send', 'port', '--from', 'docs', '--type', 'report', '--subject', 'Port moved'])
  expect(await launched.ended).toMatchObject({ code: 0, stdout: waits })
  expect(startsOf(workspace())).toHaveLength(1)
})

test('--idle ends with the team: who is retired meanwhile is no failure', async () => {
  const launched = startFed(root, [...launch, ...good, '--idle', '1h'])
  await until('it to wait', () => launched.stderr().includes('port waits for what may come'))
  await fedDone(root, ['send', 'port', '--type', 'directive', '--subject', 'retire'])
  expect(await launched.ended).toMatchObject({ code: 0 })
  expect(startsOf(workspace())).toEqual([])
})

test('--idle stays with all teams that have a mission, also who waits already', async () => {
  const answering = ['--agent', "sh -c 'fed report answer --body eighty'"]
  const launched = startFed(root, ['launch', '--all', ...answering, '--idle', '1h'])
  await until('it to wait', () => launched.stderr().includes('port waits for what may come'))
  await fedDone(root, ['send', 'port', '--from', 'docs', '--type', 'question', '--subject', 'Which port?'])
  await until('the answer', () => answers().length > 0)
  launched.kill('SIGINT')
  await launched.ended
})

test('it waits for an answer to what it asked itself, too, and is started with it', async () => {
  const ask = ['send', 'docs', '--from', 'port', '--type', 'question', '--subject', 'Is it so?']
  const { id } = await fedJson<FiledSignal>(root, ask)
  const launched = startFed(root, [...launch, ...good])
  await until('it to wait', () => launched.stderr().includes('port waits for an answer of docs: Is it so?'))
  expect(startsOf(workspace())).toEqual([])
  await fedDone(root, ['reply', 'docs', id, '--body', 'It is'])
  expect(await launched.ended).toMatchObject({ code: 0, stdout: waits })
  expect(startsOf(workspace()).map(({ prompt }) => prompt)).toEqual([expect.stringContaining('It is')])
})

test('nobody answers what it asked itself: its agent hears so, and that fails no mission', async () => {
  writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify({ questionTimeout: '1ms' }))
  const asking = "sh -c 'fed send docs --type question --subject Really?'"
  await fedDone(root, ['send', 'port', '--from', 'docs', '--type', 'report', '--subject', 'Port moved'])
  expect(await fed(root, [...launch, '--agent', asking, '--max-sessions', '1'])).toMatchObject({
    code: 0,
    stdout: waits,
  })
})

test("a launch of several teams is in nobody's way where it is done", async () => {
  await fedDone(root, ['send', 'docs', '--type', 'directive', '--subject', 'Explain it'])
  await fedDone(root, ['send', 'port', '--from', 'docs', '--type', 'report', '--subject', 'Port moved'])
  const asking = `sh -c '[ $FED_TEAM = port ] || fed send meta --type question --subject Really?'`
  const ended = path.join(workspace(), '.fed', 'sessions', '1-1.end.json')
  const both = startFed(root, ['launch', 'docs', 'port', '--agent', asking])
  await until('docs to wait', () => both.stderr().includes('docs waits for an answer of meta'))
  await until('the session of port to end', () => existsSync(ended))
  const again = () => fed(root, [...launch, ...good, '--prompt', 'Look again'])
  // it takes a moment from the end of a session to the end of a launch
  while ((await again()).code !== 0) expect(both.stderr()).not.toContain('stopped')
  both.kill('SIGINT')
  await both.ended
})
