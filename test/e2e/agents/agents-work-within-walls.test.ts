// The real coding agents finish a deliverable, a coding and a consultant mission within walls, with all freedom that
// their programs have, and a model that plays from a script behind them: their shell renews their credentials, writes
// no settings, reads nothing of other agents, installs from the registry, tests and commits. It fails when a program
// stumbles over the walls, or finds a gap in them. `npm run test:agents` installs the agents; else nothing is tried.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import { ownThingsOf } from '../../../src/agents/drivers/presets.ts'
import { fed, fedDone, fedJson, newFederation } from '../../support/fed.ts'
import { digestOf } from '../../support/digest-of.ts'
import { goodDeliverable } from '../../support/good-deliverable.ts'
import { startRegistry, type PackageRegistry } from '../../support/package-registry.ts'
import { environmentFor, realAgent, startModel } from '../../support/real-agents.ts'
import { statusOf } from '../../support/standing.ts'
import { hasWalls } from '../../support/walls.ts'

const there = ['claude', 'copilot', 'codex', 'gemini', 'opencode'].filter(
  (name) => realAgent(name) !== undefined,
)
const slow = 240_000
const inside = fileURLToPath(new URL('../../agents/inside.mjs', import.meta.url))

/** Where each keeps its credentials: in a home within walls, and in the one of `environmentFor`. */
const credentials: Readonly<Record<string, readonly [inside: string, outside: string]>> = {
  claude: ['.claude/.credentials.json', '.claude/.credentials.json'],
  copilot: ['.copilot/session-tokens.json', '.copilot/session-tokens.json'],
  codex: ['.codex/auth.json', '.codex/auth.json'],
  gemini: ['.gemini/oauth_creds.json', '.gemini/oauth_creds.json'],
  opencode: ['.local/share/opencode/auth.json', '.data/opencode/auth.json'],
}

/** What decides what an agent's program runs and may do, in a home within walls and outside. */
const settledOf = (agent: string) =>
  (ownThingsOf(agent)?.folders ?? []).flatMap(({ at, base, settled }) => {
    const outside = base === 'XDG_DATA_HOME' ? at.replace('.local/share', '.data') : at
    // what is made beside a person's settings there is the session's own, and does not reach the folder outside
    if (settled === 'all') return [{ inside: path.join(at, 'opencode.json'), outside }]
    return Object.keys(settled).map((name) => ({
      inside: path.join(at, name),
      outside: path.join(outside, name),
    }))
  })

/** One call of the shell, under the name and with the words that each agent has for it. */
const shell = (command: string): object[] => [
  { tool: 'Bash', input: { command, description: 'work' } },
  { tool: 'bash', input: { command, description: 'work' } },
  { tool: 'exec_command', input: { cmd: command, yield_time_ms: 60_000 } },
  { tool: 'run_shell_command', input: { command, description: 'work' } },
]

/** One call of a tool of fed's, by its command for gemini, which has none within walls. */
const report = (subject: string, body = ''): object[] => [
  { tool: 'report', input: { subject, body } },
  {
    tool: 'run_shell_command',
    input: { command: `fed report ${subject} --body '${body}'`, description: '' },
  },
]
const learn: readonly object[] = [
  { tool: 'learn', input: { content: 'the answer is a constant', category: 'pattern' } },
  {
    tool: 'run_shell_command',
    input: { command: "fed learn --category pattern 'the answer is a constant'", description: 'learn' },
  },
]

const missions = {
  deliverable: {
    state: 'complete',
    script: [
      ...report('mission-planned', 'read src/app.ts'),
      ...learn,
      ...report('files-read'),
      ...report('patterns-identified', 'there is one constant'),
      // some refuse what only looks like code in a text
      ...shell(
        `echo ${Buffer.from(goodDeliverable).toString('base64')} | base64 -d > "$FED_WORKSPACE/deliverable.md"`,
      ),
      ...report('document-written'),
    ],
  },
  coding: {
    state: 'pr-open',
    script: [
      ...report('plan-ready', 'a port'),
      ...shell('echo 8080 > port.txt && git add port.txt && git commit -q -m Port'),
      ...report('changes-committed'),
      ...shell("fed report tests-passed --run 'npm test'"),
      ...report('pr-opened', 'https://code.example/shop/pull/1'),
    ],
  },
  consultant: {
    state: 'ready',
    script: [
      ...report('domain-mapped', 'src/app.ts'),
      ...learn,
      ...report('index-built'),
      ...report('answer', 'It is 42'),
    ],
  },
} as const

