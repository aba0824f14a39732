// Proves that `fed doctor` names each problem with its file and a remedy, tells scripts by its exit code, and
// works where no other command does. It fails when damage stops it, or something wrong ends with exit code 0.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import { fed, newFederation, newFolder, newRepository, workspaceOf } from '../../support/fed.ts'
import { someOf } from '../../support/thorough.ts'

interface Diagnosis {
  readonly root: string
  readonly healthy: boolean
  readonly summary: { readonly errors: number; readonly warnings: number; readonly notes: number }
  readonly fixed: readonly { readonly area: string; readonly where?: string; readonly message: string }[]
  readonly findings: readonly {
    readonly severity: string
    readonly area: string
    readonly where?: string
    readonly message: string
    readonly fix?: string
    readonly repairable: boolean
  }[]
}

let root: string
let registry: string
let config: string

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain it' })
  registry = path.join(root, '.fed', 'team-registry.json')
  config = path.join(root, 'federate.config.json')
})

async function diagnose(cwd: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await fed(cwd, ['doctor', '--json', ...args], { env })
  expect(stderr).toBe('')
  return { code, diagnosis: JSON.parse(stdout) as Diagnosis }
}

test('where nothing is wrong it says so, and every area is shown', async () => {
  const { code, stdout, stderr } = await fed(root, ['doctor'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^nothing is wrong; \d+ notes?$/)
  for (const shown of ['node 2', 'git 2', 'lockVersion', 'agentCommand: fed-agent', 'telemetry     off'])
    expect(stdout).toContain(shown)
  expect(await fed(root, ['doctor', '--quiet'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^nothing is wrong.*\n$/),
  })
  const { diagnosis } = await diagnose(root)
  expect(diagnosis).toMatchObject({ root, healthy: true, summary: { errors: 0, warnings: 0 }, fixed: [] })
})

test('without a federation it ends with 4', async () => {
  for (const dir of [newFolder('nothing'), newRepository()]) {
    const { code, stdout, stderr } = await fed(dir, ['doctor'])
    expect([code, stdout, stderr]).toEqual([4, '', expect.stringContaining("set one up with 'fed init'")])
  }
})

test('a fresh clone with nothing but the configuration is fine', async () => {
  const clone = newRepository()
  writeFileSync(path.join(clone, 'federate.config.json'), '{}')
  const { code, diagnosis } = await diagnose(clone, ['--fix'])
  expect(diagnosis.findings.filter(({ area }) => area === 'registry')).toMatchObject([{ severity: 'note' }])
  expect([code, diagnosis.summary.errors]).toEqual([0, 0])
})

test('problems come first, each with what to do, and a repair is told', async () => {
  writeFileSync(registry, '{')
  rmSync(path.join(workspaceOf(root, 'docs'), '.fed', 'skills', 'domain-playbook.md'))
  const { code, stdout } = await fed(root, ['doctor'])
  expect(code).toBe(1)
  const [first, remedy, second] = stdout.split('\n')
  expect(first).toMatch(/^✗ registry +\.fed\/team-registry\.json: it is damaged: not JSON/)
  expect(remedy).toMatch(/^ +→ it can be written from version 2; .*'fed doctor --fix' does that$/)
  expect(second).toMatch(/^! skills/)
  expect(stdout.trimEnd()).toMatch(/\n1 error, 1 warning; \d notes?; 'fed doctor --fix' repairs 2 of them$/)

  const fixed = await fed(root, ['doctor', '--fix', '--quiet'])
  expect(fixed.code).toBe(0)
  expect(fixed.stdout.split('\n').filter((line) => line.startsWith('+ '))).toEqual([
    expect.stringMatching(
      /^\+ registry +\.fed\/team-registry\.json: written .* kept as team-registry\.json\.damaged-/,
    ),
    expect.stringMatching(/^\+ skills +.*domain-playbook\.md: installed/),
  ])
  expect((await fed(root, ['status', 'docs'])).code).toBe(0)
})

test('from inside of a workspace whose own files are damaged, or whose registry is', async () => {
  const workspace = workspaceOf(root, 'docs')
  const identity = path.join(workspace, '.fed', 'team.json')
  const good = readFileSync(registry, 'utf8')
  writeFileSync(registry, '{}')
  expect((await diagnose(workspace)).diagnosis).toMatchObject({ root, healthy: false })
  writeFileSync(registry, good)
  rmSync(identity)
  writeFileSync(identity, 'x')
  const { code, diagnosis } = await diagnose(workspace, ['--fix'])
  expect([code, diagnosis.root]).toEqual([0, root])
  expect(diagnosis.fixed).toMatchObject([{ area: 'teams', where: identity }])
})

test('a federation whose published registry and configuration are gone is found by its versions', async () => {
  rmSync(registry)
  rmSync(config)
  const { code, diagnosis } = await diagnose(root, ['--fix'])
  expect([code, diagnosis.fixed.map(({ where }) => where)]).toEqual([0, [registry]])
})

describe('what is wrong is named', () => {
  const ofArea = (diagnosis: Diagnosis, area: string) =>
    diagnosis.findings.filter((finding) => finding.area === area && finding.severity !== 'ok')

  test('every field of the configuration, and the rest is examined all the same', async () => {
    writeFileSync(config, '{"colour": 1, "playbookSkill": "../x", "telemetry": {"enabled": "yes"}}')
    const { code, diagnosis } = await diagnose(root)
    expect(code).toBe(1)
    const messages = ofArea(diagnosis, 'configuration').map(({ message }) => message)
    for (const field of ['colour', 'playbookSkill', 'telemetry.enabled'])
      expect(messages).toContainEqual(expect.stringMatching(`^${field}: `))
    expect(diagnosis.findings).toContainEqual(expect.objectContaining({ area: 'lifecycles', severity: 'ok' }))
  })

  test.each(
    someOf<[string, string, Record<string, unknown>, Record<string, string>, RegExp]>(
      [
        [
          'an agent that is not installed',
          'agents',
          { agentCommand: 'no-such-agent -x' },
          {},
          /no program 'no-such-agent'/,
        ],
        [
          'a schema that is not there',
          'configuration',
          { deliverableSchema: 'x.json' },
          {},
          /there is no such file/,
        ],
        [
          'a hook that is not there',
          'configuration',
          { importHook: 'x.ts' },
          {},
          /importHook: there is no such file/,
        ],
        [
          'a durability that is none',
          'environment',
          {},
          { FED_DURABILITY: 'full' },
          /'full', which means nothing/,
        ],
        [
          'a telemetry setting that is none',
          'configuration',
          {},
          { FED_TELEMETRY_ENABLED: 'maybe' },
          /neither true nor false/,
        ],
        [
          'a program that is missing',
          'git',
          {},
          { PATH: newFolder('no-programs') },
          /there is no git on the PATH/,
        ],
      ],
      4,
    ),
  )('%s', async (_, area, settings, env, message) => {
    writeFileSync(config, JSON.stringify(settings))
    const { code, diagnosis } = await diagnose(root, [], env)
    expect(ofArea(diagnosis, area)).toContainEqual(
      expect.objectContaining({
        severity: expect.stringMatching(/error|warning/),
        message: expect.stringMatching(message),
        fix: expect.any(String),
      }),
    )
    expect(code).toBe(1)
  })

  test('files of .fed that git tracks', async () => {
    git(root, 'add', '--force', '.fed/team-registry.json')
    const { code, diagnosis } = await diagnose(root, ['--fix'])
    expect([code, ofArea(diagnosis, 'git').map(({ where }) => where)]).toEqual([1, [registry]])
  })

  test('what waits, and what lies in quarantine, as notes', async () => {
    const signals = path.join(workspaceOf(root, 'docs'), '.fed', 'signals')
    const old = {
      id: '6f1c1d9e-1f5f-4d5b-9d52-3a0d2f1d4c11',
      timestamp: '2026-01-01T00:00:00Z',
      ...{ from: 'meta', to: 'docs', type: 'report', subject: 'Old', body: '', protocol: 'file-signal-v1' },
    }
    writeFileSync(path.join(signals, 'inbox', 'old.json'), JSON.stringify(old))
    mkdirSync(path.join(signals, 'quarantine'), { recursive: true })
    for (let count = 0; count < 8; count += 1)
      writeFileSync(path.join(signals, 'quarantine', `${count}-x.json`), 'x')
    const { code, diagnosis } = await diagnose(root)
    const messages = ofArea(diagnosis, 'mail').map(({ message }) => message)
    expect(messages).toContainEqual(expect.stringContaining('1 signal waits for more than an hour'))
    expect(messages).toContain('docs: 3 more in quarantine')
    expect(code).toBe(0)
  })
})
