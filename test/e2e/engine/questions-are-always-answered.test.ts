// Proves that whoever asks a consultant hears something: the answer, or that none will come and why, once, however the
// consultant ends; that a reset forgets no question; and that a question which nobody would answer is not sent. It
// fails when somebody waits for a team that is gone, hears it twice, or is told "sent" and then nothing.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { openFederation, RefusedError, type FiledSignal, type TeamStatus } from '../../../src/index.ts'
import { say } from '../../../src/federation/send-checked.ts'
import { agent, fed, fedDone, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'

let root: string
const inbox = (team: string) => fedJson<FiledSignal[]>(root, ['inbox', team, '--all'])
const heard = async (team: string) => (await inbox(team)).map(({ type, subject }) => [type, subject])
const status = () => fedJson<TeamStatus>(root, ['status', 'port'])
const asking = (to: string, subject: string, from = 'docs') =>
  ['send', to, '--from', from].concat('--type', 'question', '--subject', subject)
const step = () => fed(root, ['monitor'])

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain it', web: undefined })
  await fedDone(root, ['onboard', 'port', '--archetype', 'consultant', '--mission', 'Know the ports'])
})

async function learn(): Promise<void> {
  await fedDone(root, ['report', 'domain-mapped', '--team', 'port'])
  await fedDone(root, ['learn', 'there is one', '--team', 'port'])
  await fedDone(root, ['report', 'index-built', '--team', 'port'])
}

/** It researches the question of docs, and that of web waits. */
async function research(): Promise<void> {
  await learn()
  await fedDone(root, asking('port', 'Which port?'))
  await fedDone(root, asking('port', 'Which host?', 'web'))
  await step()
  expect(await status()).toMatchObject({ state: 'researching', question: { from: 'docs' } })
}

const unanswered = async (words: RegExp) => {
  const [first, ...others] = await inbox('docs').then((all) => all.filter(({ from }) => from === 'port'))
  expect(others).toEqual([])
  expect(first).toMatchObject({ type: 'alert', subject: 'Unanswered: Which port?' })
  expect(first?.body).toMatch(words)
  expect((await inbox('web')).filter(({ from }) => from === 'port')).toHaveLength(1)
}

