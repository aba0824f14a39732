// Proves that the doctor finds a mailbox that nobody can write into and a file system that fed cannot work on, and
// that a repair writes into no folder but those that fed gave its teams, whatever a registry says. Fails when a
// forged registry has skills written elsewhere, or when the doctor says that all is well, or finds no federation.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { federationLayout, workspaceLayout } from '../../../src/protocol/folder-layout.ts'
import { fed, fedDone, newFederation, newFolder, newRepository, workspaceOf } from '../../support/fed.ts'

interface Report {
  readonly findings: readonly { severity: string; area: string; where?: string; message: string }[]
}

const preload = (name: string) => ({
  NODE_OPTIONS: `--require=${fileURLToPath(new URL(`../../support/preload/${name}.cjs`, import.meta.url))}`,
})

async function diagnosis(root: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const { code, stdout } = await fed(root, ['doctor', '--json', ...args], { env })
  return { code, findings: (JSON.parse(stdout) as Report).findings }
}

describe('a workspace that the registry names', () => {
  /** The registry says that the team lives there. */
  function moveInWords(root: string, to: string): void {
    const { registry } = federationLayout(root)
    const text = readFileSync(registry, 'utf8').replace(
      JSON.stringify(workspaceOf(root, 'docs')),
      JSON.stringify(to),
    )
    writeFileSync(registry, text)
  }

  test('is not left by a link in the place of one of its folders', async () => {
    const root = await newFederation({ docs: undefined })
    const { outbox, sessions } = workspaceLayout(workspaceOf(root, 'docs'))
    const [mail, records] = [newFolder('mail'), newFolder('records')]
    rmSync(outbox, { recursive: true })
    symlinkSync(mail, outbox)
    chmodSync(mail, 0o555)
    rmSync(sessions, { recursive: true, force: true })
    symlinkSync(records, sessions)
    const old = path.join(records, '.0f8fad5b-d9cb-469f-a165-70867728950e.tmp')
    writeFileSync(old, 'of somebody')
    utimesSync(old, new Date(0), new Date(0))
    const { findings } = await diagnosis(root, ['--fix'])
    expect([statSync(mail).mode & 0o777, readFileSync(old, 'utf8')]).toEqual([0o555, 'of somebody'])
    const refused = findings.filter(({ message }) =>
      message.includes('is a link, and must be a folder of its own'),
    )
    expect(refused.map(({ where }) => where).toSorted()).toEqual([outbox, sessions].toSorted())
  })

  test.each([
    ['an empty folder', () => undefined],
    [
      'one with a mailbox and skills',
      (dir: string) => void mkdirSync(path.join(dir, '.fed', 'skills'), { recursive: true }),
    ],
  ])('is not touched where fed did not put it: %s', async (_, fill) => {
    const root = await newFederation({ docs: undefined })
    const elsewhere = newFolder('elsewhere')
    fill(elsewhere)
    const before = readdirSync(elsewhere, { recursive: true })
    moveInWords(root, elsewhere)
    const { code, findings } = await diagnosis(root, ['--fix'])
    expect(code).toBe(1)
    expect(findings).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        area: 'teams',
        where: elsewhere,
        message: expect.stringContaining('nothing was examined or repaired here'),
      }),
    )
    expect(readdirSync(elsewhere, { recursive: true })).toEqual(before)
    expect(existsSync(workspaceOf(root, 'docs'))).toBe(true)
  })

  test('is believed by another path to the same folder', async () => {
    const root = await newFederation({ docs: undefined })
    const other = path.join(newFolder('other'), 'way')
    symlinkSync(root, other)
    moveInWords(root, path.join(other, '.fed', 'teams', 'docs'))
    expect((await diagnosis(root)).findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })
})

describe('a mailbox that nobody can write into', () => {
  test('is found and can be opened again', async () => {
    const root = await newFederation({ docs: undefined })
    const inbox = path.join(workspaceOf(root, 'docs'), '.fed', 'signals', 'inbox')
    chmodSync(inbox, 0o555)
    const { code, findings } = await diagnosis(root)
    expect(code).toBe(1)
    const finding = {
      severity: 'error',
      area: 'mail',
      where: inbox,
      message: expect.stringContaining('permissions are 0555'),
    }
    expect(findings).toContainEqual(expect.objectContaining(finding))
    expect((await diagnosis(root, ['--fix'])).code).toBe(0)
    expect(statSync(inbox).mode & 0o777).toBe(0o755)
    await fedDone(root, ['send', 'docs', '--type', 'question', '--subject', 'Open?'])
  })

  // only root can give a folder to somebody else
  test.runIf(process.getuid?.() === 0)("is found where it is another user's, and left as it is", async () => {
    const root = await newFederation({ docs: undefined })
    // whoever examines may write everywhere but there
    for (const name of ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })])
      chownSync(path.join(root, name), 65_534, 65_534)
    const inbox = path.join(workspaceOf(root, 'docs'), '.fed', 'signals', 'inbox')
    chownSync(inbox, 0, 0)
    for (let dir = path.dirname(root); dir.startsWith(os.tmpdir()); dir = path.dirname(dir))
      chmodSync(dir, statSync(dir).mode | 0o055)
    const { findings } = await diagnosis(root, ['--fix'], preload('unprivileged'))
    const finding = {
      severity: 'error',
      area: 'mail',
      where: inbox,
      message: expect.stringContaining('EACCES'),
    }
    expect(findings).toContainEqual(expect.objectContaining(finding))
    expect(statSync(inbox).mode & 0o777).toBe(0o755)
  })
})

describe('where a file cannot have two names', () => {
  const env = preload('no-hard-links')

  test.each([['init'], ['run', 'Explain']])('fed %s sets up nothing and says why', async (...args) => {
    const root = newRepository()
    const { code, stderr } = await fed(root, args, { env })
    expect(code).toBe(2)
    expect(stderr).toContain(`fed: ${root}: the file system has no hard links (EPERM, link), which`)
    expect(readdirSync(root).toSorted()).toEqual(['.git', 'src'])
  })

  test.each(['EPERM', 'ENOTSUP'])('a command that is told %s says who knows more', async (code) => {
    const root = await newFederation()
    const { stderr } = await fed(root, ['onboard', 'api'], { env: { ...env, NO_LINKS: code } })
    expect(stderr).toMatch(/^fed: team 'api' was not created: .*cannot do that.*'fed doctor' says/)
  })

  test('fed init says it also of a federation that was brought there', async () => {
    const root = await newFederation()
    const { code, stderr } = await fed(root, ['init'], { env })
    expect([code, stderr]).toEqual([2, expect.stringContaining('the file system has no hard links (EPERM')])
  })

  test.each([
    ['in a federation', () => newFederation()],
    ['before there is one', async () => newRepository()],
  ])('the doctor tells it, %s', async (_, make) => {
    const root = await make()
    const before = readdirSync(root)
    const { code, findings } = await diagnosis(root, [], env)
    expect(code).toBe(2)
    const finding = {
      severity: 'error',
      area: 'environment',
      message: expect.stringContaining('no hard links'),
    }
    expect(findings).toContainEqual(expect.objectContaining(finding))
    expect(findings.map(({ area }) => area)).toContain('agents')
    expect(readdirSync(root)).toEqual(before)
  })
})
