// Proves that a repair puts right what it says and that every byte that was there before still is somewhere, and
// that looking changes nothing. It fails when a damaged file is dropped, or the newest commit is given up.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { recordSession } from '../../../src/agents/sessions/session-record.ts'
import { examine, repairAll } from '../../../src/apps/doctor/examine.ts'
import { isProblem } from '../../../src/monitor/diagnosis/finding.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { git } from '../../../src/platform/git/git.ts'
import { identify, type ProcessIdentity } from '../../../src/platform/process/process-identity.ts'
import { temporaryIn } from '../../../src/platform/storage/temporary.ts'
import { compose } from '../../../src/records/signals/compose.ts'
import {
  age,
  deadPid,
  everythingIn,
  half,
  newest,
  newPatient,
  overwrite,
  problemsOf,
  versionOf,
  versionsOf,
  type Patient,
} from '../../support/damaged-federation.ts'
import { anySession } from '../../support/session-record.ts'
import { someOf } from '../../support/thorough.ts'

beforeAll(() => void vi.stubEnv('FED_TELEMETRY_ENABLED', 'false'))
afterAll(() => void vi.unstubAllEnvs())

/** Without the permissions, in which a version and its published copy differ. */
const contentsOf = (everything: Map<string, string>) =>
  new Set([...everything.values()].map((content) => content.replace(/^\d{3} /, '')))

/** What is wrong, how it came, and which file the finding names. */
const repairable: readonly [string, (patient: Patient) => string][] = [
  ...(['registry', 'lifecycle'] as const).flatMap((name): [string, (patient: Patient) => string][] => [
    [`half a published ${name}`, (patient) => (half(patient[name]), patient[name])],
    [`an empty published ${name}`, (patient) => (overwrite(patient[name], ''), patient[name])],
    [`a missing ${name}`, (patient) => (rmSync(patient[name]), patient[name])],
    [
      `a folder in the place of the ${name}`,
      (patient) => {
        rmSync(patient[name])
        mkdirSync(patient[name])
        writeFileSync(path.join(patient[name], 'mine'), 'x')
        return patient[name]
      },
    ],
    [
      `a published ${name} that is behind`,
      (patient) => {
        const [, second] = versionsOf(patient[name])
        overwrite(patient[name], readFileSync(versionOf(patient[name], second as number), 'utf8'))
        age(newest(patient[name]), 1)
        return patient[name]
      },
    ],
    [
      `a damaged newest version of the ${name}`,
      (patient) => (half(newest(patient[name])), newest(patient[name])),
    ],
  ]),
  [
    'a missing newest version of the lifecycle',
    ({ lifecycle }) => {
      rmSync(newest(lifecycle))
      return lifecycle
    },
  ],
  [
    'an edited lifecycle',
    ({ lifecycle }) => {
      overwrite(lifecycle, readFileSync(lifecycle, 'utf8').replace('"preparing"', '"scanning"'))
      return lifecycle
    },
  ],
  ['a damaged identity', ({ own }) => (half(own('team.json')), own('team.json'))],
  ['a missing identity', ({ own }) => (rmSync(own('team.json')), own('team.json'))],
  [
    'a missing inbox',
    ({ fed }) => (rmSync(fed('signals', 'inbox'), { recursive: true }), fed('signals', 'inbox')),
  ],
  [
    'a missing skill',
    ({ own }) => (rmSync(own('skills', 'domain-playbook.md')), own('skills', 'domain-playbook.md')),
  ],
  [
    'an acknowledgment without its signal',
    ({ inbox }) => {
      const file = path.join(inbox, 'gone.json.ack')
      writeFileSync(file, '{}')
      age(file, 1)
      return file
    },
  ],
  [
    'a file that is no signal',
    ({ inbox }) => {
      const file = path.join(inbox, 'text.json')
      writeFileSync(file, 'text')
      age(file, 1)
      return file
    },
  ],
  [
    'a session that nobody ended',
    ({ own }) => {
      recordSession(own('sessions'), anySession)
      return own('sessions', '1-1.json')
    },
  ],
  [
    'effects that were not finished',
    ({ own, lifecycle }) => {
      const mark = readdirSync(own('lifecycle.d')).filter(
        (name) => name === `${versionsOf(lifecycle).at(-1)}.done`,
      )
      expect(mark).toHaveLength(1)
      rmSync(own('lifecycle.d', String(mark[0])))
      age(newest(lifecycle), 1)
      return newest(lifecycle)
    },
  ],
  [
    'a whole workspace that the registry does not know',
    ({ registry, workspace }) => {
      rmSync(registry)
      rmSync(registry.replace('.json', '.d'), { recursive: true })
      return workspace
    },
  ],
  [
    'a folder that is no whole workspace',
    ({ fed }) => {
      mkdirSync(fed('teams', 'api', '.fed'), { recursive: true })
      writeFileSync(fed('teams', 'api', 'mine.md'), 'mine')
      return fed('teams', 'api')
    },
  ],
  [
    'git that would take .fed along',
    ({ root, fed }) => {
      writeFileSync(path.join(root, '.git', 'info', 'exclude'), '')
      return fed()
    },
  ],
]

