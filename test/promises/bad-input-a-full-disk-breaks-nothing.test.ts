// Proves that a command that meets a full, read-only or broken disk at any of its writing calls says in one line
// which file and what to do, leaves nothing half written, and can simply be given again. Fails when a file is
// left half, when a commit is taken back that others see, or when the words are the system's alone.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { lifecycleDocument } from '../../src/engine/step/lifecycle-document.ts'
import { TeamRegistry } from '../../src/records/registry/team-registry.ts'
import { decodeSignal } from '../../src/records/signals/decode.ts'
import {
  agent,
  fed,
  fedDone,
  newFederation,
  newFolder,
  startsOf,
  workspaceOf,
  type Ended,
} from '../support/fed.ts'
import { fedOnDisk, type DiskTrouble } from '../support/failing-disk.ts'
import { someOf, spreadOver, tries } from '../support/thorough.ts'

/** So many of a command's writing calls are made to fail, others in each run; of a launch's, which takes long, fewer. */
const pointsOf = (command: string | undefined) => (command === 'launch' ? tries(12) : tries(20))

let root: string
let saved: string
const counted = path.join(newFolder('calls'), 'count')

beforeAll(async () => {
  root = await newFederation({ docs: 'Explain src/app.ts' })
  for (const subject of ['old', 'older']) {
    const ask = ['send', 'docs', '--type', 'question', '--subject', subject, '--json']
    const { id } = JSON.parse(await fedDone(root, ask)) as { id: string }
    await fedDone(root, ['ack', 'docs', id])
    if (subject === 'old') await fedDone(root, ['archive-signals', 'docs', '--older-than', '0s'])
  }
  saved = newFolder('saved')
  cpSync(path.join(root, '.fed'), saved, { recursive: true })
})

function restore(): void {
  rmSync(path.join(root, '.fed'), { recursive: true })
  cpSync(saved, path.join(root, '.fed'), { recursive: true })
}

const fedOn = (trouble: DiskTrouble, args: readonly string[]): Promise<Ended> =>
  fedOnDisk(root, { ...trouble, log: counted }, args)

function filesBelow(dir: string): string[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [path.join(entry.parentPath, entry.name)] : [],
  )
}

/** What must hold whenever a command has ended, however it did. */
function expectWhole(): void {
  const inboxes = filesBelow(path.join(root, '.fed')).filter((file) => file.includes('/signals/inbox/'))
  for (const file of inboxes) {
    expect(path.basename(file)).toMatch(/^[^.].*\.json(\.ack)?$/)
    if (file.endsWith('.json')) expect(decodeSignal(readFileSync(file, 'utf8')).fault).toBeUndefined()
    else expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ acknowledged: true })
  }
  const { teams } = new TeamRegistry(root).read()
  expect(teams.map(({ domainId }) => domainId)).toContain('docs')
  for (const { location } of teams) expect(lifecycleDocument(location).read()).toBeDefined()
}

function expectExplained({ code, stdout, stderr }: Ended, words: string): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^fed: [^\n]+\n$/)
  expect(stderr).toContain(words)
  // what a session needs for a moment lies among the temporary files
  if (!stderr.includes('fed-net-')) expect(stderr).toContain(root)
  expect(stderr).not.toMatch(/unexpected|\bat \S+:\d+/)
  // what to do stands at the end
  expect(stderr).toMatch(/\); \w+[^;]+\n$/)
}

const docs = () => workspaceOf(root, 'docs')
/** Names of a team's signals with their acknowledgments, in the inbox and in the archive. */
const lying = (): { inbox: string[]; archive: string[] } => {
  const names = (folder: string) =>
    filesBelow(path.join(docs(), '.fed', 'signals', folder)).flatMap(
      (file) => /-question-(older|old)\.json(\.ack)?$/.exec(file)?.[0] ?? [],
    )
  return { inbox: names('inbox').toSorted(), archive: names('archive').toSorted() }
}
const both = [
  '-question-old.json',
  '-question-old.json.ack',
  '-question-older.json',
  '-question-older.json.ack',
]

