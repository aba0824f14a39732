// Proves that agents of many teams run in so many slots as there are and no more, that whoever waits holds none, and that
// each gets its turn. Fails when more agents run than slots, when a team starves, or when a second dispatcher starts agents.
import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Slots } from '../../../src/agents/dispatch/slots.ts'
import { takeLease } from '../../../src/agents/dispatch/lease.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import { agent, fed, newFederation, newFolder, startFed } from '../../support/fed.ts'
import { inboxOf } from '../../support/federation.ts'
import { until } from '../../support/until.ts'

/** An agent that notes how many of its kind run beside it, and gives up its mission after a while. */
function countingAgent(log: string): string {
  const file = path.join(newFolder('agent'), 'counting.cjs')
  writeFileSync(
    file,
    `const { appendFileSync } = require('node:fs')
const { execFileSync } = require('node:child_process')
const note = (word) => appendFileSync(${JSON.stringify(log)}, word + ' ' + process.env.FED_TEAM + '\\n')
note('begin')
setTimeout(() => {
  note('end')
  execFileSync('fed', ['alert', 'information-missing', '--body', 'enough'], { stdio: 'ignore' })
}, 300)
`,
  )
  chmodSync(file, 0o755)
  return `${process.execPath} ${file}`
}

/** Its notes lie where no agent within walls writes. */
const open = ['--confinement', 'off']

/** The most that ran at once. */
function mostAtOnce(log: string): number {
  let [now, most] = [0, 0]
  for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
    now += line.startsWith('begin') ? 1 : -1
    most = Math.max(most, now)
  }
  return most
}

const hasFailed = async (root: string, team: string) =>
  (await new Federation(root).team(team)).present().state === 'failed'

async function federationOf(count: number): Promise<string> {
  const root = await newFederation()
  const federation = new Federation(root)
  for (let at = 0; at < count; at += 1)
    await beginMission(await federation.onboard({ domain: `team-${at}` }), `Document src/app.ts, part ${at}`)
  return root
}

test('of eight teams two run at once, and each has its turn', async () => {
  const root = await federationOf(8)
  const log = path.join(newFolder('log'), 'agents')
  const { code } = await fed(root, [
    'launch',
    '--all',
    '--parallel',
    '2',
    ...open,
    '--agent',
    countingAgent(log),
  ])
  expect(code).toBe(1)
  expect(mostAtOnce(log)).toBe(2)
  const begun = readFileSync(log, 'utf8').match(/begin \S+/g) ?? []
  expect(new Set(begun).size).toBe(8)
  expect(begun).toHaveLength(8)
})

test('watching, an agent begins for whatever comes, and a second dispatcher waits', async () => {
  const root = await federationOf(1)
  const log = path.join(newFolder('log'), 'agents')
  appendFileSync(log, '')
  const watching = startFed(root, [
    'launch',
    '--all',
    '--watch',
    '--parallel',
    '2',
    ...open,
    '--agent',
    countingAgent(log),
  ])
  await until('the first agent', () => hasFailed(root, 'team-0'))
  expect(takeLease(root)).toBeUndefined()
  const second = startFed(root, ['launch', '--all', '--watch', ...open, '--agent', countingAgent(log)])
  await until('the second to wait', () => second.stderr().includes('takes over when it ends'))
  const later = await new Federation(root).onboard({ domain: 'later' })
  await beginMission(later, 'Document src/app.ts')
  await until('the agent of a team that came later', () => hasFailed(root, 'later'))
  watching.kill('SIGINT')
  expect((await watching.ended).code).toBe(130)
  await until('the second to take over', () => second.stderr().includes('watching: at most'))
  const last = await new Federation(root).onboard({ domain: 'last' })
  await beginMission(last, 'Document src/app.ts')
  await until('its agent', () => hasFailed(root, 'last'))
  second.kill('SIGINT')
  await second.ended
  const begun = readFileSync(log, 'utf8').match(/begin \S+/g) ?? []
  expect(begun.toSorted()).toEqual(['begin last', 'begin later', 'begin team-0'])
  expect(existsSync(path.join(root, '.fed', 'dispatcher.1'))).toBe(false)
})

test('a question to a consultant has its agent begin again', async () => {
  const root = await newFederation()
  const expert = await new Federation(root).onboard({ domain: 'expert', archetype: 'consultant' })
  await beginMission(expert, 'Know src/app.ts')
  const watching = startFed(root, ['launch', '--all', '--watch', '--agent', agent('consultant')])
  const isIn = async (state: string) => (await new Federation(root).team('expert')).present().state === state
  await until('the expert to be ready', () => isIn('ready'))
  await new Federation(root).send({
    from: 'meta',
    to: 'expert',
    type: 'question',
    subject: 'What is the answer?',
    body: '',
  })
  await until('its answer', () =>
    [...inboxOf(root).values()].some(({ subject }) => subject === 'Answer: What is the answer?'),
  )
  watching.kill('SIGINT')
  await watching.ended
})

test('who asked first begins first, but for coordinators; whoever leaves gives its place away', async () => {
  const slots = new Slots(1)
  const { signal } = new AbortController()
  const order: string[] = []
  const leaving = new AbortController()
  const held = await slots.take(false, signal, () => order.push('never'))
  const take = async (name: string, isUrgent: boolean, by = signal) => {
    const release = await slots.take(isUrgent, by, () => order.push(`${name} waits`))
    order.push(release === undefined ? `${name} left` : name)
    release?.()
  }
  const all = [
    take('one', false),
    take('gone', false, leaving.signal),
    take('two', false),
    take('goal', true),
  ]
  leaving.abort()
  held?.()
  held?.()
  await Promise.all(all)
  expect(order).toEqual([
    'one waits',
    'gone waits',
    'two waits',
    'goal waits',
    'gone left',
    'goal',
    'one',
    'two',
  ])
})
