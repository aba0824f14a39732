// Proves that `fed init` and the doctor say in one clear line why a folder, or a mailbox in it, cannot be used, and
// leave it as it is. Fails when one of them answers with a stack trace, with advice that does not help, or not at all.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { examine } from '../../src/apps/doctor/examine.ts'
import { isProblem } from '../../src/monitor/diagnosis/finding.ts'
import { findDamagedRoot } from '../../src/monitor/diagnosis/view.ts'
import { refusalIn } from '../../src/platform/storage/folder-fault.ts'
import { initialize } from '../../src/federation/onboarding/set-up.ts'
import { builtFed, fed, newFolder, newRepository, systemPath } from '../support/fed.ts'
import { newFederation } from '../support/federation.ts'
import { someOf } from '../support/thorough.ts'

/** What is wrong, as the doctor tells it who is asked in this folder. */
async function told(dir: string) {
  const findings = await examine(findDamagedRoot(dir))
  return findings
    .filter(isProblem)
    .map(({ severity, area, message, fix, isFatal }) => ({ severity, area, message, fix, isFatal }))
}

describe('a folder in which no federation can be', () => {
  function newlined(): string {
    const root = path.join(newFolder('lines'), 'one\ntwo')
    execFileSync('cp', ['-a', newRepository(), root])
    return root
  }

  function withFed(make: (fed: string) => unknown): string {
    const root = newRepository()
    make(path.join(root, '.fed'))
    return root
  }

  const places: readonly (readonly [what: string, make: () => string, words: string])[] = [
    ['a path of two lines', newlined, 'its path holds a line break'],
    ['.fed a link', () => withFed((at) => symlinkSync(newFolder('elsewhere'), at)), '.fed is a '],
    ['.fed a link to nowhere', () => withFed((at) => symlinkSync('/nowhere', at)), '.fed is a '],
    ['.fed a file', () => withFed((at) => writeFileSync(at, '')), '.fed is no folder, and must'],
    ['.fed a pipe', () => withFed((at) => execFileSync('mkfifo', [at])), '.fed is no folder, and must'],
  ]

  test('is refused by init with exit 2, and named by the doctor as the one thing that is wrong', async () => {
    for (const [what, make, words] of someOf(places, 2)) {
      const root = make()
      const before = readdirSync(root)
      const { code, stdout, stderr } = await fed(root, ['init'])
      expect([what, code, stdout]).toEqual([what, 2, ''])
      expect(stderr).toMatch(/^fed: [^\n]+\n$/)
      expect(stderr).toContain(words)
      const doctor = await fed(root, ['doctor', '--fix'])
      expect([doctor.code, doctor.stderr]).toEqual([2, ''])
      expect(await told(root)).toEqual([
        {
          severity: 'error',
          area: 'federation',
          message: expect.stringContaining(words),
          fix: expect.any(String),
          isFatal: true,
        },
      ])
      expect(readdirSync(root)).toEqual(before)
    }
  })

  test('is told in one line by a command that finds no federation there', async () => {
    const { code, stderr } = await fed(newlined(), ['status'])
    expect([code, stderr]).toEqual([4, expect.stringMatching(/^fed: no federation in [^\n]+\n$/)])
  })

  test('refuses to act also after it was set up', async () => {
    const root = newFederation()
    execFileSync('mv', [path.join(root, '.fed'), path.join(root, 'fed')])
    symlinkSync('fed', path.join(root, '.fed'))
    expect(await fed(root, ['monitor'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^fed: \S+\/.fed is a symbolic link, and fed keeps a folder there; [^\n]+\n$/,
      ),
    })
  })
})

