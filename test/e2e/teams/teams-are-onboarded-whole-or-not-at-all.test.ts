// Proves that a team is there whole or not at all, whatever goes wrong on the way. It fails when a failed
// onboarding leaves a trace, a killed one stays in the way, or two at once make two teams or lose a file.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import { git } from '../../../src/platform/git/git.ts'
import { identify, type ProcessIdentity } from '../../../src/platform/process/process-identity.ts'
import type { RegistryEntry } from '../../../src/index.ts'
import {
  builtFed,
  fed,
  fedDone,
  fedJson,
  newFederation,
  newFolder,
  newRepository,
  startFed,
  workspaceOf,
} from '../../support/fed.ts'
import { statusOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'

const onboard = (domain: string, archetype = 'deliverable') => ['onboard', domain, '--archetype', archetype]
const teamsOf = (root: string) => readdirSync(path.join(root, '.fed', 'teams'))
const registryOf = (root: string) => path.join(root, '.fed', 'team-registry.json')
const registered = (root: string) =>
  (JSON.parse(readFileSync(registryOf(root), 'utf8')) as { teams: RegistryEntry[] }).teams

test('a team of which nobody says what it shall be is a deliverable team', async () => {
  const root = await newFederation()
  expect(await fedJson<RegistryEntry>(root, ['onboard', 'docs'])).toMatchObject({
    archetypeId: 'deliverable',
    location: workspaceOf(root, 'docs'),
  })
  const { actor } = await new Federation(root).onboard({ domain: 'web' })
  expect(actor.archetype).toBe('deliverable')
})

test('a new team has its workspace, its skills and its entry', async () => {
  const root = await newFederation()
  const entry = await fedJson<RegistryEntry>(root, onboard('docs'))
  expect(entry).toEqual({
    domain: 'docs',
    domainId: 'docs',
    archetypeId: 'deliverable',
    placementType: 'directory',
    onboardedAt: expect.stringMatching(/Z$/),
    location: workspaceOf(root, 'docs'),
    status: 'active',
  })
  expect(registered(root)).toEqual([entry])
  expect(teamsOf(root)).toEqual(['docs'])
  expect(readdirSync(path.join(entry.location, '.fed', 'skills')).toSorted()).toEqual([
    '.original',
    'diagram-tools.md',
    'documentation-standards.md',
    'domain-playbook.md',
    'report-templates.md',
  ])
})

describe('a coding team', () => {
  test('lives in a worktree on a branch of its own', async () => {
    const root = await newFederation()
    const { location } = await fedJson<RegistryEntry>(root, onboard('api', 'coding'))
    expect(location).toBe(path.join(root, '.fed', 'worktrees', 'api'))
    expect(git(location, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('fed/api')
    expect(existsSync(path.join(location, 'src', 'app.ts'))).toBe(true)
    expect(git(location, 'status', '--porcelain')).toBe('')
  })

  test('needs a commit to start from', async () => {
    const root = newRepository('empty')
    await fedDone(root, ['init'])
    const { code, stderr } = await fed(root, onboard('api', 'coding'))
    expect([code, stderr]).toEqual([2, expect.stringContaining('commit something first')])
    expect(registered(root)).toEqual([])
  })

  test('whose folder was deleted by hand can be onboarded again on its branch', async () => {
    const root = await newFederation()
    const { location } = await fedJson<RegistryEntry>(root, onboard('api', 'coding'))
    git(location, 'commit', '--quiet', '--allow-empty', '--message', 'Work')
    const work = git(location, 'rev-parse', 'HEAD')
    rmSync(location, { recursive: true })
    rmSync(path.join(root, '.fed', 'team-registry.json'))
    rmSync(path.join(root, '.fed', 'team-registry.d'), { recursive: true })
    await fedDone(root, onboard('api', 'coding'))
    expect(git(location, 'rev-parse', 'HEAD')).toBe(work)
  })
})

describe('a failure leaves no trace', () => {
  test('of a registry that is not valid', async () => {
    const root = await newFederation()
    writeFileSync(registryOf(root), JSON.stringify({ lastUpdated: 'yesterday', lockVersion: 1.5, teams: [] }))
    const { code, stderr } = await fed(root, onboard('docs'))
    expect(code).toBe(2)
    expect(stderr).toMatch(/lastUpdated: is not an ISO 8601 timestamp\n.*lockVersion: is not an integer/)
    expect(teamsOf(root)).toEqual([])
  })

  test('of a file in the way', async () => {
    const root = await newFederation()
    writeFileSync(workspaceOf(root, 'docs'), 'mine')
    const { code, stderr } = await fed(root, onboard('docs'))
    expect([code, stderr]).toEqual([2, expect.stringContaining('is in the way: it must be a folder')])
    expect(readFileSync(workspaceOf(root, 'docs'), 'utf8')).toBe('mine')
    expect(registered(root)).toEqual([])
    rmSync(path.join(root, '.fed', 'teams'), { recursive: true })
    writeFileSync(path.join(root, '.fed', 'teams'), 'mine')
    const second = await fed(root, onboard('docs'))
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringMatching(/^fed: team 'docs' was not created: /),
    ])
    expect(registered(root)).toEqual([])
  })

  test('of skills that are missing, in a folder or a worktree', async () => {
    const installed = newFolder('package')
    const repository = path.dirname(path.dirname(builtFed))
    cpSync(path.join(repository, 'dist'), path.join(installed, 'dist'), { recursive: true })
    cpSync(path.join(repository, 'package.json'), path.join(installed, 'package.json'))
    const program = path.join(installed, 'dist', 'fed.js')
    const root = await newFederation()
    for (const archetype of ['deliverable', 'coding']) {
      const { code, stdout, stderr } = await fed(root, onboard('docs', archetype), { program })
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        expect.stringMatching(/^fed: team 'docs' was not created: .*\.md: it is missing/),
      ])
    }
    expect(registered(root)).toEqual([])
    expect(teamsOf(root)).toEqual([])
    expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1)
    expect(git(root, 'branch', '--list', 'fed/*')).toBe('')
    await fedDone(root, onboard('docs'))
  })
})

