// Proves that the doctor finds what no reader stumbles over: agents that do not start, torn and missing records of
// sent signals, a disk without room, links and folders in the place of files. Fails when one is missed, when a
// repair says what it did not do, or when an agent keeps the doctor waiting.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { versionOf } from '../../../src/apps/doctor/agent-checks.ts'
import { examine, repairAll } from '../../../src/apps/doctor/examine.ts'
import { isProblem } from '../../../src/monitor/diagnosis/finding.ts'
import { spaceFindings } from '../../../src/apps/doctor/disk-space-checks.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { identify } from '../../../src/platform/process/process-identity.ts'
import { newest, newPatient, versionOf as fileOf, versionsOf } from '../../support/damaged-federation.ts'
import { fed, newFederation, pathWith, startFed } from '../../support/fed.ts'
import { until } from '../../support/until.ts'

beforeAll(() => void vi.stubEnv('FED_TELEMETRY_ENABLED', 'false'))
afterAll(() => void vi.unstubAllEnvs())

interface Diagnosis {
  readonly findings: readonly {
    severity: string
    area: string
    where?: string
    message: string
    fix?: string
  }[]
}

async function agentsFound(programs: Readonly<Record<string, string>>) {
  const root = await newFederation()
  const { stdout, stderr } = await fed(root, ['doctor', '--json'], { env: { PATH: pathWith(programs) } })
  expect(stderr).toBe('')
  return (JSON.parse(stdout) as Diagnosis).findings.filter(({ area }) => area === 'agents')
}