const historyOf = async (team: string): Promise<{ event: string; outcome: string }[]> =>
  JSON.parse(await fedDone(root, ['history', team, '--json']))

/** A command that can be given again until it is done: afterwards its effect is there, once. */
const commands: readonly [args: string[], happenedOnce: () => Promise<void> | void][] = [
  [
    ['send', 'docs', '--type', 'question', '--subject', 'Which port?'],
    () => {
      const names = readdirSync(path.join(docs(), '.fed', 'signals', 'inbox'))
      expect(names.filter((name) => name.endsWith('which-port.json'))).toHaveLength(1)
    },
  ],
  [
    ['learn', 'It answers 42', '--team', 'docs'],
    async () => expect(JSON.parse(await fedDone(root, ['learnings', 'docs', '--json']))).toHaveLength(1),
  ],
  [
    ['report', 'mission-planned', '--team', 'docs', '--body', 'src/app.ts'],
    async () => {
      const accepted = (await historyOf('docs')).filter(({ outcome }) => outcome === 'accepted')
      expect(accepted.map(({ event }) => event).slice(-1)).toEqual(['report.mission-planned'])
    },
  ],
  [
    ['pause', 'docs'],
    async () => {
      expect(JSON.parse(await fedDone(root, ['status', 'docs', '--json']))).toMatchObject({
        state: 'paused',
        status: 'paused',
      })
      const accepted = (await historyOf('docs')).filter(
        ({ event, outcome }) => event === 'directive.pause' && outcome === 'accepted',
      )
      expect(accepted).toHaveLength(1)
    },
  ],
  [
    ['onboard', 'api', '--archetype', 'deliverable'],
    async () => {
      expect(JSON.parse(await fedDone(root, ['status', 'api', '--json']))).toMatchObject({
        state: 'preparing',
        status: 'active',
      })
    },
  ],
  [
    ['archive-signals', 'docs', '--older-than', '0s', '--quiet'],
    () => expect(lying()).toEqual({ inbox: [], archive: both }),
  ],
  [
    ['archive-signals', 'docs', '--restore', new Date().toISOString().slice(0, 7), '--quiet'],
    () => expect(lying()).toEqual({ inbox: both, archive: [] }),
  ],
  [
    ['launch', '--team', 'docs', '--quiet', '--agent', agent('good')],
    async () => {
      expect(JSON.parse(await fedDone(root, ['status', 'docs', '--json']))).toMatchObject({
        state: 'complete',
      })
      expect(await fedDone(root, ['check', 'docs'])).toContain('deliverable.md')
    },
  ],
]

const troubles = ['no space is left on the device (ENOSPC, ', 'the device reported an error (EIO, ']

describe('a full or broken disk', () => {
  test.each(someOf(commands, 3))('fed %j', async (args, happenedOnce) => {
    restore()
    expect(await fedOn({}, args)).toMatchObject({ code: 0, stderr: '' })
    await happenedOnce()
    const calls = Number(readFileSync(counted, 'utf8'))
    expect(calls).toBeGreaterThan(1)
    for (const at of spreadOver(calls, pointsOf(args[0]))) {
      restore()
      const ended = await fedOn(at % 2 === 0 ? { code: 'ENOSPC', at } : { code: 'EIO', at, once: true }, args)
      expectWhole()
      // what failed after all was done is for the next command to finish, not for this one to deny
      if (ended.code !== 0) expectExplained(ended, troubles[at % 2] as string)
      const again = ended.code === 0 ? ended : await fed(root, args)
      expectWhole()
      // the first one's signal may have been delivered, and counts: the second comes too late then (5), or
      // finds nothing left to do (4)
      expect([0, 4, 5], `after call ${at}: ${again.stderr}`).toContain(again.code)
      await happenedOnce()
    }
  })
})

