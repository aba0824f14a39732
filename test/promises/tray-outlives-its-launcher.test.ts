// Proves that what an agent asks counts once although its launcher is killed, with all that it started, again and
// again in the middle of its requests. It fails when a request that was answered has no effect, when any has two, or
// when the next launcher leaves something in a tray.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { SignalMessage } from '../../src/index.ts'
import { agent, fed, fedJson, newFederation, startFed, workspaceOf } from '../support/fed.ts'
import { tries } from '../support/thorough.ts'
import { until } from '../support/until.ts'

const kills = tries(18)
/** Of each life two are answered, and the one at which it ends may be lost. */
const count = 4 * kills

test('killed in the middle, again and again', async () => {
  const root = await newFederation({ docs: 'Explain the answer' })
  const workspace = workspaceOf(root, 'docs')
  const launch = ['launch', '--team', 'docs', '--agent', agent('persistent', String(count))]
  const told = () => {
    const file = path.join(workspace, 'said.jsonl.told')
    return existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : []
  }
  for (let kill = 1; kill <= kills; kill += 1) {
    const launcher = startFed(root, launch)
    const before = told().length
    await until('two more requests', () => told().length >= before + 2)
    launcher.kill('SIGKILL')
    await launcher.ended
  }
  await fed(root, launch)
  expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ state: 'failed' })
  const findings = await fedJson<{ content: string }[]>(root, ['learnings', 'docs'])
  const mail = await fedJson<SignalMessage[]>(root, ['inbox', 'meta', '--all'])
  const learned = findings.map(({ content }) => content)
  const sent = mail.filter(({ subject }) => subject.startsWith('Report ')).map(({ subject }) => subject)
  expect(new Set(learned).size).toBe(learned.length)
  expect(new Set(sent).size).toBe(sent.length)
  for (const { number, codes } of told() as { number: number; codes: (number | null)[] }[]) {
    if (codes[0] === 0) expect(learned).toContain(`Finding ${number}.`)
    if (codes[1] === 0) expect(sent).toContain(`Report ${number}`)
  }
  for (const end of ['tray', 'answers']) expect(readdirSync(path.join(workspace, '.fed', end))).toEqual([])
})
