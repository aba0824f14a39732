// Proves that a command that meets a full or broken disk says what stands: each word of what was not done agrees with
// the files, and what was done although the command failed is said. Fails when a pause that was committed is told as
// one that was not sent, or when a command changes something and its error is silent about it.
import { spawnSync } from 'node:child_process'
import { closeSync, cpSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { Federation } from '../../src/federation/federation.ts'
import { agent, builtFed, fedDone, newFederation, newFolder, workspaceOf } from '../support/fed.ts'
import { fedOnDisk } from '../support/failing-disk.ts'
import { someOf, spreadOver, tries } from '../support/thorough.ts'

/** With every flush, as a user has it. */
const durable = { FED_DURABILITY: 'power' }

let root: string
const saved = new Map<string, string>()
const counted = path.join(newFolder('calls'), 'count')
const folder = () => path.join(root, '.fed')

beforeAll(async () => {
  root = await newFederation({ docs: 'Explain src/app.ts' })
  const keep = (name: string) => {
    saved.set(name, newFolder(name))
    cpSync(folder(), saved.get(name) as string, { recursive: true })
  }
  keep('working')
  await fedDone(root, ['pause', 'docs'])
  keep('paused')
  await fedDone(root, ['archive', 'docs'])
  keep('archived')
})

function restore(name: string): void {
  rmSync(folder(), { recursive: true })
  cpSync(saved.get(name) as string, folder(), { recursive: true })
}

interface Facts {
  readonly teams: readonly string[]
  readonly state: string
  readonly mission: number
  readonly isArchived: boolean
  /** Names of the signals in the teams' inboxes. */
  readonly inbox: readonly string[]
}

async function facts(): Promise<Facts> {
  const federation = new Federation(root)
  const { state, missionNumber } = (await federation.team('docs')).present()
  const { teams } = federation.registry.read()
  const inbox = teams.flatMap(({ location }) => readdirSync(path.join(location, '.fed', 'signals', 'inbox')))
  return {
    teams: teams.map(({ domainId }) => domainId),
    state,
    mission: missionNumber,
    isArchived: teams.find(({ domainId }) => domainId === 'docs')?.status === 'archived',
    inbox: inbox.filter((name) => name.endsWith('.json')).toSorted(),
  }
}

/** What a failed command says, beside what the files say. */
function expectTrue(said: string, before: Facts, now: Facts): void {
  const isSent = now.inbox.length > before.inbox.length
  const [, waiting] = /'([^']+)' was sent to \w+ and waits/.exec(said) ?? []
  const [, state, not] =
    /docs is ([\w-]+)(,? and (?:docs is )?not (?:archived|restored))?(?:, but|:)/.exec(said) ?? []
  if (said.includes('nothing was sent')) expect(isSent, said).toBe(false)
  if (/it was sent|was sent to \w+/.test(said)) expect(isSent, said).toBe(true)
  if (waiting !== undefined) expect(now.state, said).toBe(before.state)
  if (state === 'archived' || state === 'restored') expect(now.isArchived, said).toBe(state === 'archived')
  else if (state !== undefined) expect(now.state, said).toBe(state)
  if (not !== undefined) expect(now.isArchived, said).toBe(before.isArchived)
  if (said.includes('was not created')) expect(now.teams, said).toEqual(before.teams)
  if (said.includes('is onboarded')) expect(now.teams, said).toContain('api')
  const isSilent =
    !/ is [\w-]+(?: and has no mission)?, but| and (?:docs is )?not (?:archived|restored)[:,]|is committed|was sent/.test(
      said,
    )
  if (isSilent) expect(now, said).toEqual(before)
}

const commands: readonly [stand: string, ...args: string[]][] = [
  ['working', 'pause', 'docs'],
  ['paused', 'resume', 'docs'],
  ['working', 'send', 'docs', '--type', 'question', '--subject', 'Which port?'],
  ['working', 'report', 'mission-planned', '--team', 'docs', '--body', 'src/app.ts'],
  ['working', 'alert', 'information-missing', '--team', 'docs', '--body', 'There is none'],
  ['working', 'archive', 'docs'],
  ['archived', 'restore', 'docs'],
  ['working', 'onboard', 'api', '--archetype', 'deliverable', '--mission', 'Explain'],
]

