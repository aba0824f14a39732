// Proves that the doctor sees a damaged learning log and skills that are not what an agent needs, and that no
// repair costs a line or a word. It fails when damage stays unseen, or a repair changes what somebody wrote.
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { fed, fedDone, newFederation, workspaceOf } from '../../support/fed.ts'
import { installedFed } from '../../support/installed-fed.ts'

interface Found {
  readonly severity: string
  readonly area: string
  readonly where: string
  readonly message: string
  readonly fix: string
  readonly repairable: boolean
}

let root: string
const inside = (...names: string[]) => path.join(workspaceOf(root, 'docs'), '.fed', ...names)
const diagnose = async (area: string, args: string[] = [], settings = {}) => {
  const { code, stdout } = await fed(root, ['doctor', '--json', ...args], settings)
  const { findings } = JSON.parse(stdout) as { findings: Found[] }
  return { code, findings: findings.filter((one) => one.area === area) }
}

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain it' })
  await fedDone(root, ['learn', 'One', '--team', 'docs'])
})

test('lines of a learning log that are no findings are named, and --fix leaves them alone', async () => {
  const log = inside('learnings.jsonl')
  expect((await diagnose('learnings')).findings).toEqual([])
  appendFileSync(log, '{"torn\n{"domain":"docs"}\n')
  await fedDone(root, ['learn', 'Two', '--team', 'docs'])
  const before = readFileSync(log, 'utf8')
  for (const args of [[], ['--fix']]) {
    const { code, findings } = await diagnose('learnings', args)
    expect([code, findings]).toMatchObject([
      1,
      [
        {
          severity: 'warning',
          where: log,
          message: expect.stringMatching(/^docs: lines 2, 3 are no findings and passed over; line 2: /),
          repairable: false,
        },
      ],
    ])
  }
  expect(readFileSync(log, 'utf8')).toBe(before)
})

test('a learning log that cannot be read at all is an error', async () => {
  rmSync(inside('learnings.jsonl'))
  mkdirSync(inside('learnings.jsonl'))
  expect((await diagnose('learnings')).findings).toMatchObject([
    { severity: 'error', message: expect.stringContaining('a folder'), repairable: false },
  ])
})

test('a skill that the team removed is a note, the playbook a warning that --fix repairs', async () => {
  rmSync(inside('skills', 'diagram-tools.md'))
  expect(await diagnose('skills')).toMatchObject({
    code: 0,
    findings: [
      {
        severity: 'note',
        where: inside('skills', 'diagram-tools.md'),
        fix: "'fed skills sync docs --restore'",
      },
    ],
  })
  rmSync(inside('skills', 'domain-playbook.md'))
  expect((await diagnose('skills')).findings).toMatchObject([
    { severity: 'warning', repairable: true },
    { severity: 'note' },
  ])
  expect((await diagnose('skills', ['--fix'])).code).toBe(0)
  expect(readFileSync(inside('skills', 'domain-playbook.md'), 'utf8')).toContain('# Domain playbook')
})

test('a newer skill, one that lies beside the own and one that is no file are told', async () => {
  const release = installedFed()
  for (const skill of ['report-templates.md', 'domain-playbook.md'])
    release.ship(skill, (text) => text.replace(/^# .*$/m, '# Newer'))
  const playbook = inside('skills', 'domain-playbook.md')
  writeFileSync(playbook, readFileSync(playbook, 'utf8').replace(/^# .*$/m, '# Ours'))
  rmSync(inside('skills', 'diagram-tools.md'))
  mkdirSync(inside('skills', 'diagram-tools.md'))
  const messages = async () =>
    (await diagnose('skills', [], release)).findings.map(({ severity, message }) => `${severity} ${message}`)
  expect(await messages()).toEqual([
    'warning docs: it is a folder, not a regular file, and the agent is told to read it',
    'note docs: a newer one ships with fed',
    'note docs: a newer one ships with fed',
  ])
  expect((await fed(root, ['skills', 'sync', 'docs'], release)).code).toBe(1)
  expect(await messages()).toEqual([
    'warning docs: it is a folder, not a regular file, and the agent is told to read it',
    'note docs: a newer one lies beside it',
  ])
})
