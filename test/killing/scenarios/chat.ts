import { readFileSync } from 'node:fs'
import path from 'node:path'
import { LocalChannel } from '../../../src/chat/local-channel.ts'
import { fed } from '../counted-process.ts'
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
