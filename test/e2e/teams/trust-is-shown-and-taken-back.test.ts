// Proves that `fed trust` shows what it allows, keeps it for one folder and one person, lists it and takes it back, and
// that FED_TRUST allows exactly what its digest is of. Fails when somebody allows what was not shown, or elsewhere.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import {
  fed,
  fedDone,
  fedJson,
  newFederation,
  newFolder,
  newRepository,
  workspaceOf,
} from '../../support/fed.ts'

interface Shown {
  readonly root: string
  readonly sha256: string
  readonly runs: readonly { readonly part: string; readonly is: readonly string[] }[]
}

let root: string
let env: Record<string, string>
const file = () => path.join(env.XDG_CONFIG_HOME as string, 'fed', 'trust.json')
const setting = (settings: object) =>
  writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify(settings))
beforeEach(async () => {
  env = { XDG_CONFIG_HOME: newFolder('config') }
  root = await newFederation()
  mkdirSync(path.join(root, 'hooks'))
  writeFileSync(path.join(root, 'hooks', 'fed.ts'), "import './more.ts'\nexport default {}\n")
  writeFileSync(path.join(root, 'hooks', 'more.ts'), 'export {}\n')
  setting({
    importHook: 'hooks/fed.ts',
    agentCommand: 'my-agent --fast',
    checks: [{ name: 'unit', run: 'npm test' }],
    setup: { run: 'npm ci' },
  })
})

test('it shows each file and each command, in words and as a document', async () => {
  const shown = await fedDone(root, ['trust'], { env })
  for (const line of [
    /^importHook +hooks\/fed\.ts$/m,
    /^importHook +hooks\/more\.ts$/m,
    /^agentCommand +my-agent --fast$/m,
    /^checks +unit: npm test$/m,
    /^checks +setup: npm ci$/m,
    /is trusted to run this, as it is now$/m,
  ])
    expect(shown).toMatch(line)
  expect(await fedJson<Shown>(root, ['trust'], { env })).toEqual({
    root,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    runs: [
      { part: 'importHook', is: ['hooks/fed.ts', 'hooks/more.ts'] },
      { part: 'agentCommand', is: ['my-agent --fast'] },
      { part: 'checks', is: ['unit: npm test', 'setup: npm ci'] },
    ],
  })
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

test('nothing needs trust where agents are known by name', async () => {
  for (const agentCommand of ['fed-agent', 'claude', 'acp:gemini']) {
    setting({ agentCommand })
    expect(await fedDone(root, ['trust'], { env })).toBe(`nothing in ${root} needs trust\n`)
  }
  expect(existsSync(file())).toBe(false)
})

test('what is trusted is listed, taken back, and another folder’s is its own', async () => {
  await fedDone(root, ['trust'], { env })
  const copy = path.join(newFolder('copy'), 'shop')
  cpSync(root, copy, { recursive: true })
  expect((await fed(copy, ['diagram', 'audit'], { env })).code).toBe(5)
  await fedDone(copy, ['trust'], { env })
  const listed = await fedDone(root, ['trust', '--list'], { env })
  expect(listed.split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^${root} .* importHook, agentCommand, checks$`)),
    expect.stringMatching(new RegExp(`^${copy} `)),
    '',
  ])
  rmSync(copy, { recursive: true })
  expect(await fedJson(root, ['trust', '--revoke', '--dir', copy], { env })).toEqual({
    root: copy,
    revoked: true,
  })
  await fedDone(root, ['trust', '--revoke'], { env })
  expect(await fedJson(root, ['trust', '--list'], { env })).toEqual([])
  expect(await fedJson(root, ['trust', '--revoke'], { env })).toEqual({ root, revoked: false })
  expect((await fed(root, ['diagram', 'audit'], { env })).stderr).toContain('is not trusted on this machine')
})

test('a digest allows what it is of, on any machine and in any folder, and nothing else', async () => {
  const { sha256 } = await fedJson<Shown>(root, ['trust'], { env })
  const elsewhere = { XDG_CONFIG_HOME: newFolder('config'), FED_TRUST: sha256 }
  expect(await fedDone(root, ['init'], { env: elsewhere })).toContain('is a federation already')
  writeFileSync(path.join(root, 'hooks', 'more.ts'), "console.log('edited')\n")
  const { code, stderr } = await fed(root, ['init'], { env: elsewhere })
  expect([code, stderr]).toEqual([5, expect.not.stringContaining('edited')])
})

test('only a person trusts', async () => {
  await fedDone(root, ['trust'], { env })
  await fedDone(root, ['onboard', 'docs', '--mission', 'Document the source'], { env })
  await fedDone(root, ['trust', '--revoke'], { env })
  const tries = `sh -c 'fed trust 2> "$FED_WORKSPACE/said"; exit 3'`
  await fed(root, ['launch', '--team', 'docs', '--max-sessions', '1', '--agent', tries], { env })
  expect(readFileSync(path.join(workspaceOf(root, 'docs'), 'said'), 'utf8')).toContain('only a person may')
  expect(await fedJson(root, ['trust', '--list'], { env })).toEqual([])
})

test('what fed init writes is trusted, until somebody edits it', async () => {
  const shop = newRepository()
  await fedDone(shop, ['init', '--agent', 'sh -c "exit 3"'], { env })
  await fedDone(shop, ['onboard', 'docs', '--mission', 'Document the source'], { env })
  const launch = ['launch', '--team', 'docs', '--max-sessions', '1']
  expect((await fed(shop, launch, { env })).stderr).toContain('session 1 of sh')
  const config = path.join(shop, 'federate.config.json')
  writeFileSync(config, readFileSync(config, 'utf8').replace('exit 3', 'exit 4'))
  expect(await fed(shop, [...launch, '--reset'], { env })).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(
      /^fed: the agentCommand of .* has changed since it was trusted, .*: fed trust\n$/,
    ),
  })
})

test('federations that are trusted at the same moment are all trusted', async () => {
  const roots = await Promise.all(Array.from({ length: 4 }, () => newRepository()))
  await Promise.all(roots.map((one) => fedDone(one, ['init', '--agent', 'sh -c true'], { env })))
  const all = await fedJson<{ root: string }[]>(root, ['trust', '--list'], { env })
  expect(all.map((one) => one.root).toSorted()).toEqual(roots.toSorted())
})
