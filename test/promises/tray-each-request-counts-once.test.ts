// Proves that what an agent asks by its tray has one effect, although the postman is killed at any of the calls that
// change a file, and another one serves the tray after it. It fails when a request is lost, when one makes two signals
// or two findings, or when whoever asked is left without an answer.
import { readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { beginMission } from '../../src/federation/mission.ts'
import { Federation } from '../../src/federation/federation.ts'
import { readLearnings } from '../../src/records/learnings/learning-log.ts'
import { answersOf } from '../../src/protocol/tray.ts'
import { newFederation } from '../support/federation.ts'
import { interrupted, type Interruption } from '../support/interrupted-calls.ts'
import { everyCall, someOf } from '../support/thorough.ts'
import { answerTo, drop, postOf, serveOnce, trayOf } from '../support/tray.ts'

const id = '0b6f7a52-9d1e-4c7a-8a41-2f3c5d6e7f80'

/** A team at work, with a letter in its inbox. */
async function atWork() {
  const root = newFederation()
  const federation = new Federation(root)
  for (const domain of ['docs', 'api']) {
    const team = await federation.onboard({ domain, archetype: 'deliverable' })
    await beginMission(team, `Explain ${domain}`)
    await team.step()
  }
  const { file } = await federation.send({ from: 'api', to: 'docs', type: 'report', subject: 'A fact' })
  return { root, post: postOf(root, 'docs'), letter: file }
}

/** Everything that a request can change, as somebody sees it who comes afterwards. */
async function facts(root: string) {
  const federation = new Federation(root)
  const team = await federation.team('docs')
  const words = (signals: readonly { from: string; subject: string; acknowledged?: boolean | undefined }[]) =>
    signals
      .map(({ from, subject, acknowledged }) => `${from}: ${subject}${acknowledged ? ', read' : ''}`)
      .toSorted()
  return {
    state: team.present().state,
    events: team.history().map(({ event, outcome }) => `${event} ${outcome}`),
    own: words(federation.mailbox('docs').all()),
    sent: words(federation.mailbox('docs').sent()),
    meta: words(federation.mailbox('meta').all()),
    api: words(federation.mailbox('api').all()),
    findings: readLearnings(team.actor.workspace).findings.map(({ content }) => content),
  }
}

/** What the killed one had under way bears this process's name, which goes on: now it bears that of one that is gone. */
function leaveToOthers(outbox: string): void {
  for (const name of readdirSync(outbox).filter((one) => one.endsWith('.tmp')))
    renameSync(path.join(outbox, name), path.join(outbox, name.replace(/-\d+\.tmp$/, '-1.tmp')))
}

const requests: Record<
  string,
  (letter: string) => readonly [verb: string, args: Record<string, unknown>, as?: string]
> = {
  'a milestone that is accepted': () => ['report', { subject: 'mission-planned', body: 'Read src/app.ts' }],
  'one that is refused': () => ['report', { subject: 'files-read' }],
  'an alert': () => ['alert', { subject: 'information-missing', body: 'There is no API' }],
  'a signal to another team': () => ['send', { to: 'api', type: 'report', subject: 'Hello' }],
  'a finding': () => ['learn', { content: 'Every write is a link' }],
  'a letter that is read': (letter) => ['ack', { signal: letter }],
  'an answer': (letter) => ['reply', { signal: letter, body: 'Thanks' }],
  'what only a person may': () => ['pause', {}],
  'what is said as another team': () => ['report', { subject: 'mission-planned', body: 'x' }, 'api'],
}

describe.each(Object.entries(requests))('%s', (_, request) => {
  async function served(interruption?: Interruption) {
    const { root, post, letter } = await atWork()
    const [verb, args, as] = request(letter)
    drop(post, id, verb, args, as)
    const cameThatFar = interruption !== undefined && (await interrupted(interruption, () => serveOnce(post)))
    leaveToOthers(new Federation(root).mailbox('docs').outbox)
    await serveOnce(post)
    const answer = answerTo(post, id)
    expect(readdirSync(trayOf(post))).toEqual([])
    return { cameThatFar, answer: 'error' in answer ? answer.error.exitCode : 0, ...(await facts(root)) }
  }

  test.each(someOf(['before', 'halfway', 'after'] as const, 1))('killed %s any call', async (when) => {
    const { cameThatFar: _never, ...expected } = await served()
    const { first, stride } = everyCall(when === 'halfway' ? 9 : 6)
    let isOver = false
    let call = first
    for (; !isOver; call += stride) {
      const { cameThatFar, ...found } = await served({ call, when })
      expect(found, `killed ${when} call ${call}`).toEqual(expected)
      isOver = !cameThatFar
    }
    expect(call, 'nothing was killed').toBeGreaterThan(first + stride)
  })
})

test('a request that is dropped again, after its answer was removed, is another one with an id of its own', async () => {
  const { root, post } = await atWork()
  for (let time = 0; time < 2; time += 1) {
    drop(post, id, 'send', { to: 'api', type: 'report', subject: 'Hello' })
    await serveOnce(post)
    rmSync(path.join(answersOf(trayOf(post)), `${id}.json`))
  }
  const sent = new Federation(root).mailbox('docs').sent()
  const hellos = sent.filter(({ subject }) => subject === 'Hello')
  expect(new Set(hellos.map((signal) => signal.id)).size).toBe(2)
  expect(hellos).toHaveLength(2)
})