describe('while it researches, a consultant that', () => {
  beforeEach(research)

  test('fails tells why', async () => {
    await fedDone(root, ['alert', 'information-missing', '--team', 'port', '--body', 'There are no ports'])
    await unanswered(/^port failed: There are no ports; your question 'Which port\?' has no answer$/)
  })

  test('is retired says so', async () => {
    await fedDone(root, ['send', 'port', '--type', 'directive', '--subject', 'retire'])
    await step()
    await step()
    await unanswered(/^port is retired;/)
  })

  test('is archived says so, also when another program did it', async () => {
    const federation = await openFederation(root)
    await fedDone(root, ['pause', 'port'])
    federation.registry.updateEntry('port', (entry) => ({ ...entry, status: 'archived' }))
    await step()
    await unanswered(/^port is archived;/)
    await step()
    expect(await fed(root, ['archive', 'port'])).toMatchObject({ code: 5 })
    await unanswered(/^port is archived;/)
  })

  test('is archived and offboarded says so, and restored it answers all the same', async () => {
    await fedDone(root, ['archive', 'port'])
    await unanswered(/^port is archived;/)
    await fedDone(root, ['restore', 'port'])
    await fedDone(root, ['resume', 'port'])
    await fedDone(root, ['report', 'answer', '--team', 'port', '--body', 'eighty'])
    expect(await heard('docs')).toContainEqual(['report', 'Answer: Which port?'])
    // the other question is taken up by then
    expect(await status()).toMatchObject({ state: 'researching', question: { from: 'web' } })
    await fedDone(root, ['archive', 'port'])
    await fedDone(root, ['offboard', 'port'])
    expect(await heard('web')).toEqual([['alert', 'Unanswered: Which host?']])
  })

  test('begins anew takes both questions up again', async () => {
    await fed(root, ['launch', '--team', 'port', '--reset', '--agent', agent('consultant')])
    expect(await heard('docs')).toEqual([
      ['directive', 'Explain it'],
      ['report', 'Answer: Which port?'],
    ])
    expect(await heard('web')).toEqual([['report', 'Answer: Which host?']])
    expect(await status()).toMatchObject({ state: 'ready', missionNumber: 2, question: null })
  })

  test('begins anew twice, and then fails, still knows who asked', async () => {
    const federation = await openFederation(root)
    const port = await federation.team('port')
    for (const mission of [1, 2]) await port.reset(mission, true)
    expect((await port.status()).question).toBeNull()
    await fedDone(root, ['alert', 'information-missing', '--team', 'port', '--body', 'None'])
    await unanswered(/^port failed: None;/)
  })

  const answered = ['report', 'Answer: Which port?']
  test.each([
    ['is retired', ['send', 'port', '--type', 'directive', '--subject', 'retire'], [answered]],
    ['fails', ['alert', 'session-exhausted', '--team', 'port'], [answered]],
    ['begins anew', ['launch', '--team', 'port', '--reset', '--agent', 'true'], [answered]],
    ['is archived', ['archive', 'port'], [answered]],
  ])('has answered while it was paused, and then %s, tells the answer', async (_how, command, expected) => {
    await fedDone(root, ['pause', 'port'])
    await fed(root, ['report', 'answer', '--team', 'port', '--body', 'eighty'])
    expect(await heard('docs')).toEqual([['directive', 'Explain it']])
    await fed(root, command)
    await step()
    expect((await heard('docs')).slice(1)).toEqual(expected)
    if (command[0] !== 'archive') return
    await fedDone(root, ['restore', 'port'])
    await fedDone(root, ['resume', 'port'])
    expect((await heard('docs')).slice(1)).toEqual(expected)
  })

  test('answers what was asked in the same words, each', async () => {
    await fedDone(root, ['report', 'answer', '--team', 'port', '--body', 'eighty'])
    await fedDone(root, ['report', 'answer', '--team', 'port', '--body', 'here'])
    const ids = []
    for (const _each of [1, 2]) {
      const { id } = await fedJson<FiledSignal>(root, asking('port', 'Which port?'))
      ids.push(id)
    }
    await step()
    const open = async () => (await fedJson<{ waitsFor: unknown }>(root, ['status', 'docs'])).waitsFor
    expect(await open()).toMatchObject({ signal: ids[0] })
    await fedDone(root, ['report', 'answer', '--team', 'port', '--body', 'ninety'])
    expect(await open()).toMatchObject({ signal: ids[1] })
    await fedDone(root, ['report', 'answer', '--team', 'port', '--body', 'ninety'])
    expect(await open()).toBeNull()
  })
})

