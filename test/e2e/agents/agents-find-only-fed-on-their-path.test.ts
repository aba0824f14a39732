// Proves that the folder which an agent finds first on its PATH lies outside of the repository, holds this very fed and
// nothing else, and cannot be written from inside a sandbox. Fails when a program that was planted there, or in the
// .fed/bin of a repository, runs in place of the one that is meant.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { fed, newFederation, newFolder, workspaceOf } from '../../support/fed.ts'
import { hasWalls } from '../../support/walls.ts'

let root: string
let env: Record<string, string>
let mark: string
beforeEach(async () => {
  root = await newFederation({ docs: 'Document the source' })
  env = { XDG_CACHE_HOME: newFolder('cache') }
  mark = path.join(newFolder('marks'), 'ran')
})

function plant(dir: string, name: string): void {
  mkdirSync(dir, { recursive: true })
  writeFileSync(path.join(dir, name), `#!/bin/sh\necho >> ${mark}\n`)
  chmodSync(path.join(dir, name), 0o755)
}

/** What a shell in the agent's place wrote to the file `said`. */
async function said(script: string, ...options: string[]): Promise<string> {
  const agent = `sh -c '{ ${script} ; } > "$FED_WORKSPACE/said" 2>&1; exit 3'`
  await fed(
    root,
    ['launch', '--team', 'docs', '--reset', '--max-sessions', '1', '--agent', agent, ...options],
    { env },
  )
  return readFileSync(path.join(workspaceOf(root, 'docs'), 'said'), 'utf8').trim()
}

test('a git in the .fed/bin of a repository or of a team is never run', async () => {
  for (const place of [root, workspaceOf(root, 'docs')]) plant(path.join(place, '.fed', 'bin'), 'git')
  const [folders = '', version] = (await said('echo "$PATH"; git --version; fed status docs')).split('\n')
  expect(version).toMatch(/^git version /)
  expect(folders.split(path.delimiter).filter((folder) => folder.startsWith(root))).toEqual([])
  expect(existsSync(mark)).toBe(false)
})

test('what lies beside fed in its folder is gone before the next session, and fed is what it was', async () => {
  const dir = path.dirname(await said('command -v fed'))
  expect(dir.startsWith(env.XDG_CACHE_HOME as string)).toBe(true)
  const script = readFileSync(path.join(dir, 'fed'), 'utf8')
  plant(dir, 'git')
  mkdirSync(path.join(dir, 'node'))
  symlinkSync('/bin/true', path.join(dir, 'sh'))
  chmodSync(path.join(dir, 'fed'), 0o755)
  plant(dir, 'fed')
  expect(await said('command -v fed; git --version')).toMatch(new RegExp(`^${dir}/fed\ngit version `))
  expect([readdirSync(dir), readFileSync(path.join(dir, 'fed'), 'utf8')]).toEqual([['fed'], script])
  expect(existsSync(mark)).toBe(false)
})

test('a folder that others may write is not used', async () => {
  mkdirSync(path.join(env.XDG_CACHE_HOME as string, 'fed'), { recursive: true })
  chmodSync(path.join(env.XDG_CACHE_HOME as string, 'fed'), 0o777)
  env = { ...env, TMPDIR: newFolder('temporary') }
  expect(path.dirname(await said('command -v fed')).startsWith(env.TMPDIR as string)).toBe(true)
})

test.runIf(hasWalls)('an agent in a sandbox can write neither that folder nor what is trusted', async () => {
  env = { ...env, XDG_CONFIG_HOME: newFolder('config') }
  const trusted = path.join(env.XDG_CONFIG_HOME as string, 'fed', 'trust.json')
  const tries = `touch "$(dirname "$(command -v fed)")/git" || echo no; touch ${trusted} || echo no`
  const words = await said(tries, '--confinement', 'on')
  expect(words.split('\n').filter((line) => line === 'no')).toHaveLength(2)
  expect(existsSync(trusted)).toBe(false)
})
