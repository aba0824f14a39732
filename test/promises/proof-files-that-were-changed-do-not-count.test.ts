// Proves that a record by which work is proved counts only as fed wrote it: a test run, a result of a check and a
// session's record that somebody edited, or wrote himself, are found, and move no team. It fails when one exit code
// that was replaced in a file lets a team pass, or when the doctor has nothing to say of it.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Federation } from '../../src/federation/federation.ts'
import { configure, nodeCommand } from '../support/checks.ts'
import { codingTeam } from '../support/coding-team.ts'
import { agent, fed, fedDone, newFederation, newFolder, workspaceOf } from '../support/fed.ts'
import { trust } from '../support/allow-everything.ts'

/** Edits a file that agents may not write by its mode, as who owns it can. */
function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(file, 'utf8')
  const after = change(before)
  expect(after).not.toBe(before)
  execFileSync('chmod', ['u+w', file])
  writeFileSync(file, after)
}

const doctor = async (root: string) => (await fed(root, ['doctor'])).stdout
const found = 'fed did not write it like that on this machine'

/** A team tells by a signal alone that its tests passed; what became of that. */
async function told(root: string) {
  const team = await new Federation(root).team('api')
  return (await team.tell({ type: 'report', subject: 'tests-passed' })).entry?.outcome
}

const runsOf = (workspace: string) => path.join(workspace, '.fed', 'test-runs.jsonl')

test.each([
  ['edited', (line: string) => line.replace('"exitCode":1', '"exitCode":0')],
  [
    'edited and without its seal',
    (line: string) => line.replace('"exitCode":1', '"exitCode":0').replace(/,"seal":"\w+"/, ''),
  ],
  [
    'edited, with a seal of zeros',
    (line: string) =>
      line.replace('"exitCode":1', '"exitCode":0').replace(/"seal":"\w+"/, `"seal":"${'0'.repeat(64)}"`),
  ],
])('a test run that failed and was %s proves nothing', async (_, change) => {
  const { root, workspace } = await codingTeam()
  expect((await fed(root, ['report', 'tests-passed', '--team', 'api', '--run', 'false'])).code).toBe(5)
  expect(await doctor(root)).not.toContain(found)
  edit(runsOf(workspace), change)
  expect(await told(root)).toBe('refused')
  expect(await doctor(root)).toContain(`${found} (line 1)`)
  // what fed runs itself counts as before
  await fedDone(root, ['report', 'tests-passed', '--team', 'api', '--run', 'true'])
})

test('where the key was replaced by a link, no test run counts, and the doctor says why', async () => {
  const { root, workspace } = await codingTeam()
  const env = { XDG_STATE_HOME: newFolder('state') }
  await fed(root, ['report', 'tests-passed', '--team', 'api', '--run', 'false'], { env })
  const key = path.join(env.XDG_STATE_HOME, 'fed', 'seal.key')
  renameSync(key, `${key}.old`)
  symlinkSync(`${key}.old`, key)
  edit(runsOf(workspace), (line) => line.replace('"exitCode":1', '"exitCode":0').replace(/,"seal":"\w+"/, ''))
  const stateHome = process.env.XDG_STATE_HOME as string
  process.env.XDG_STATE_HOME = env.XDG_STATE_HOME
  try {
    expect(await told(root)).toBe('refused')
  } finally {
    process.env.XDG_STATE_HOME = stateHome
  }
  expect((await fed(root, ['doctor'], { env })).stdout).toContain('is no key that its owner alone can read')
})

test('a result of a check that was edited proves nothing, and the check is run again', async () => {
  const { root } = await codingTeam()
  configure(root, { checks: [{ name: 'unit', run: nodeCommand('process.exit(7)') }] })
  trust(root)
  expect((await fed(root, ['report', 'tests-passed', '--team', 'api'])).code).toBe(5)
  const checks = path.join(root, '.fed', 'checks', 'api')
  const [commit = ''] = readdirSync(checks)
  edit(path.join(checks, commit, 'unit.1.json'), (text) =>
    text
      .replace('"passed": false', '"passed": true')
      .replace('"exitCode": 7', '"exitCode": 0')
      .replace(/"fault": "[^"]*"/, '"fault": null'),
  )
  expect(await told(root)).toBe('refused')
  expect(await doctor(root)).toContain(`api: ${found}; this result of a check counts for nothing`)
  expect((await fed(root, ['report', 'tests-passed', '--team', 'api'])).code).toBe(5)
})

test("a session's record that was edited is found, before and after its mission is over", async () => {
  const root = await newFederation({ docs: 'Document the source' })
  await fedDone(root, ['launch', '--team', 'docs', '--agent', agent('typing')])
  expect(await doctor(root)).not.toContain(found)
  edit(path.join(workspaceOf(root, 'docs'), '.fed', 'sessions', '1-1.end.json'), (text) =>
    text.replace('"exitCode": 0', '"exitCode": 1'),
  )
  expect(await doctor(root)).toContain(`docs: ${found}; what it says of a session may be wrong`)
})
