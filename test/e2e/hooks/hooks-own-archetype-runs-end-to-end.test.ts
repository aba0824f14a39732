// Proves that an archetype of a federation's own hook is lived by real commands and a real agent like one that
// ships: onboarded, launched, refused, paused, drawn, completed, examined. It fails when any command knows only
// the built-in ones, or when the hook is told something else than what happened.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { isBlocked } from '../../../src/apps/chat/whom.ts'
import { agent, fed, fedDone, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'
import { addAuditHook, happened } from '../../support/hook.ts'

let root: string
const mission = 'Audit the app'
const settings = { env: { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME as string } }

let audited: Awaited<ReturnType<typeof fed>>

beforeAll(async () => {
  root = await newFederation({ docs: 'Document the app' })
  addAuditHook(root)
  const args = ['run', mission, '--archetype', 'audit', '--agent', agent('auditing'), '--json']
  audited = await fed(root, args, settings)
})

test('an agent sees an audit through, and the hook hears of each signal and each move', async () => {
  const { code, stdout, stderr } = audited
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(JSON.parse(stdout)).toMatchObject({ team: 'auditors', state: 'complete' })
  const all = happened(root)
  // of the first mission
  const told = all.slice(0, 1 + all.findIndex(({ to }) => to === 'complete'))
  expect(told.map(({ what, subject, from, to }) => [what, subject ?? `${from} to ${to}`])).toEqual([
    ['init', 'undefined to undefined'],
    ['signal', mission],
    ['signal', 'scope-set'],
    ['transition', 'scoping to inspecting'],
    ['signal', 'risks-logged'],
    ['transition', 'inspecting to writing'],
    ['signal', 'audit-written'],
    ['transition', 'writing to complete'],
  ])
  // what the hook wrote is no change of the codebase
  const mail = await fedJson<{ type: string }[]>(root, ['inbox', 'meta', '--all'], settings)
  expect(mail.filter(({ type }) => type !== 'report')).toEqual([])
  const ids = told.flatMap(({ id }) => (id === undefined ? [] : [id]))
  expect(new Set(ids).size).toBe(ids.length)
})

test('what its machine remembers is persisted, and its own skill is installed', async () => {
  const { snapshot } = JSON.parse(
    readFileSync(path.join(workspaceOf(root, 'auditors'), '.fed', 'lifecycle.json'), 'utf8'),
  ) as { snapshot: unknown }
  expect(snapshot).toMatchObject({ value: 'complete', context: { scope: 'src/app.ts', verdict: 'pass' } })
  const skills = path.join(workspaceOf(root, 'auditors'), '.fed', 'skills')
  expect(readFileSync(path.join(skills, 'audit-standards.md'), 'utf8')).toMatch(/^# Audit standards$/m)
  expect(await fedDone(root, ['skills', 'list', 'auditors'], settings)).toMatch(
    /audit-standards\.md +current/,
  )
})

test('its agent is told its own way, role and refusals', async () => {
  await fedDone(root, ['onboard', 'second', '--archetype', 'audit', '--mission', mission], settings)
  const prompt = await fedDone(root, ['prompt', 'second'], settings)
  for (const words of [
    'Your role: Auditor.',
    '1. scoping (now): read the mission and name what is audited, then `fed report scope-set',
    'Study the codebase read-only',
    'audit-standards.md',
  ])
    expect(prompt).toContain(words)
  await fedDone(root, ['report', 'scope-set', '--body', 'src/app.ts', '--team', 'second'], settings)
  const refused = await fed(root, ['report', 'risks-logged', '--team', 'second'], settings)
  expect(refused).toMatchObject({
    code: 5,
    stderr:
      'fed: report.risks-logged needs that the learning log holds at least two findings since the mission began\n',
  })
  for (const [command, state] of [
    ['pause', 'paused'],
    ['resume', 'inspecting'],
  ] as const) {
    await fedDone(root, [command, 'second'], settings)
    expect(await fedJson(root, ['status', 'second'], settings)).toMatchObject({ state })
  }
  const status = await fedJson<{ accepts: unknown[] }>(root, ['status', 'second'], settings)
  expect(status.accepts).toContainEqual({
    event: 'report.risks-logged',
    missing: ['the learning log holds at least two findings since the mission began'],
  })
})

test('it is drawn, completed and examined like the others', async () => {
  await fedDone(root, ['onboard', 'fourth', '--archetype', 'audit', '--mission', mission], settings)
  await fedDone(root, ['report', 'scope-set', '--body', 'src/app.ts', '--team', 'fourth'], settings)
  expect(await fedDone(root, ['diagram', 'audit', '--format', 'mermaid'], settings)).toMatch(/saysVerdict/)
  expect(await fedDone(root, ['diagram', 'fourth', '--format', 'svg'], settings)).toMatch(
    /^<svg[^]*inspecting/,
  )
  const completed = async (...words: string[]) => fedDone(root, ['__complete', '--', ...words], settings)
  expect(await completed('onboard', 'x', '--archetype', 'au')).toBe(
    'audit\tAudits one area of the code, and says whether it passes\n',
  )
  expect(await completed('report', '--team', 'fourth', 'risk')).toMatch(/^risks-logged\t/)
  const { stdout } = await fed(root, ['doctor', '--json'], settings)
  const { findings } = JSON.parse(stdout) as { findings: { severity: string; area: string }[] }
  expect(findings.filter(({ severity }) => severity === 'error' || severity === 'warning')).toEqual([])
})

test("a monitoring cycle shows what the hook's own check found", async () => {
  await fedDone(root, ['onboard', 'third', '--archetype', 'audit'], settings)
  const { code, stdout } = await fed(root, ['monitor', '--json'], settings)
  expect(code).toBe(1)
  const { findings, healthy } = JSON.parse(stdout) as { findings: object[]; healthy: boolean }
  expect(healthy).toBe(false)
  expect(findings).toContainEqual({
    kind: 'hook',
    team: 'third',
    message: 'nobody set a scope yet',
    fix: "'fed launch --team third' sets one",
  })
})

test('a reset begins the next audit, and keeps the last one', async () => {
  await fedDone(root, ['launch', '--team', 'auditors', '--reset', '--agent', agent('auditing')], settings)
  const status = await fedJson(root, ['status', 'auditors'], settings)
  expect(status).toMatchObject({ state: 'complete', missionNumber: 2 })
  expect(
    existsSync(path.join(workspaceOf(root, 'auditors'), '.fed', 'missions', '1', 'deliverable.md')),
  ).toBe(true)
})

test('without its hook its teams are told by name, and the others live on', async () => {
  const bare = await newFederation({ docs: 'Document the app' })
  addAuditHook(bare)
  await fedDone(bare, ['onboard', 'auditors', '--archetype', 'audit'], settings)
  writeFileSync(path.join(bare, 'federate.config.json'), '{}')
  expect(await fed(bare, ['status', 'auditors'])).toMatchObject({
    code: 2,
    stderr: "fed: no archetype 'audit'; there are deliverable, coding, consultant, coordinator\n",
  })
  expect(await fedJson(bare, ['status', 'docs'])).toMatchObject({ state: 'preparing' })
  const { stdout } = await fed(bare, ['monitor', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    teams: [
      { team: 'docs', state: 'preparing' },
      { team: 'auditors', state: null, findings: [{ kind: 'unreadable' }] },
    ],
  })
})

test('a team that ended is blocked in the chat where it failed, whatever a good end is called', () => {
  const blocked = ['published', 'complete', 'failed'].filter((state) =>
    isBlocked({ state, finished: true, paused: false, waits: false }, false),
  )
  expect(blocked).toEqual(['failed'])
})