describe('an inbox of meta that takes nothing', () => {
  const inPlace = (make: (inbox: string) => unknown) => (inbox: string) => {
    rmdirSync(inbox)
    make(inbox)
  }

  const kinds: readonly (readonly [make: (inbox: string) => void, what: string, advice: string])[] = [
    [
      inPlace((at) => writeFileSync(at, 'hello')),
      'something else is in the place of a folder',
      'move it away',
    ],
    [
      inPlace((at) => execFileSync('mkfifo', [at])),
      'something else is in the place of a folder',
      'move it away',
    ],
    [inPlace((at) => symlinkSync('/nowhere', at)), 'it is a link, and must be', 'put a folder there'],
    [inPlace((at) => symlinkSync('inbox', at)), 'it is a link, and must be', 'put a folder there'],
  ]

  test('is named with what helps, by init and by the doctor', async () => {
    for (const [make, what, advice] of kinds) {
      const root = newFederation()
      make(path.join(root, '.fed', 'signals', 'inbox'))
      expect(() => initialize(root)).toThrow(what)
      expect(() => initialize(root)).toThrow(advice)
      const problems = await told(root)
      expect(problems).toMatchObject([{ severity: 'error', area: 'mail' }])
      expect(problems[0]?.message).toContain(what)
      expect(problems[0]?.fix).toContain(advice)
    }
  })

  test('is told by the command in one line', async () => {
    const root = newFederation()
    const inbox = path.join(root, '.fed', 'signals', 'inbox')
    inPlace((at) => symlinkSync('/nowhere', at))(inbox)
    expect(await fed(root, ['init'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `fed: ${inbox}: it is a link, and must be a folder of its own; put a folder there\n`,
    })
  })

  test('is told to be immutable, where permissions are not what refuses', () => {
    const error = Object.assign(new Error('x'), { code: 'EPERM' })
    expect(refusalIn('/a/inbox', error)).toEqual({
      what: 'nothing can be written into it, it is marked as immutable (EPERM)',
      advice: "'chattr -i /a/inbox' takes the mark away",
    })
  })

  /** Runs a script of `sh` that may mount on a folder, `$0`; the mount ends with the process. */
  const mounted = (script: string, folder: string, ...args: string[]) =>
    spawnSync('unshare', ['--mount', '--map-root-user', 'sh', '-c', script, folder, ...args], {
      encoding: 'utf8',
      env: { PATH: systemPath, FED_TELEMETRY_ENABLED: 'false' },
    })
  /** Runs `fed` where a folder may only be read. */
  const readOnly = (folder: string, root: string, ...args: string[]) =>
    mounted(
      'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"',
      folder,
      ...[process.execPath, builtFed, ...args, '--dir', root],
    )
  const trial = newFolder('trial')
  const canMount = readOnly(trial, trial, '--version').status === 0

  test.runIf(canMount)('or the repository, on a file system that may only be read', () => {
    const root = newFederation()
    const bare = newRepository()
    for (const [folder, at] of [
      [path.join(root, '.fed', 'signals', 'inbox'), root],
      [bare, bare],
    ] as const) {
      const { status, stderr } = readOnly(folder, at, 'init')
      expect([status, stderr]).toEqual([
        1,
        `fed: ${folder}: nothing can be written into it, its file system may only be read (EROFS); mount it so that it can be written\n`,
      ])
      const doctor = readOnly(folder, at, 'doctor', '--quiet')
      expect([doctor.status, doctor.stderr]).toEqual([1, ''])
      expect(doctor.stdout).toContain('its file system may only be read (EROFS)')
      expect(doctor.stdout).toMatch(/^1 error/m)
    }
    expect(existsSync(path.join(bare, '.fed'))).toBe(false)
  })

  test.runIf(canMount)('and `.fed` may be a file system of its own', () => {
    const root = newRepository()
    mkdirSync(path.join(root, '.fed'))
    const { status, stderr } = mounted(
      'mount -t tmpfs tmpfs "$0/.fed" && cd "$0" && "$@" init && "$@" onboard docs && "$@" status',
      root,
      ...[process.execPath, builtFed],
    )
    expect([status, stderr]).toEqual([0, ''])
    expect(readdirSync(root).toSorted()).toEqual(['.fed', '.git', 'federate.config.json', 'src'])
  })
})