test.each(
  someOf(
    [
      ['EROFS', 'the file system may only be read (EROFS, '],
      ['EIO', 'the device reported an error (EIO, '],
      ['EMFILE', 'too many files are open (EMFILE, '],
      ['EACCES', 'permission denied (EACCES, '],
      ['EDQUOT', 'the disk quota is used up (EDQUOT, '],
      ['EFBIG', 'the file would become larger than is allowed (EFBIG, '],
    ],
    4,
  ),
)('%s is told as what it means', async (code, words) => {
  restore()
  for (const [args] of commands.slice(0, 5)) {
    expectExplained(await fedOn({ code, at: 1, once: code === 'EIO' }, args), words)
    expectWhole()
  }
})

test.each(someOf(['sessions/.', '.prompt.md', '1-1.log'], 4))(
  'a launch that cannot write %s ends, leaves no agent behind, and can be given again',
  async (match) => {
    restore()
    const launch = ['launch', '--team', 'docs', '--quiet', '--agent', agent('good')]
    expectExplained(await fedOn({ code: 'ENOSPC', at: 1, match }, launch), match)
    expectWhole()
    expect(startsOf(docs())).toEqual([])
    expect(await fed(root, launch)).toMatchObject({ code: 0 })
  },
)

test('what was not sent is said not to be sent', async () => {
  restore()
  const ended = await fedOn({ code: 'ENOSPC', at: 2 }, commands[0]?.[0] ?? [])
  expectExplained(ended, 'nothing was sent: ')
  const inbox = path.join(docs(), '.fed', 'signals', 'inbox')
  expect(readdirSync(inbox).filter((name) => name.includes('which-port'))).toEqual([])
  const outbox = path.join(root, '.fed', 'signals', 'outbox')
  expect(readdirSync(outbox).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('what was not sent after an archiving or a reset denies neither', async () => {
  restore()
  await fedDone(root, ['send', 'docs', '--type', 'question', '--subject', 'Which port?'])
  await fedDone(root, ['pause', 'docs'])
  const outboxOf = (dir: string) => path.join(dir, '.fed', 'signals', 'outbox')
  const archived = await fedOn({ code: 'ENOSPC', at: 1, match: outboxOf(docs()) }, ['archive', 'docs'])
  expectExplained(archived, 'fed: docs is archived, but ')
  expect(JSON.parse(await fedDone(root, ['status', 'docs', '--json']))).toMatchObject({ status: 'archived' })
  restore()
  const run = ['run', 'Another', '--team', 'docs', '--reset', '--quiet', '--agent', agent('good')]
  expectExplained(
    await fedOn({ code: 'ENOSPC', at: 1, match: outboxOf(root) }, run),
    'fed: docs was reset and is preparing, but ',
  )
  expect(JSON.parse(await fedDone(root, ['status', 'docs', '--json']))).toMatchObject({ mission: null })
})

test('a pause for an archiving that failed is not told as the archiving', async () => {
  restore()
  const outbox = path.join(docs(), '.fed', 'signals', 'outbox')
  const ended = await fedOn({ code: 'ENOSPC', at: 1, match: outbox }, ['archive', 'docs'])
  expectExplained(ended, 'fed: docs is paused, and docs is not archived, but ')
  await fedDone(root, ['archive', 'docs'])
})

test('a launch that cannot go on says where its team is', async () => {
  restore()
  const launch = ['launch', '--team', 'docs', '--reset', '--quiet', '--agent', agent('good')]
  const ended = await fedOn({ code: 'ENOSPC', at: 1, match: 'sessions/.' }, launch)
  expectExplained(ended, 'fed: docs is preparing, but ')
  expect(ended.stderr).toContain("'fed launch --team docs' goes on with it")
})

test('what cannot be written can still be read', async () => {
  restore()
  for (const args of [['status', 'docs'], ['inbox', 'docs'], ['history', 'docs'], ['learnings']]) {
    expect(await fedOn({ code: 'EROFS', at: 1 }, args)).toMatchObject({ code: 0, stderr: '' })
  }
})
