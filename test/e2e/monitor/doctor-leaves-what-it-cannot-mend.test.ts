// Proves that what nobody can repair without losing something is reported with its file and left byte by byte as it
// is, also under a repair. It fails when the doctor mends what it can only guess, or says that it did.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { repairAll } from '../../../src/apps/doctor/examine.ts'
import { compose } from '../../../src/records/signals/compose.ts'
import {
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
import { someOf } from '../../support/thorough.ts'

beforeAll(() => void vi.stubEnv('FED_TELEMETRY_ENABLED', 'false'))
afterAll(() => void vi.unstubAllEnvs())

/** What nobody can repair without losing something. */
const hopeless: readonly [string, (patient: Patient) => string, RegExp][] = [
  [
    'a damaged newest version that was not published yet',
    ({ lifecycle }) => {
      const [before, last] = versionsOf(lifecycle).slice(-2) as [number, number]
      overwrite(lifecycle, readFileSync(versionOf(lifecycle, before), 'utf8'))
      half(versionOf(lifecycle, last))
      return versionOf(lifecycle, last)
    },
    /the newest, is damaged: not JSON/,
  ],
  [
    'a newest version and a published file that are both damaged',
    ({ lifecycle }) => (half(lifecycle), half(newest(lifecycle)), newest(lifecycle)),
    /the newest, is damaged/,
  ],
  [
    'a hole in the history',
    ({ lifecycle }) => {
      rmSync(versionOf(lifecycle, 2))
      return versionOf(lifecycle, 3)
    },
    /after version 1 comes 3/,
  ],
  [
    'an older version that is damaged',
    ({ lifecycle }) => (half(versionOf(lifecycle, 2)), versionOf(lifecycle, 2)),
    /a hole/,
  ],
  [
    'a state that the machine has not',
    ({ lifecycle }) => {
      const text = readFileSync(lifecycle, 'utf8').replace('"preparing"', '"dreaming"')
      overwrite(lifecycle, text)
      overwrite(newest(lifecycle), text)
      return lifecycle
    },
    /snapshot\.value: .*dreaming/,
  ],
  [
    'a workspace that is gone',
    ({ workspace, root }) => (renameSync(workspace, path.join(root, 'elsewhere')), workspace),
    /its workspace is missing/,
  ],
  [
    'a workspace under another name',
    ({ workspace }) => (renameSync(workspace, `${workspace}-old`), `${workspace}-old`),
    /it holds a team's life, but not that of docs-old/,
  ],
  [
    'a workspace that says it is another team',
    ({ own }) => {
      overwrite(own('team.json'), readFileSync(own('team.json'), 'utf8').replace('"docs"', '"api"'))
      return own('team.json')
    },
    /team is 'api', but it is registered with 'docs'/,
  ],
  [
    'mail for somebody else',
    ({ inbox }) => {
      const signal = compose({ from: 'meta', to: 'api', type: 'report', subject: 'Strayed' })
      writeFileSync(path.join(inbox, 'strayed.json'), JSON.stringify(signal))
      return path.join(inbox, 'strayed.json')
    },
    /it is for api/,
  ],
  [
    'a document that a finished team no longer has',
    ({ lifecycle, workspace }) => {
      const text = readFileSync(lifecycle, 'utf8')
        .replace('"active"', '"done"')
        .replace(/"value": \{[^}]*\}/, '"value": "complete"')
      overwrite(lifecycle, text)
      overwrite(newest(lifecycle), text)
      return path.join(workspace, 'deliverable.md')
    },
    /docs is complete, but its deliverable is not there/,
  ],
  [
    'a session record that is damaged',
    ({ own }) => (
      mkdirSync(own('sessions')),
      writeFileSync(own('sessions', '1-1.json'), '{'),
      own('sessions', '1-1.json')
    ),
    /it is damaged/,
  ],
]

test.each(someOf(hopeless, 9))('%s is reported and left as it is', async (_, damage, message) => {
  const patient = await newPatient()
  const place = damage(patient)
  const before = everythingIn(patient.fed())
  const { fixed, findings } = await repairAll(patient.root)
  expect(fixed).toEqual([])
  expect(problemsOf(findings)).toContainEqual({
    severity: expect.stringMatching(/error|warning/),
    area: expect.anything(),
    where: place,
    message: expect.stringMatching(message),
    fix: expect.any(String),
  })
  expect(everythingIn(patient.fed())).toEqual(before)
})

test('a team whose damage is put back by hand is whole again', async () => {
  const patient = await newPatient()
  const copy = `${newest(patient.lifecycle)}.copy`
  cpSync(newest(patient.lifecycle), copy)
  half(patient.lifecycle)
  half(newest(patient.lifecycle))
  expect(problemsOf((await repairAll(patient.root)).findings)).not.toEqual([])
  overwrite(newest(patient.lifecycle), readFileSync(copy, 'utf8'))
  expect(problemsOf((await repairAll(patient.root)).findings)).toEqual([])
})