describe.skipIf(there.length === 0 || !hasWalls).each(
  // one that is passed over, where there is none
  there.length === 0 ? ['no agent'] : there,
)('%s works within walls', (agent) => {
  let registry: PackageRegistry
  /** One that nobody named. */
  let other: PackageRegistry
  let root: string
  let env: Record<string, string>
  const home = (name: string) => path.join(env.HOME as string, name)
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(home(name)), { recursive: true })
    writeFileSync(home(name), text)
  }
  const [credentialsInside, credentialsOutside] = (credentials[agent] ?? []) as readonly [string, string]

  beforeAll(async () => {
    ;[registry, other] = await Promise.all([startRegistry(), startRegistry()])
    root = await newFederation()
    for (const [name, text] of Object.entries(registry.project)) writeFileSync(path.join(root, name), text)
    git(root, 'add', '.')
    git(root, 'commit', '--quiet', '--message', 'A project')
  })
  afterAll(() => [registry, other].forEach((one) => one.stop()))

  test.each(Object.keys(missions) as (keyof typeof missions)[])(
    'on a %s mission, and reaches nothing but what it was given',
    async (archetype) => {
      const { state, script } = missions[archetype]
      const orders = path.join(root, '.fed', 'orders.json')
      const notes = (workspace: string) => path.join(workspace, 'notes.json')
      const model = await startModel({
        script: [...shell(`node ${inside} ${orders} "$FED_WORKSPACE/notes.json"`), ...script],
      })
      env = environmentFor(model.url)
      // a provider that stands in a program's own settings is known to nobody else
      const confinement = { hosts: [registry.url, model.url].map((url) => new URL(url).host) }
      writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify({ confinement }))
      await fedDone(root, ['trust', '--yes'], { env })
      for (const [, outside] of Object.values(credentials)) put(outside, '{}')
      put('.ssh/id_ed25519', 'a key')
      const others = Object.entries(credentials).flatMap(([name, [file]]) => (name === agent ? [] : [file]))
      const settled = settledOf(agent)
      const before = settled.map(({ outside }) => settledText(home(outside)))
      writeFileSync(
        orders,
        JSON.stringify({
          ...{ refresh: credentialsInside, text: '{"renewed":true}', isReader: archetype !== 'coding' },
          ...{ settled: settled.map((one) => one.inside), closed: [...others, '.ssh/id_ed25519'] },
          mark: '.cache/mark',
          shut: other.url,
        }),
      )
      await fedDone(root, ['onboard', archetype, '--archetype', archetype, '--mission', 'The answer'])
      if (archetype === 'consultant')
        await fedDone(root, ['send', archetype, '--type', 'question', '--subject', 'What is it?'])
      const launch = ['launch', '--team', archetype, '--agent', agent, '--max-sessions', '2']
      const fetched = registry.fetched()
      const launched = await fed(root, [...launch, '--confinement', 'on', '--timeout', '200s'], { env })
      model.stop()

      const { workspace, state: reached } = await statusOf(root, archetype)
      expect([launched.stderr, reached]).toEqual([expect.any(String), state])
      const noted = JSON.parse(readFileSync(notes(workspace), 'utf8')) as Record<string, unknown>
      expect(noted).toEqual({
        refreshed: 'done',
        settled: Object.fromEntries(settled.map((one) => [one.inside, expect.not.arrayContaining(['done'])])),
        closed: [...others, ''].map(() => 'ENOENT'),
        marked: 'done',
        installed: 'done',
        tested: 'done',
        asked: 'refused',
      })
      expect(registry.fetched()).toBe(fetched + 1)
      expect(readFileSync(home(credentialsOutside), 'utf8')).toBe('{"renewed":true}')
      const after = settled.map(({ outside }) => settledText(home(outside)))
      expect(after.map((text, index) => (before[index] === undefined ? undefined : text))).toEqual(before)
      const record = path.join(workspace, '.fed', 'sessions', '1-1.json')
      expect(JSON.parse(readFileSync(record, 'utf8'))).toMatchObject({ open: null })
      if (archetype === 'coding') expect(git(workspace, 'log', '--format=%s', '-1')).toBe('Port')
      expect(await fedJson(root, ['history', archetype])).not.toContainEqual(
        expect.objectContaining({ outcome: 'refused' }),
      )
    },
    slow,
  )
})

/** What a file holds, or what tells a folder with all that is in it from a changed one; undefined for nothing. */
function settledText(place: string): string | undefined {
  if (!existsSync(place)) return undefined
  return statSync(place).isDirectory() ? digestOf(place) : readFileSync(place, 'utf8')
}