describe('a full or broken disk', () => {
  test.each(someOf(commands, 3))('from %s: fed %s %s', async (stand, ...args) => {
    restore(stand)
    expect(await fedOnDisk(root, { log: counted }, args, durable)).toMatchObject({ code: 0 })
    for (const at of spreadOver(Number(readFileSync(counted, 'utf8')), tries(6))) {
      for (const once of [false, true]) {
        restore(stand)
        const before = await facts()
        const { code, stderr } = await fedOnDisk(
          root,
          { code: once ? 'EIO' : 'ENOSPC', at, once },
          args,
          durable,
        )
        if (code === 0) continue
        expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/^fed: [^\n]+\n$/) })
        expectTrue(stderr, before, await facts())
      }
    }
  })

  test('after a pause that was committed says that the team is paused', async () => {
    restore('working')
    // the directive and the commit find room, the report of it does not
    const trouble = { code: 'ENOSPC', at: 1, match: path.join('docs', '.fed', 'signals', 'outbox') }
    const { code, stderr } = await fedOnDisk(root, trouble, ['pause', 'docs'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^fed: docs is paused, but \S+: no space is left on the device \(ENOSPC, \w+\); /)
    expect(stderr).toMatch(/free some space, and whatever steps docs next finishes what follows from that\n$/)
    expect(await facts()).toMatchObject({ state: 'paused' })
    await fedDone(root, ['monitor', '--json']).catch(() => undefined)
    expect(JSON.parse(await fedDone(root, ['status', 'docs', '--json']))).toMatchObject({ status: 'paused' })
  })
})

test('a mission that was given and not noted as awaited is said to be given', async () => {
  restore('working')
  const trouble = { code: 'ENOSPC', at: 1, match: path.join('docs', '.fed', '.') }
  const run = ['run', 'Explain src/app.ts', '--team', 'docs', '--quiet', '--agent', agent('good')]
  const { code, stderr } = await fedOnDisk(root, trouble, run)
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^fed: docs has its mission, but .+\(ENOSPC, .+'fed launch --team docs' works on it\n$/,
    ),
  ])
})

const speaker = fileURLToPath(new URL('../agents/acp.mjs', import.meta.url))

test.each([
  ['that prints its words', `sh -c 'echo words; exec sleep 60'`],
  ['that is talked to', `acp:'${process.execPath}' '${speaker}' good`],
])('an agent %s is ended when its log finds no room, and the next one goes on', async (_, words) => {
  restore('working')
  const trouble = { code: 'ENOSPC', at: 2, match: '1-1.log' }
  const launch = ['launch', '--team', 'docs', '--quiet', '--agent']
  const { code, stderr } = await fedOnDisk(root, trouble, [...launch, words])
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^fed: docs is [\w-]+, but \S+1-1\.log: no space .+'fed launch --team docs' goes on with it\n$/,
    ),
  ])
  const end = path.join(workspaceOf(root, 'docs'), '.fed', 'sessions', '1-1.end.json')
  expect(JSON.parse(readFileSync(end, 'utf8'))).toMatchObject({ cause: 'error' })
  await fedDone(root, [...launch, agent('good')])
})

test('skills of one team that find no space hide nothing of the others', async () => {
  restore('working')
  for (const dir of [root, workspaceOf(root, 'docs')])
    rmSync(path.join(dir, '.fed', 'skills'), { recursive: true })
  const trouble = { code: 'ENOSPC', at: 1, match: path.join('docs', '.fed', 'skills') }
  const { code, stdout } = await fedOnDisk(root, trouble, ['skills', 'sync', '--all', '--json'])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject([
    { team: 'meta', skills: expect.arrayContaining([expect.objectContaining({ action: 'installed' })]) },
    { team: 'docs', error: expect.stringContaining('no space is left on the device (ENOSPC, ') },
  ])
})

test.skipIf(!existsSync('/dev/full'))(
  'a result that cannot be printed is said, and what was done stands',
  async () => {
    const own = await newFederation({ docs: undefined })
    const full = openSync('/dev/full', 'w')
    const send = ['send', 'docs', '--type', 'report', '--subject', 'Ports are open']
    const stdio = ['ignore', full, 'pipe'] as const
    const { status, stderr } = spawnSync(process.execPath, [builtFed, ...send], {
      cwd: own,
      stdio: [...stdio],
    })
    closeSync(full)
    expect([status, String(stderr)]).toEqual([
      1,
      expect.stringMatching(/^fed: the result could not be printed \(ENOSPC/),
    ])
    expect(new Federation(own).mailbox('docs').unacknowledged()).toHaveLength(1)
  },
)
