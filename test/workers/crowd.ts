// What the tests of a crowded inbox start as processes of their own: `<role> <root> <gate> <options as JSON>`.
import { readdirSync, readFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { openFederation, type Federation, type SignalDraft } from '../../src/index.ts'
import { Gate } from '../support/gate.ts'

interface Options {
  readonly name: string
  readonly senders: number
  readonly each: number
  readonly subject: string
}

const [role, root = '', folder = '', options = '{}'] = process.argv.slice(2)
const gate = new Gate(folder)

function tell(result: object): void {
  writeSync(1, `${JSON.stringify(result)}\n`)
}

/** Half of them are directives of meta; the other half is mail of another team. */
const kinds: readonly Pick<SignalDraft, 'from' | 'type'>[] = [
  { from: 'meta', type: 'directive' },
  { from: 'peer', type: 'report' },
  { from: 'meta', type: 'directive' },
  { from: 'peer', type: 'question' },
]

/** Several senders of one process take turns at every signal; tells what each was told is sent. */
async function write(federation: Federation): Promise<void> {
  const { name, senders, each, subject } = JSON.parse(options) as Options
  gate.arrive(1)
  const sent = Array.from({ length: senders }, async (_, sender) => {
    const ids: string[] = []
    for (let number = 0; number < each; number += 1) {
      const kind = kinds[(sender + number) % kinds.length] as (typeof kinds)[number]
      const { id } = await federation.send({
        ...kind,
        to: 'team',
        subject,
        body: `${name} ${sender} ${number}`,
      })
      ids.push(id)
      await turn()
    }
    return ids
  })
  tell({ sent: (await Promise.all(sent)).flat() })
}

/** Steps the team until the sending is over, and once more; tells what its own steps handled. */
async function step(federation: Federation): Promise<void> {
  gate.arrive(1)
  const handled: string[] = []
  for (let isLast = false; !isLast;) {
    isLast = gate.isOver('sending')
    const report = await (await federation.team('team')).step()
    handled.push(...report.handled.map(({ signal }) => signal))
    await turn()
  }
  tell({ handled })
}

/** Acknowledges the mail as it comes, until the sending is over and none is left; tells what it acknowledged. */
async function acknowledge(federation: Federation): Promise<void> {
  const mailbox = federation.mailbox('team')
  gate.arrive(1)
  const read: string[] = []
  for (let isLast = false; !isLast;) {
    isLast = gate.isOver('sending')
    const mail = mailbox.unacknowledged().filter(({ from }) => from !== 'meta')
    mailbox.acknowledgeFiles(mail.map(({ file }) => file))
    read.push(...mail.map(({ id }) => id))
    await turn()
  }
  tell({ read })
}

/** Reads each file at the first moment at which its name is there, with nothing of the product in between. */
async function watch(): Promise<void> {
  const inbox = path.join(root, '.fed', 'teams', 'team', '.fed', 'signals', 'inbox')
  gate.arrive(1)
  const seen = new Set<string>()
  const torn: string[] = []
  for (let isLast = false; !isLast;) {
    isLast = gate.isOver('handling')
    for (const name of readdirSync(inbox).filter((one) => !seen.has(one))) {
      seen.add(name)
      const text = readFileSync(path.join(inbox, name), 'utf8')
      try {
        const { id, acknowledged } = JSON.parse(text) as { id?: string; acknowledged?: boolean }
        if (id === undefined && acknowledged !== true) torn.push(`${name}: ${text}`)
      } catch (error) {
        torn.push(`${name}: ${(error as Error).message}`)
      }
    }
    await turn()
  }
  tell({ names: seen.size, torn })
}

const federation = await openFederation(root)
switch (role) {
  case 'write':
    await write(federation)
    break
  case 'step':
    await step(federation)
    break
  case 'acknowledge':
    await acknowledge(federation)
    break
  case 'watch':
    await watch()
    break
  default:
    throw new Error(`no role ${role}`)
}
