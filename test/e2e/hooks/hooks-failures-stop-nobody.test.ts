// Proves that what a hook's function does (throws, never ends, exits, prints) stops neither a step nor a cycle,
// that it is told once in one line with its place, and that the doctor knows it until the module is changed. It
// also proves that what a killed process did not tell is told later, with the same ids.
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { fed, fedDone, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'
import { addHook, addAuditHook, happened } from '../../support/hook.ts'
import { someOf } from '../../support/thorough.ts'
import { trust } from '../../support/allow-everything.ts'

let root: string
const settings = { env: { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME as string } }

beforeEach(async () => {
  root = await newFederation({ docs: 'Document the app' })
})

const report = (...more: string[]) =>
  fed(root, ['report', 'mission-planned', '--body', 'src/app.ts', '--team', 'docs', ...more], settings)

test.each(
  someOf(
    [
      ['throws', 'throw new Error("no network\\nat all")', 3, 'no network'],
      ['throws what is no error', 'throw "nothing"', 2, 'nothing'],
      ['rejects', 'await Promise.reject(new TypeError("late"))', 3, 'late'],
      ['never ends', 'await new Promise(() => undefined)', 2, 'it did not end within 5 s'],
      ['turns for ever', 'for (;;);', 2, 'it did not end within 5 s'],
      ['exits', 'process.exit(3)', 3, 'it calls process.exit'],
      ['forgets a promise', 'void Promise.reject(new Error("forgotten"))', 3, 'forgotten'],
    ],
    2,
  ),
)('one that %s', async (_, act, line, reason) => {
  addHook(root, `export default {\n  async onTransition() {\n    ${act}\n  },\n}\n`)
  const { code, stdout, stderr } = await report('--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'accepted', to: 'scanning' })
  expect(stderr).toBe(`fed: importHook: hook.ts:${line}: onTransition: ${reason}; 'fed doctor' knows more\n`)
  // the same place is told once
  expect(await fed(root, ['pause', 'docs'], settings)).toMatchObject({ code: 0, stderr: '' })
  const found = async () => {
    const doctor = await fed(root, ['doctor', '--json'], settings)
    const { findings } = JSON.parse(doctor.stdout) as {
      findings: { severity: string; message: string; where?: string }[]
    }
    return findings.filter(({ severity }) => severity === 'warning' || severity === 'error')
  }
  const [finding, ...others] = await found()
  expect(others).toEqual([])
  expect(finding).toMatchObject({
    severity: 'warning',
    where: `${path.join(root, 'hook.ts')}:${line}`,
    message: expect.stringMatching(`onTransition failed at .*, for docs: ${reason}`) as string,
  })
  // a changed module has not failed yet
  const later = new Date(Date.now() + 1000)
  utimesSync(path.join(root, 'hook.ts'), later, later)
  expect(await found()).toEqual([])
})

test.each(
  someOf(
    [
      ['execSync', "execSync('sleep 60')"],
      ['execFileSync', "execFileSync('sleep', ['60'])"],
      ['spawnSync', "spawnSync('sleep', ['60'], { timeout: 50_000 })"],
    ],
    1,
  ),
)('one that waits for a program with %s', async (name, act) => {
  addHook(
    root,
    `import { ${name} } from 'node:child_process'\nexport default {\n  onTransition: () => ${act},\n}\n`,
  )
  const began = performance.now()
  expect(await report()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('hook.ts:3: onTransition: it did not end within 5 s') as string,
  })
  expect(performance.now() - began).toBeLessThan(30_000)
})

test('a broken module stops no team that ships with fed', async () => {
  addHook(root, 'export default = {}')
  expect(await report()).toMatchObject({
    code: 0,
    stderr: "fed: importHook: hook.ts:1: Unexpected token; 'fed doctor' knows more\n",
  })
  expect(await fedJson(root, ['status', 'docs'], settings)).toMatchObject({ state: 'scanning' })
})

test.each(
  someOf(
    [
      ['throws', 'throw new Error("no")', /hook\.ts:3: onHealth: no;/],
      [
        'finds something about nobody',
        'return [{ team: "x", message: "m", fix: "f" }]',
        /onHealth: it found something about 'x', which is no team/,
      ],
      [
        'returns something else',
        'return [{ team: "docs", message: "" }]',
        /onHealth: it must return findings, \[\{ team, message, fix \}\]: 0\.message: is empty/,
      ],
    ],
    2,
  ),
)('a cycle ends whose own check %s', async (_, act, expected) => {
  addHook(root, `export default {\n  onHealth() {\n    ${act}\n  },\n}\n`)
  const { code, stdout, stderr } = await fed(root, ['monitor', '--json'], settings)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ healthy: true })
  expect(stderr).toMatch(expected)
  expect(await fed(root, ['monitor'], settings)).toMatchObject({ code: 0, stderr: '' })
})

