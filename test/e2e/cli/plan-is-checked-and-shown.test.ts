// `fed plan` checks a plan with line numbers and shows it in the order in which its tasks may begin, in a federation and
// where there is none. It fails when a fault ends with exit 0, or when the page for scripts holds anything else.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fed, newFolder } from '../../support/fed.ts'

const plan = `goal: Tell how prices are made
budget: 20usd
tasks:
  - id: note
    mission: Tell what changed
    after: [survey]
    gate: { ask: Publish it?, within: 4h, otherwise: stop }
  - id: survey
    mission: Where are prices computed?
`

test('in a folder of nobody: checked, shown, and refused with each fault', async () => {
  const folder = newFolder('plan')
  writeFileSync(path.join(folder, 'plan.yaml'), plan)
  expect(await fed(folder, ['plan'])).toMatchObject({ code: 0, stdout: 'nothing is wrong with it\n' })
  const { code, stdout } = await fed(folder, ['plan', 'show'])
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^1 +survey .*\n2 +note .*Publish it\? \(4h, otherwise stop\)[^]*it may use up 20usd/m,
    ),
  ])
  writeFileSync(path.join(folder, 'plan.yaml'), plan.replace('[survey]', '[survye]').replace('4h', 'soon'))
  expect(await fed(folder, ['plan', 'check'])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^plan\.yaml:6 .*did you mean 'survey'\?\nplan\.yaml:7 .*is no time/),
  })
  expect(await fed(folder, ['plan', 'show'])).toMatchObject({ code: 2, stdout: '' })
  const json = await fed(folder, ['plan', 'check', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({
    problems: [{ line: 6 }, { line: 7, path: 'tasks.1.gate.within' }],
  })
  expect(await fed(folder, ['plan', 'check', 'other.yaml'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no file other.yaml'),
  })
})
