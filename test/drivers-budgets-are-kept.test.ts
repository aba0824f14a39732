// A mission may use up so much money, so many tokens or so much time, in all of its sessions: over it the team
// pauses and meta hears why. It fails when an agent goes on, when the sessions before do not count, or when a budget
// is taken that nobody can measure.
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { agent, fed, fedDone, fedJson, newFederation, pathWith } from './support/fed.ts'

let root: string
const program = fileURLToPath(new URL('agents/stream-json.mjs', import.meta.url))
const posing = (...behaviours: string[]) => ({
  env: { PATH: pathWith({ claude: `exec '${process.execPath}' '${program}' ${behaviours.join(',')} "$@"` }) },
})
const launch = (behaviours: readonly string[], ...more: string[]) =>
  fed(root, ['launch', '--team', 'docs', '--agent', 'claude', ...more], posing(...behaviours))

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain the answer' })
})

test.each([
  ['3000tokens', /used up \d+ tokens, and may use up 3000 tokens/],
  ['0.05min', /used up 0\.\d minutes, and may use up 0\.1 minutes/],
])('%s: over it the team pauses, and meta is alerted', async (budget, words) => {
  const { code, stderr } = await launch(['costly'], '--budget', budget)
  expect([code, stderr]).toEqual([5, expect.stringMatching(words)])
  expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ state: 'paused', status: 'paused' })
  const mail = await fedJson<{ type: string; subject: string; body: string }[]>(root, ['inbox', 'meta'])
  expect(mail.filter(({ type }) => type === 'alert')).toMatchObject([
    { subject: 'Budget used up', body: expect.stringMatching(words) },
  ])
})

test('what the sessions before used up counts, and a larger budget goes on', async () => {
  const first = await launch(['costly'], '--budget', '2000tokens')
  expect(first.code).toBe(5)
  await fedDone(root, ['resume', 'docs'])
  const again = await launch(['good'], '--budget', '2000tokens')
  expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('has used up')])
  expect(await launch(['good'], '--budget', '900000tokens')).toMatchObject({ code: 0 })
})

test.each(['5', '5eur', '-1usd', '0min', 'usd'])('%j is no budget', async (budget) => {
  const { code, stderr } = await launch(['good'], `--budget=${budget}`)
  expect([code, stderr]).toEqual([2, expect.stringContaining('2.50usd, 200000tokens or 45min')])
})

test('what an agent does not tell cannot be a budget; time can', async () => {
  const raw = (budget: string) =>
    fed(root, ['launch', '--team', 'docs', '--agent', agent('good'), '--budget', budget])
  expect(await raw('5usd')).toMatchObject({ code: 2, stderr: expect.stringContaining('give it in minutes') })
  expect(await raw('5min')).toMatchObject({ code: 0 })
})