describe('repaired', () => {
  test.each(someOf(repairable, 9))('%s', async (_, damage) => {
    const patient = await newPatient()
    const place = damage(patient)
    const before = everythingIn(patient.fed())

    const found = await examine(patient.root)
    expect(found.filter(isProblem).map(({ where }) => where)).toContain(place)
    expect(everythingIn(patient.fed())).toEqual(before)

    const { fixed, findings } = await repairAll(patient.root)
    expect(problemsOf(findings)).toEqual([])
    expect(fixed.map(({ where }) => where)).toContain(place)
    const after = contentsOf(everythingIn(patient.fed()))
    for (const content of contentsOf(before)) expect(after).toContain(content)
    expect((await repairAll(patient.root)).fixed).toEqual([])

    const team = await new Federation(patient.root).team('docs')
    expect(await team.status()).toMatchObject({ mission: { subject: 'Explain it' }, status: 'active' })
  })

  test('a registry and a lifecycle at once, under a configuration that is not valid', async () => {
    const patient = await newPatient()
    half(patient.registry)
    half(patient.lifecycle)
    const config = path.join(patient.root, 'federate.config.json')
    writeFileSync(config, '{"colour": "red", "deliverable": 7}')
    const { fixed, findings } = await repairAll(patient.root)
    expect(fixed.map(({ where }) => where).toSorted()).toEqual(
      [patient.lifecycle, patient.registry].toSorted(),
    )
    expect(problemsOf(findings).map(({ where, message }) => [where, message])).toEqual([
      [config, expect.stringContaining('deliverable: ')],
      [config, expect.stringContaining('colour: ')],
    ])
  })

  test('a damaged file keeps its permissions under its other name', async () => {
    const { root, lifecycle, own } = await newPatient()
    overwrite(lifecycle, 'damaged')
    chmodSync(lifecycle, 0o640)
    await repairAll(root)
    const [kept] = readdirSync(own()).filter((name) => name.startsWith('lifecycle.json.damaged-'))
    expect(everythingIn(own()).get(String(kept))).toBe('640 damaged')
    expect(everythingIn(own()).get('lifecycle.json')).toMatch(/^444 /)
  })

  test('a worktree that is no whole workspace, with what was written in it', async () => {
    const { root, fed } = await newPatient()
    const dir = fed('worktrees', 'api')
    git(root, 'worktree', 'add', '--quiet', '-b', 'fed/api', dir)
    writeFileSync(path.join(dir, 'mine.md'), 'mine')
    const { findings } = await repairAll(root)
    expect(problemsOf(findings)).toEqual([])
    const [aside] = readdirSync(fed('worktrees'))
    expect(readFileSync(fed('worktrees', String(aside), 'mine.md'), 'utf8')).toBe('mine')
    await new Federation(root).onboard({ domain: 'api', archetype: 'coding' })
    expect(problemsOf(await examine(root))).toEqual([])
  })

  test('a worktree whose folder is gone, and its branch stays', async () => {
    const { root, fed } = await newPatient()
    git(root, 'worktree', 'add', '--quiet', '-b', 'fed/api', fed('worktrees', 'api'))
    rmSync(fed('worktrees', 'api'), { recursive: true })
    expect((await repairAll(root)).fixed).toMatchObject([{ area: 'git', where: fed('worktrees', 'api') }])
    expect(git(root, 'branch', '--list', 'fed/api').trim()).toBe('fed/api')
  })

  test('what killed senders left in an outbox: recorded when it was delivered, else removed', async () => {
    const { root, inbox, outbox } = await newPatient()
    const [delivered, lost] = ['Delivered', 'Lost'].map((subject) =>
      compose({ from: 'docs', to: 'docs', type: 'report', subject }),
    )
    for (const signal of [delivered, lost])
      writeFileSync(path.join(outbox, `.${signal?.id}.${deadPid}.tmp`), JSON.stringify(signal))
    writeFileSync(path.join(outbox, `.${uuid()}.${process.pid}.tmp`), '{}')
    const file = `${String(delivered?.timestamp.slice(0, 19).replaceAll(':', ''))}Z-report-delivered.json`
    writeFileSync(path.join(inbox, file), JSON.stringify(delivered))
    const { fixed } = await repairAll(root)
    expect(fixed).toMatchObject([{ area: 'mail', message: '2 recorded or removed' }])
    expect(existsSync(path.join(outbox, file))).toBe(true)
    // its sender runs
    expect(readdirSync(outbox).filter((name) => name.endsWith('.tmp'))).toHaveLength(1)
  })

  test('old temporary files of writers in every folder, not those of today or of who runs', async () => {
    const { root, own, fed } = await newPatient()
    const old = [
      own('lifecycle.d', `.${uuid()}.claim`),
      own(`.${uuid()}.${deadPid}-1.tmp`),
      // this process's number, which an earlier one had
      fed('cache', 'survey', `.${uuid()}.${process.pid}-1.tmp`),
      ...['telemetry.d', 'chat/local.d', 'bin'].map((folder) => fed(folder, `.${uuid()}.tmp`)),
    ]
    const files = [...old, fed('team-registry.d', `.${uuid()}.tmp`), temporaryIn(fed('bin'))]
    for (const file of files) {
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, '{}')
    }
    for (const file of [...old, files.at(-1) as string]) age(file, 2)
    mkdirSync(fed('teams', '.api.tmp'))
    writeFileSync(fed('teams', '.api.onboarding.1'), `fed-claim-1 ${deadPid} 1\n`)
    mkdirSync(fed('teams', '.web.tmp'))
    const { pid, started } = identify(process.pid) as ProcessIdentity
    writeFileSync(fed('teams', '.web.onboarding.1'), `fed-claim-1 ${pid} ${started}\n`)
    const { findings } = await repairAll(root)
    expect(problemsOf(findings)).toEqual([])
    expect(files.filter((file) => existsSync(file))).toEqual(files.slice(-2))
    expect(readdirSync(fed('teams')).toSorted()).toEqual(['.web.onboarding.1', '.web.tmp', 'docs'])
  })
})