test('an initialization that fails is tried again with the next team', async () => {
  addHook(root, 'export default {\n  onInit() {\n    throw new Error("no")\n  },\n}\n')
  const { code, stderr } = await fed(root, ['onboard', 'a', '--archetype', 'deliverable'], settings)
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('hook.ts:3: onInit: no;') as string,
  })
  const right = "onInit: ({ root }) => appendFileSync(root + '/inits', 'x')"
  addHook(root, `import { appendFileSync } from 'node:fs'\nexport default { ${right} }\n`)
  for (const team of ['b', 'c'])
    await fedDone(root, ['onboard', team, '--archetype', 'deliverable'], settings)
  expect(readFileSync(path.join(root, 'inits'), 'utf8')).toBe('x')
})

test('what a killed process did not finish telling is told again with the same ids, also behind a dead claim', async () => {
  addAuditHook(root)
  await report()
  const told = happened(root)
  expect(told.map(({ what }) => what)).toEqual(['signal', 'transition'])
  const life = path.join(workspaceOf(root, 'docs'), '.fed')
  const newest = readdirSync(path.join(life, 'lifecycle.d'))
    .filter((name) => name.endsWith('.done'))
    .toSorted()
    .at(-1)
  rmSync(path.join(life, 'lifecycle.d', newest as string))
  writeFileSync(
    path.join(life, 'hook-calls', `${Number.parseInt(newest as string, 10)}.1`),
    'fed-claim-1 999999 123\n',
  )
  await fedDone(root, ['monitor'], settings)
  expect(happened(root)).toEqual([...told, ...told])
  expect(readdirSync(path.join(life, 'hook-calls'))).toEqual([])
  await fedDone(root, ['monitor'], settings)
  expect(happened(root)).toHaveLength(4)
})

test('a machine of its own that throws or forgets refuses the event, and the team lives on', async () => {
  addAuditHook(root)
  const machine = path.join(root, 'hooks', 'audit-machine.ts')
  const text = readFileSync(machine, 'utf8')
  const spoilt = text
    .replace(
      'scope: ({ event }) => event.signal.body',
      "scope: ({ event }) => (event.signal.body.includes('app') ? 5 : event.signal.body) as never",
    )
    .replace('(event.evidence.findings ?? 0) >= 2', '(event as never as { x: { y: number } }).x.y > 0')
    .replace(
      'mission: ({ event }) =>',
      "mission: ({ event }) => event.signal.body === 'Leave' ? process.exit(0) :",
    )
  writeFileSync(machine, spoilt)
  trust(root)
  await fedDone(root, ['onboard', 'auditors', '--archetype', 'audit', '--mission', 'Audit it'], settings)
  const say = (...words: string[]) => fed(root, ['report', ...words, '--team', 'auditors'], settings)
  expect(await say('scope-set', '--body', 'src/app.ts')).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/^fed: the machine of audit failed: snapshot\.context\.scope: /) as string,
  })
  expect(await say('scope-set', '--body', 'src')).toMatchObject({ code: 0 })
  const line = spoilt.split('\n').findIndex((one) => one.includes('.x.y')) + 1
  expect(await say('risks-logged')).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(
      new RegExp(`^fed: the machine of audit failed: .*hooks/audit-machine\\.ts:${line}: Cannot read`),
    ) as string,
  })
  expect(await fedJson(root, ['status', 'auditors'], settings)).toMatchObject({ state: 'inspecting' })
  const leave = ['onboard', 'others', '--archetype', 'audit', '--mission', 'Leave']
  expect(await fed(root, leave, settings)).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(
      /^fed: others is onboarded, and refuses its mission: the machine of audit failed: /,
    ) as string,
  })
  expect(await fedDone(root, ['history', 'others'], settings)).toMatch(
    /refused .*the machine of audit failed: .*hooks\/audit-machine\.ts:\d+: it calls process\.exit$/m,
  )
})
