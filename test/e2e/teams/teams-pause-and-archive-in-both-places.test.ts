// Proves that pausing, resuming, archiving and restoring move the lifecycle and the registry together, and
// back to the very state that was left. It fails when the two disagree, or when a state is lost on the way.
import { beforeEach, expect, test } from 'vitest'
import { fed, fedDone, newFederation } from '../../support/fed.ts'
import { statusOf } from '../../support/standing.ts'

let root: string

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain it' })
  await fedDone(root, ['report', 'mission-planned', '--team', 'docs', '--body', 'read src/app.ts'])
})

/** Leaf state and registry status after a command, which must succeed. */
async function after(...args: string[]): Promise<string> {
  await fedDone(root, args)
  const { state, status } = await statusOf(root, 'docs')
  return `${state} ${status}`
}

async function refused(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await fed(root, args)
  expect([code, stdout]).toEqual([5, ''])
  return stderr
}

test('a paused team returns to the state that it left', async () => {
  expect(await fedDone(root, ['pause', 'docs'])).toBe('docs is paused, paused in the registry\n')
  expect(await after('status', 'docs')).toBe('paused paused')
  expect(await refused('pause', 'docs')).toContain('docs is paused already')
  expect(await refused('report', 'files-read', '--team', 'docs')).toContain('paused')
  expect(await fedDone(root, ['resume', 'docs'])).toBe(
    "docs is scanning, active in the registry; no agent was started: 'fed launch --team docs' starts one\n",
  )
  expect(await refused('resume', 'docs')).toContain('docs is not paused')
})

test('whoever resumes a team without a mission is told how it gets one', async () => {
  await fedDone(root, ['onboard', 'idle'])
  await fedDone(root, ['pause', 'idle'])
  expect(await fedDone(root, ['resume', 'idle'])).toContain(
    `; it has no mission: 'fed run "<mission>" --team idle' gives it one\n`,
  )
})

test('a working team is paused before it is put away, and comes back paused', async () => {
  expect(await after('archive', 'docs')).toBe('paused archived')
  expect(await refused('archive', 'docs')).toContain('docs is archived already')
  for (const command of ['pause', 'resume']) {
    expect(await refused(command, 'docs')).toContain("docs is archived; 'fed restore docs' takes it back")
  }
  expect(await refused('launch', '--team', 'docs')).toContain("'fed restore docs'")
  expect(await refused('launch', '--team', 'docs', '--reset')).toContain("'fed restore docs'")
  expect(await refused('run', 'Explain it', '--team', 'docs')).toContain("'fed restore docs'")
  expect(await after('restore', 'docs')).toBe('paused paused')
  expect(await refused('restore', 'docs')).toContain('docs is not archived')
  expect(await after('resume', 'docs')).toBe('scanning active')
})

test('a finished team stays active until it is put away', async () => {
  await fedDone(root, ['alert', 'information-missing', '--team', 'docs', '--body', 'nothing is there'])
  expect(await after('status', 'docs')).toBe('failed active')
  expect(await refused('pause', 'docs')).toContain('docs is failed: there is nothing to pause')
  expect(await after('archive', 'docs')).toBe('failed archived')
  expect(await after('restore', 'docs')).toBe('failed active')
})

test('signals sent by hand move the registry as well', async () => {
  await fedDone(root, ['send', 'docs', '--type', 'directive', '--subject', 'Pause'])
  expect(await after('monitor')).toBe('paused paused')
  await fedDone(root, ['send', 'docs', '--type', 'directive', '--subject', 'Resume'])
  expect(await after('monitor')).toBe('scanning active')
})
