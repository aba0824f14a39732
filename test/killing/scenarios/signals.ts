import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fed, library } from '../counted-process.ts'
import { signalsIn, type FederationFacts, type Mailbox, type Signal } from '../federation-facts.ts'
import type { Scenario } from '../scenario.ts'
import { federationOf, settle } from './prepared.ts'

const questionId = '3f2a0000-0000-4000-8000-000000000001'

/** Which mailbox is whose, by address. */
function inboxOf({ meta, teams }: FederationFacts, address: string): Signal[] {
  const mailbox: Mailbox | undefined = [meta, ...teams].find((one) => one.address === address)
  return mailbox === undefined ? [] : [...signalsIn(mailbox.inbox).values()]
}

/** What a sender was told was sent is there. */
function* wasDelivered(stdout: string, now: FederationFacts): Iterable<string> {
  const sent = [JSON.parse(stdout)].flat() as Signal[]
  for (const { id, to } of sent) {
    const found = inboxOf(now, to).filter((signal) => signal.id === id)
    if (found.length !== 1)
      yield `the sender was told that ${id} was sent; ${to} has it ${found.length} times`
  }
}

/** Each of these subjects arrived: once for the killed command at most, and once for the one after it. */
function* arrived(now: FederationFacts, to: string, subjects: readonly string[]): Iterable<string> {
  for (const subject of subjects) {
    const count = inboxOf(now, to).filter((signal) => signal.subject === subject).length
    if (count < 1 || count > 2) yield `'${subject}' reached ${to} ${count} times by two commands`
  }
}

export const send: Scenario = {
  name: 'send',
  async prepare(root) {
    await federationOf(root, 'docs')
  },
  act: (root) => fed(root, 'send', 'docs', '--type', 'directive', '--subject', 'Document it', '--json'),
  told: wasDelivered,
  end: (now) => arrived(now, 'docs', ['Document it']),
}

export const sendByTeam: Scenario = {
  name: 'send by a team',
  async prepare(root) {
    await federationOf(root, 'docs', 'api')
  },
  act: (root) =>
    fed(root, 'send', 'api', '--from', 'docs', '--type', 'question', '--subject', 'Which port', '--json'),
  told: wasDelivered,
  end: (now) => arrived(now, 'api', ['Which port']),
}

const three = ['First', 'Second', 'Third']

export const sendMany: Scenario = {
  name: 'sendMany of 3',
  async prepare(root) {
    await federationOf(root, 'docs')
  },
  act: (root) => library(root, 'sendMany', 'meta', 'docs', ...three),
  told: wasDelivered,
  end: (now) => arrived(now, 'docs', three),
}

export const acknowledge: Scenario = {
  name: 'acknowledge',
  async prepare(root) {
    const federation = await federationOf(root, 'docs')
    await federation.send({
      from: 'meta',
      to: 'docs',
      type: 'question',
      subject: 'Which port',
      id: questionId,
    })
  },
  act: (root) => fed(root, 'ack', 'docs', questionId),
  *told(_, now) {
    if (!isAcknowledged(now)) yield 'the reader was told that the question is acknowledged, and it is not'
  },
  *end(now) {
    if (!isAcknowledged(now)) yield 'the question is not acknowledged'
  },
}

function isAcknowledged({ teams }: FederationFacts): boolean {
  const { inbox } = teams[0] ?? {}
  return [...(inbox?.keys() ?? [])].some((name) => name.endsWith('.ack'))
}

const badName = '2026-11-20T230501Z-report-bad.json'
const badText = '{"id": 7'

export const quarantine: Scenario = {
  name: 'quarantine',
  async prepare(root) {
    const federation = await federationOf(root, 'docs')
    await federation.send({ from: 'meta', to: 'docs', type: 'question', subject: 'Which port' })
    const bad = path.join(federation.mailbox('docs').inbox, badName)
    writeFileSync(bad, badText)
    settle(bad)
  },
  act: (root) => fed(root, 'inbox', 'docs', '--json'),
  *end({ teams }) {
    const [docs] = teams
    if (docs?.inbox.has(badName)) yield 'the bad file still lies in the inbox'
    const aside = [...(docs?.quarantine ?? [])].filter(([, text]) => text === badText)
    if (aside.length !== 1) yield `the bad file was set aside ${aside.length} times`
    if (signalsIn(docs?.inbox ?? new Map()).size !== 1) yield 'the good signal is gone'
  },
}

export const archiveSignals: Scenario = {
  name: 'archive-signals',
  async prepare(root) {
    const federation = await federationOf(root, 'docs')
    for (const subject of three)
      await federation.send({ from: 'meta', to: 'docs', type: 'question', subject })
    const mailbox = federation.mailbox('docs')
    const [first, second] = await mailbox.unacknowledged()
    mailbox.acknowledgeFiles([first, second].map((signal) => signal?.file ?? ''))
  },
  act: (root) => fed(root, 'archive-signals', 'docs', '--older-than', '0s'),
  *end({ teams }) {
    const [docs] = teams
    const left = [...signalsIn(docs?.inbox ?? new Map()).values()].map(({ subject }) => subject)
    if (left.join() !== 'Third') yield `the inbox holds ${left.join(', ')}`
    const [kept, acknowledged] = [/\.json$/, /\.ack$/].map(
      (kind) => [...(docs?.archive.keys() ?? [])].filter((name) => kind.test(name)).length,
    )
    if (kept !== 2 || acknowledged !== 2)
      yield `the archive holds ${kept} signals, ${acknowledged} acknowledgments`
  },
}
