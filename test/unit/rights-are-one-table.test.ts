// Proves what an agent may, cell by cell: each command of the command line and each tool against its own team, another
// one, meta and the whole federation. It fails when a command has no rule, when a rule is of no command, or when a cell
// changes without this table.
import { expect, test } from 'vitest'
import { commands } from '../../src/apps/cli/command-table.ts'
import { allRequests } from '../../src/agents/requests/all-requests.ts'
import { standing, standings } from '../../src/apps/cli/standing-requests.ts'
import { refusalFor, rights, targets, type Command, type Target } from '../../src/protocol/rights-table.ts'

const own: readonly Target[] = ['own']
const anyTeam: readonly Target[] = ['own', 'other', 'federation']

/** For whom an agent may; what is not named here is a person's. */
const mayFor: Readonly<Partial<Record<Command, readonly Target[]>>> = {
  report: own,
  alert: own,
  learn: own,
  'write-deliverable': own,
  reply: own,
  read: own,
  ack: own,
  inbox: own,
  outbox: own,
  mcp: own,
  send: ['own', 'other', 'meta'],
  check: anyTeam,
  plan: anyTeam,
  status: anyTeam,
  'status-of-all': anyTeam,
  sites: anyTeam,
  history: anyTeam,
  costs: anyTeam,
  learnings: anyTeam,
  diagram: anyTeam,
  rights: anyTeam,
  completion: anyTeam,
}

const cells = Object.keys(rights).flatMap((command) => targets.map((target) => ({ command, target })))

test.each(cells)('$command for $target', ({ command, target }) => {
  const may = mayFor[command as Command]?.includes(target) ?? false
  expect(refusalFor(command, target) === undefined).toBe(may)
})

test('every command and every request has a rule, and every rule is of one', () => {
  const requests = [...allRequests.keys(), standing.name, standings.name]
  expect(Object.keys(rights).toSorted()).toEqual(
    [...new Set([...Object.keys(commands), ...requests])].toSorted(),
  )
})

test.each(['', 'constructor', '__proto__', 'Report', 'pause '])(
  '%j is a person’s, as nothing names it',
  (command) => {
    for (const target of targets) expect(refusalFor(command, target)).toBe('only a person may')
  },
)