describe('a question is refused, and not sent, to', () => {
  const refused = async (to: string, words: string) => {
    const { code, stderr } = await fed(root, asking(to, 'Which port?', 'web'))
    expect([code, stderr]).toEqual([5, expect.stringContaining(words)])
    expect(await heard('web')).toEqual([])
  }

  test('a team that has ended', async () => {
    await fedDone(root, ['alert', 'information-missing', '--team', 'docs', '--body', 'There is nothing'])
    await refused('docs', "docs is failed and answers nobody: 'fed launch --team docs --reset'")
    await fedDone(root, ['send', 'docs', '--type', 'report', '--subject', 'Port moved'])
    const federation = await openFederation(root)
    const draft = { from: 'web', to: 'docs', type: 'question', subject: 'Which port?' } as const
    await expect(say(federation, draft)).rejects.toThrow(RefusedError)
    expect(await inbox('docs')).not.toContainEqual(expect.objectContaining({ type: 'question' }))
  })

  test('one that is archived', async () => {
    await fedDone(root, ['archive', 'docs'])
    await refused('docs', "docs is archived and answers nobody: 'fed restore docs'")
  })

  test('a consultant without a mission, but not to any other team without one', async () => {
    await fedDone(root, ['onboard', 'host', '--archetype', 'consultant'])
    await refused('host', 'host has no mission')
    await fedDone(root, ['send', 'host', '--type', 'directive', '--subject', 'Know the hosts'])
    // nobody has stepped it yet
    await fedDone(root, asking('host', 'Which host?'))
    await fedDone(root, asking('web', 'Which page?'))
    await fedDone(root, asking('meta', 'Which budget?'))
  })

  test('nobody, when it was sent before the team ended', async () => {
    const federation = await openFederation(root)
    const id = '6f0d6a0e-7c0b-4a53-9d6b-2f7a0c1de9b4'
    const draft = {
      from: 'meta',
      to: 'docs',
      type: 'question',
      subject: 'Which?',
      id,
      timestamp: '2026-01-01T00:00:00Z',
    } as const
    const { file } = await say(federation, draft)
    await fedDone(root, ['alert', 'information-missing', '--team', 'docs', '--body', 'There is nothing'])
    expect(await say(federation, draft)).toMatchObject({ file })
  })
})

describe('mail that waits for long is told of a team that', () => {
  const old = async (to: string, subject: string) => {
    const timestamp = new Date(Date.now() - 2 * 24 * 3_600_000).toISOString()
    await (await openFederation(root)).send({ from: 'web', to, type: 'question', subject, timestamp })
  }
  const told = async () => {
    const { stdout, code } = await fed(root, ['monitor'])
    expect(code).toBe(1)
    return stdout
  }

  test('has ended', async () => {
    await old('docs', 'Which port?')
    await fedDone(root, ['alert', 'information-missing', '--team', 'docs', '--body', 'There is nothing'])
    const out = await told()
    expect(out).toContain(
      "1 signal waits for more than an hour, the oldest for 2 d: question 'Which port?' from web",
    )
    expect(out).toContain("'fed ack docs' acknowledges mail, 'fed reply docs' answers it: docs is failed")
  })

  test('is paused, or archived, and names the first of many', async () => {
    for (const subject of ['One?', 'Two?', 'Three?', 'Four?']) await old('docs', subject)
    await fedDone(root, ['pause', 'docs'])
    const many =
      "4 signals wait for more than an hour, the oldest for 2 d: question 'One?' from web, question 'Two?' from web, question 'Three?' from web and 1 more"
    const sorted = (text: string) => text.replaceAll(/'(?:One|Two|Three|Four)\?'/g, "'…'")
    expect(sorted(await told())).toContain(sorted(many))
    await fedDone(root, ['archive', 'docs'])
    expect(sorted(await told())).toContain(sorted(many))
  })
})

test('a question that was taken up is told when its answer is late, also where the team is paused', async () => {
  await learn()
  const timestamp = new Date(Date.now() - 2 * 24 * 3_600_000).toISOString()
  const draft = { from: 'meta', to: 'port', type: 'question', subject: 'Which port?', timestamp } as const
  await (await openFederation(root)).send(draft)
  await step()
  await fedDone(root, ['pause', 'port'])
  const { stdout, code } = await fed(root, ['monitor'])
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining("question 'Which port?' from meta waits for its answer for 2 d"),
  ])
  expect(stdout).toContain("'fed resume port' and 'fed launch --team port' has its agent answer it")
  await fedDone(root, ['resume', 'port'])
  await fedDone(root, ['report', 'answer', '--team', 'port', '--body', 'eighty'])
  expect((await fed(root, ['monitor'])).stdout).not.toContain('waits for its answer')
})

test('an asker whose workspace is gone keeps nobody from being archived', async () => {
  await research()
  rmSync(path.join(workspaceOf(root, 'docs'), '.fed'), { recursive: true })
  await fedDone(root, ['archive', 'port'])
  expect(await heard('web')).toEqual([['alert', 'Unanswered: Which host?']])
})
