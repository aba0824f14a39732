import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { LocalChannel } from '../../../src/apps/chat/local-channel.ts'
import { packageRoot } from '../../../src/platform/process/package.ts'
import { trust } from '../../support/allow-everything.ts'
import { fed, run } from '../counted-process.ts'
import { signalsIn, type FederationFacts } from '../federation-facts.ts'
import type { Scenario } from '../scenario.ts'
import { federationOf, walk } from './prepared.ts'
import { isIn, team } from './steps.ts'

const said = [
  '@fed pause docs',
  '@fed tell api to document the ports',
  '@fed ask api which port?',
  '@fed status',
]

interface Message {
  readonly id: string
  readonly thread: string
  readonly sender: string
}

/** Each command reached its team once, and each message has one answer in its thread. */
function* doneOnce(now: FederationFacts, root: string): Iterable<string> {
  yield* isIn(now, 'docs', 'paused')
  for (const [id, subject] of [
    ['docs', 'pause'],
    ['api', 'document the ports'],
    ['api', 'which port?'],
  ] as const) {
    const found = [...signalsIn(team(now, id).inbox).values()].filter((signal) => signal.subject === subject)
    if (found.length !== 1) yield `'${subject}' reached ${id} ${found.length} times`
  }
  const text = readFileSync(path.join(root, '.fed', 'chat', 'messages.jsonl'), 'utf8')
  // a line that a killed process left half written is no message
  const messages = text
    .split('\n')
    .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Message] : []))
  for (const { id } of messages.slice(0, said.length)) {
    const answers = messages.filter(({ thread, sender }) => thread === id && sender === 'fed')
    if (answers.length !== 1) yield `a message has ${answers.length} answers`
  }
  const ids = messages.map(({ id }) => id)
  if (new Set(ids).size !== ids.length) yield 'something was said twice'
}

interface HostMessage {
  readonly id: string
  readonly thread: string
  readonly text: string
}

const host = (root: string) => path.join(root, '.fed', 'host')
const channelOf = (root: string) => path.join(host(root), 'channel.jsonl')

/** The same where the channel is only reached by an agent host: what was posted is found there, and not said again. */
function* answeredOnce(now: FederationFacts): Iterable<string> {
  yield* isIn(now, 'docs', 'paused')
  const lines = readFileSync(channelOf(now.root), 'utf8').trim().split('\n')
  const messages = lines.map((line) => JSON.parse(line) as HostMessage)
  const answers = messages.filter(({ thread, id }) => thread === 'said-1' && id !== 'said-1')
  if (answers.length !== 1) yield `the message has ${answers.length} answers`
}

export const chatByHost: Scenario = {
  name: 'chat --once by an agent host',
  varies: true,
  async prepare(root) {
    const federation = await federationOf(root, 'docs')
    await walk(federation, 'docs', 'scanning')
    mkdirSync(host(root), { recursive: true })
    const words = [process.execPath, path.join(packageRoot, 'test', 'agents', 'chat-host.mjs'), host(root)]
    const agentCommand = words.map((word) => `'${word}'`).join(' ')
    const chatConfig = { teamId: '3f2a91c0-5d1e-4b7a-9c55-0a1b2c3d4e5f', channelId: '19:abc@thread.tacv2' }
    writeFileSync(
      path.join(root, 'federate.config.json'),
      JSON.stringify({ federationName: 'shop', chatConfig, agentCommand }),
    )
    trust(root)
    // a bridge that had its place before the message came
    const { code, stderr } = await run(fed(root, 'chat', '--once'))
    if (code !== 0) throw new Error(stderr)
    const message = {
      id: 'said-1',
      thread: 'said-1',
      sender: 'ann',
      at: new Date().toISOString(),
      text: '@shop pause docs',
    }
    writeFileSync(channelOf(root), `${JSON.stringify(message)}\n`)
  },
  act: (root) => fed(root, 'chat', '--once'),
  end: answeredOnce,
}

export const chatOnce: Scenario = {
  name: 'chat --once',
  async prepare(root) {
    const federation = await federationOf(root, 'docs', 'api')
    await walk(federation, 'docs', 'scanning')
    const channel = new LocalChannel(root, 'fed')
    for (const text of said) channel.say('ann', text)
  },
  act: (root) => fed(root, 'chat', '--once'),
  end: (now) => doneOnce(now, now.root),
}