describe('agents', () => {
  test('are told with their versions and places, and whether walls hold them', async () => {
    const found = await agentsFound({
      bwrap: 'echo "no namespaces" >&2; exit 1',
      claude: 'echo "2.1.0 (Claude Code)"; echo more',
      codex: 'printf "\\033[31mcodex-cli\\033[0m 0.9\\n" >&2',
    })
    expect(found).toMatchObject([
      {
        severity: 'note',
        message: expect.stringMatching(/agents are open, .*: bwrap does not work here \(no/),
      },
      { severity: 'ok', where: expect.stringMatching(/\/claude$/), message: 'claude: 2.1.0 (Claude Code)' },
      { severity: 'ok', message: 'codex: codex-cli 0.9' },
      { severity: 'ok', message: 'agentCommand: fed-agent' },
    ])
  })

  test('that fail, hang, flood or say nothing are notes, and what they started ends', async () => {
    const found = await agentsFound({
      claude: 'echo "no runtime" >&2; exit 3',
      copilot: 'sleep 600 & echo $! > "$0.pid"; wait',
      gemini: 'yes 1.2.3',
      goose: 'cat',
      opencode: 'true',
    })
    const said = Object.fromEntries(found.map(({ message }) => message.split(/: (.*)/).slice(0, 2)))
    expect(said).toMatchObject({
      claude: "'--version' ended with exit code 3: no runtime",
      copilot: "'--version' did not end within 3 s",
      gemini: "'--version' did not end within 3 s",
      // its input is empty
      goose: "'--version' said nothing",
      opencode: "'--version' said nothing",
    })
    const copilot = found.find(({ message }) => message.startsWith('copilot'))?.where as string
    const pid = Number(readFileSync(`${copilot}.pid`, 'utf8'))
    await until('the end of what it started', () => identify(pid) === undefined)
  })

  test('an interruption ends those that are still asked', async () => {
    const root = await newFederation()
    const PATH = pathWith({ copilot: 'sleep 600 & echo $! > "$0.pid"; wait', gemini: 'exec sleep 600' })
    const pidFile = path.join(PATH.split(path.delimiter)[0] as string, 'copilot.pid')
    const doctor = startFed(root, ['doctor'], { env: { PATH } })
    const pid = await until(
      'its start',
      () => existsSync(pidFile) && (Number(readFileSync(pidFile, 'utf8')) || undefined),
    )
    doctor.kill('SIGINT')
    expect(await doctor.ended).toMatchObject({ code: null, stdout: '' })
    await until('its end', () => identify(pid) === undefined)
  })

  test('a program that cannot be run says why', async () => {
    const file = pathWith({ broken: '' }).split(path.delimiter)[0] as string
    writeFileSync(path.join(file, 'broken'), '#!/no/such/interpreter\n')
    expect(await versionOf(path.join(file, 'broken'))).toEqual({
      fault: expect.stringContaining('could not be run'),
    })
  })
})

describe('room on the disk', () => {
  const room = { bsize: 4096, bavail: 1_000_000, files: 1000, ffree: 10 }
  test.each([
    ['enough', room, 'ok', /3 GiB are free/],
    ['little', { ...room, bavail: 5000 }, 'warning', /^only 19 MiB are free/],
    ['none', { ...room, bavail: 3 }, 'error', /the disk is full/],
    ['no names', { ...room, ffree: 0 }, 'error', /no room for another file/],
    ['names that are not counted', { ...room, files: 0, ffree: 0 }, 'ok', /3 GiB/],
  ])('%s', (_, look, severity, message) => {
    expect(spaceFindings('/', () => look)).toMatchObject([
      { severity, message: expect.stringMatching(message) },
    ])
  })

  test('is asked of the file system itself', () => {
    expect(spaceFindings('/tmp')).toHaveLength(1)
  })
})

describe('records of sent signals', () => {
  const old = new Date(Date.now() - 86_400_000)

  async function withSignal() {
    const patient = await newPatient()
    const federation = new Federation(patient.root)
    const draft = { from: 'docs', to: 'meta', type: 'report', subject: 'Part', body: 'x' } as const
    const { file } = await federation.send(draft)
    const inbox = patient.fed('signals', 'inbox')
    utimesSync(path.join(inbox, file), old, old)
    return { ...patient, file, record: path.join(patient.outbox, file), delivered: path.join(inbox, file) }
  }

  test('one that is torn is written again from what was delivered', async () => {
    const { root, record, delivered, outbox } = await withSignal()
    rmSync(record)
    writeFileSync(record, readFileSync(delivered, 'utf8').slice(0, 50))
    utimesSync(record, old, old)
    const found = (await examine(root)).filter(isProblem)
    expect(found).toMatchObject([{ area: 'mail', where: record, message: expect.stringContaining('torn') }])
    await repairAll(root)
    expect(readFileSync(record, 'utf8')).toBe(readFileSync(delivered, 'utf8'))
    expect(readdirSync(outbox).filter((name) => name.includes('.damaged-'))).toHaveLength(1)
    expect((await repairAll(root)).fixed).toEqual([])
  })

  test('one that is torn is written again also when what was delivered is archived', async () => {
    const { root, record, delivered, file, fed: own } = await withSignal()
    const archive = own('signals', 'archive', file.slice(0, 7))
    mkdirSync(archive, { recursive: true })
    renameSync(delivered, path.join(archive, file))
    rmSync(record)
    writeFileSync(record, '')
    utimesSync(record, old, old)
    await repairAll(root)
    expect(readFileSync(record, 'utf8')).toBe(readFileSync(path.join(archive, file), 'utf8'))
  })

  test('one that is torn, of a signal that is nowhere, is put aside', async () => {
    const { root, outbox } = await withSignal()
    const file = path.join(outbox, '2026-01-01T000000Z-report-gone.json')
    writeFileSync(file, '{')
    utimesSync(file, old, old)
    const { fixed, findings } = await repairAll(root)
    expect([fixed.map(({ where }) => where), findings.filter(isProblem)]).toEqual([[file], []])
    expect(existsSync(file)).toBe(false)
  })

  test('one that is missing is written again, one of a moment ago is left to its sender', async () => {
    const { root, record, delivered } = await withSignal()
    rmSync(record)
    const now = new Date()
    utimesSync(delivered, now, now)
    expect((await repairAll(root)).fixed).toEqual([])
    utimesSync(delivered, old, old)
    expect(await examine(root)).toContainEqual(
      expect.objectContaining({
        severity: 'note',
        where: delivered,
        message: 'docs: a signal that it sent has no record in its outbox',
      }),
    )
    expect((await repairAll(root)).fixed).toHaveLength(1)
    expect(readFileSync(record, 'utf8')).toBe(readFileSync(delivered, 'utf8'))
    expect((await repairAll(root)).fixed).toEqual([])
  })
})

describe('in the place of a folder of a team', () => {
  const places: readonly (readonly [name: string, make: (place: string) => void, what: string])[] = [
    ['sessions', (place) => execFileSync('mkfifo', [place]), 'something else is in the place of a folder'],
    ['sessions', (place) => symlinkSync('/nowhere', place), 'it is a link, and must be a folder of its own'],
    [
      'signals/archive',
      (place) => execFileSync('mkfifo', [place]),
      'something else is in the place of a folder',
    ],
    ['skills', (place) => execFileSync('mkfifo', [place]), 'something else is in the place of a folder'],
    ['missions', (place) => writeFileSync(place, ''), 'something else is in the place of a folder'],
    ['codebase', (place) => symlinkSync('/tmp', place), 'it is a link, and must be a folder of its own'],
    ['codebase', (place) => symlinkSync('/nowhere', place), 'it is a link, and must be a folder of its own'],
  ]

  test.each(places)('%s is one finding, and hides nothing of the others', async (name, make, what) => {
    const { root, own } = await newPatient()
    const place = own(name)
    rmSync(place, { recursive: true, force: true })
    make(place)
    const found = (await examine(root)).filter(isProblem)
    expect(found).toEqual([
      expect.objectContaining({ severity: 'error', where: place, message: `docs: ${what}` }),
    ])
  })

  test('a mark that a version was carried out, which is a folder, is an error', async () => {
    const { root, lifecycle } = await newPatient()
    const mark = newest(lifecycle).replace(/json$/, 'done')
    rmSync(mark, { force: true })
    mkdirSync(mark)
    expect((await examine(root)).filter(isProblem)).toMatchObject([{ severity: 'error', where: mark }])
  })
})

describe('what is no file', () => {
  test('a link that leads nowhere in the place of an identity gives way to it', async () => {
    const { root, own } = await newPatient()
    rmSync(own('team.json'))
    symlinkSync('/no/such/file', own('team.json'))
    const { fixed, findings } = await repairAll(root)
    expect(fixed).toMatchObject([
      { where: own('team.json'), message: expect.stringContaining('written anew') },
    ])
    expect(JSON.parse(readFileSync(own('team.json'), 'utf8'))).toMatchObject({ team: 'docs', root })
    expect(findings.filter(isProblem)).toEqual([])
  })

  test.each(['lifecycle', 'registry'] as const)(
    'a folder named like the next version of the %s',
    async (name) => {
      const patient = await newPatient()
      const file = fileOf(patient[name], (versionsOf(patient[name]).at(-1) as number) + 1)
      mkdirSync(file)
      writeFileSync(path.join(file, 'mine'), 'x')
      const { fixed, findings } = await repairAll(patient.root)
      expect(fixed).toMatchObject([{ where: file, message: expect.stringMatching(/^kept as .*\.damaged-/) }])
      expect(findings.filter(isProblem)).toEqual([])
      const kept = readdirSync(path.dirname(file)).find((one) => one.includes('.damaged-')) as string
      expect(readFileSync(path.join(path.dirname(file), kept, 'mine'), 'utf8')).toBe('x')
      expect(await (await new Federation(patient.root).team('docs')).status()).toMatchObject({
        state: 'preparing',
      })
    },
  )

  test.each<[string, (file: string) => void]>([
    ['a folder', (file) => mkdirSync(file)],
    ['a link that leads nowhere', (file) => symlinkSync('/no/such/file', file)],
  ])('%s in the place of the newest version is replaced from the published file', async (_, put) => {
    const { root, lifecycle } = await newPatient()
    const file = fileOf(lifecycle, versionsOf(lifecycle).at(-1) as number)
    rmSync(file)
    put(file)
    const { fixed, findings } = await repairAll(root)
    expect(fixed).toMatchObject([
      { where: file, message: expect.stringContaining('the same commit; the damaged') },
    ])
    expect(findings.filter(isProblem)).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(lifecycle, 'utf8'))
  })
})