describe('what a kill left', () => {
  /** A federation in which a team was made but not yet registered. */
  async function killedBeforeRegistration(): Promise<string> {
    const root = await newFederation({ docs: 'Explain it' })
    rmSync(registryOf(root))
    rmSync(path.join(root, '.fed', 'team-registry.d'), { recursive: true })
    return root
  }

  test('is adopted as it is', async () => {
    const root = await killedBeforeRegistration()
    await fedDone(root, onboard('docs'))
    expect(await statusOf(root, 'docs')).toMatchObject({ mission: { subject: 'Explain it' } })
    expect(readdirSync(workspaceOf(root, 'docs'))).toEqual(['.fed'])
  })

  test('is kept aside when it was meant to be another kind of team', async () => {
    const root = await killedBeforeRegistration()
    await fedDone(root, onboard('docs', 'consultant'))
    expect(await statusOf(root, 'docs')).toMatchObject({ archetype: 'consultant', mission: null })
    const [aside] = readdirSync(workspaceOf(root, 'docs')).filter((name) => name.endsWith('.aside'))
    expect(existsSync(path.join(workspaceOf(root, 'docs'), String(aside), '.fed', 'team.json'))).toBe(true)
  })

  test('half made is swept, once its process does not run any more', async () => {
    const root = await newFederation()
    const teams = path.join(root, '.fed', 'teams')
    mkdirSync(path.join(teams, '.docs.tmp', '.fed'), { recursive: true })
    mkdirSync(path.join(teams, 'docs'))
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const { pid, started } = identify(holder.pid as number) as ProcessIdentity
    writeFileSync(path.join(teams, '.docs.onboarding.7'), `fed-claim-1 ${pid} ${started}\n`)
    // what it makes last before it looks whether somebody else is at it
    const last = path.join(root, '.git', 'info', 'exclude')
    rmSync(last)
    const onboarding = startFed(root, onboard('docs'))
    await until('the look', () => existsSync(last))
    expect(registered(root)).toEqual([])
    holder.kill('SIGKILL')
    expect((await onboarding.ended).code).toBe(0)
    expect(teamsOf(root)).toEqual(['docs'])
  })
})

test.each(['deliverable', 'coding'])('of two at once one wins: %s', async (archetype) => {
  const root = await newFederation()
  for (const domain of ['one', 'two', 'three']) {
    const both = await Promise.all([
      fed(root, [...onboard(domain, archetype), '--mission', 'Explain it']),
      fed(root, [...onboard(domain, archetype), '--mission', 'Explain it']),
    ])
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 2])
    expect(both.find(({ code }) => code === 2)?.stderr).toMatch(/exists already/)
    expect(await statusOf(root, domain)).toMatchObject({
      mission: { subject: 'Explain it' },
      instructions: [],
    })
    const left = readdirSync(registered(root).at(-1)?.location ?? '')
    expect(left.filter((name) => name.endsWith('.aside'))).toEqual([])
  }
  expect(registered(root).map(({ domain }) => domain)).toEqual(['one', 'two', 'three'])
  expect(teamsOf(root).filter((name) => name.startsWith('.'))).toEqual([])
})
