// An agent of a team that only reads is watched: when the codebase changed while it worked, the team pauses, the
// patch is kept, and meta is asked, also when its launcher was killed; a change that no reader made in the codebase
// itself is none.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import { agent, fed, fedDone, fedJson, newFederation, startFed, workspaceOf } from '../../support/fed.ts'
import { mailOf, statusOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'

const sessions = (root: string) => path.join(workspaceOf(root, 'docs'), '.fed', 'sessions')
/** Nothing keeps the agent from writing. */
const launchWatched = ['launch', '--team', 'docs', '--confinement', 'off']
const patchOf = (root: string, number = 1) => path.join(sessions(root), `1-${number}.changes.patch`)

test('a reader that writes in the middle: paused, asked, and nothing undone; then it goes on', async () => {
  const root = await newFederation({ docs: 'Document the source' })
  const launched = await fed(root, [
    ...[...launchWatched, '--max-sessions', '1'],
    ...['--agent', agent('writing', 'src/app.ts', 'scanning')],
  ])
  expect(launched).toMatchObject({ code: 5, stdout: '' })
  const [said] = launched.stderr.split('\n').filter((line) => line.startsWith('fed: '))
  expect(said).toContain(`(M src/app.ts)`)
  expect(said).toContain(patchOf(root))
  expect(said).toContain("'fed resume docs'")
  expect(readFileSync(patchOf(root), 'utf8')).toMatch(/^# M src\/app\.ts\n[^]*\n\+\/\/ written by an agent/)
  expect(readFileSync(path.join(root, 'src', 'app.ts'), 'utf8')).toContain('written by an agent')
  expect(await fedJson(root, ['status', 'docs'])).toMatchObject({
    state: 'paused',
    status: 'paused',
    pause: expect.stringContaining(`who did it is not known; the patch is in ${patchOf(root)}`),
  })
  const mail = await mailOf(root, 'meta')
  expect(mail.filter(({ type }) => type === 'question')).toMatchObject([
    { subject: 'Codebase changed during a session', body: expect.stringContaining('- M src/app.ts') },
  ])
  expect(existsSync(path.join(workspaceOf(root, 'docs'), '.fed', 'codebase'))).toBe(false)

  // agents can write where a fingerprint is remembered
  const lie = {
    format: 'fed-codebase-1',
    head: '',
    branch: '',
    index: '',
    rules: {},
    tree: '--output=src/app.ts',
    opaque: {},
    inside: {},
  }
  for (const [name, memory] of Object.entries({ '1-1': JSON.stringify(lie), '1-1.99999999': '{"head":' })) {
    const folder = path.join(workspaceOf(root, 'docs'), '.fed', 'codebase', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'before.json'), memory)
  }
  await fedDone(root, ['resume', 'docs'])
  await fedDone(root, ['launch', '--team', 'docs', '--agent', agent('good')])
  expect(readFileSync(path.join(root, 'src', 'app.ts'), 'utf8')).toContain('written by an agent')
  expect(existsSync(path.join(workspaceOf(root, 'docs'), '.fed', 'codebase'))).toBe(false)
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete' })
  expect(existsSync(patchOf(root, 2))).toBe(false)
})

test('one that wrote after its document: the mission stays as it ended, and meta is alerted', async () => {
  const root = await newFederation({ docs: 'Document the source' })
  const launched = await fed(root, [...launchWatched, '--agent', agent('writing', 'notes.md', 'complete')])
  expect(launched.code).toBe(0)
  expect(launched.stderr).toContain('the codebase changed meanwhile: A notes.md')
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete' })
  const mail = await mailOf(root, 'meta')
  expect(mail.filter(({ type }) => type === 'alert')).toHaveLength(1)
})

test('one that wrote before its launcher was killed: the next launch finds it, and asks', async () => {
  const root = await newFederation({ docs: 'Document the source' })
  const writing = ['--agent', agent('writing', 'src/app.ts', 'scanning', 'stays')]
  const launcher = startFed(root, [...launchWatched, ...writing])
  const file = path.join(root, 'src', 'app.ts')
  await until('its edit', () => readFileSync(file, 'utf8').includes('written by'))
  launcher.kill('SIGKILL')
  await launcher.ended
  const next = [...launchWatched, '--agent', agent('good')]
  const { code, stderr } = await fed(root, next)
  expect([code, stderr]).toEqual([5, expect.stringContaining('its launcher was killed')])
  expect(readFileSync(patchOf(root), 'utf8')).toMatch(/^# M src\/app\.ts\n/)
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'paused' })
  await fedDone(root, ['resume', 'docs'])
  await fedDone(root, next)
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete' })
})

test('the person may say that it was the agent, which ends the mission', async () => {
  const root = await newFederation({ docs: 'Document the source' })
  await fed(root, [...launchWatched, '--agent', agent('writing', 'src/app.ts', 'scanning')])
  await fedDone(root, ['alert', 'codebase-modified', '--team', 'docs', '--body', 'it edited app.ts'])
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'failed' })
})

test('a codebase that is dirty from the start, what git ignores and other worktrees are no change', async () => {
  const root = await newFederation({ docs: 'Document the source' })
  writeFileSync(path.join(root, 'draft.txt'), 'mine\n')
  appendFileSync(path.join(root, 'src', 'app.ts'), '// mine\n')
  writeFileSync(path.join(root, '.gitignore'), 'out/\n')
  mkdirSync(path.join(root, 'out'))
  git(root, 'add', 'draft.txt')
  const launched = await fed(root, [...launchWatched, '--agent', agent('writing', 'out/log.txt')])
  expect(launched.code).toBe(0)
  expect(launched.stderr).not.toContain('codebase changed')
})

test('a coding team may write', async () => {
  const root = await newFederation()
  await fedDone(root, ['onboard', 'api', '--archetype', 'coding', '--mission', 'Add a port'])
  const launched = await fed(root, [
    ...['launch', '--team', 'api', '--max-sessions', '1'],
    ...['--agent', agent('writing', 'src/app.ts')],
  ])
  expect(launched.stderr).not.toContain('codebase changed')
})
