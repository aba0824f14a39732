// Proves that repairs take nothing from processes that are at work: teams are onboarded, signals sent and steps
// made while the doctor repairs again and again. It fails when one of them is lost or refused.
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { repairAll } from '../../../src/apps/doctor/examine.ts'
import { isProblem } from '../../../src/monitor/diagnosis/finding.ts'
import { fed, fedJson, newFederation } from '../../support/fed.ts'

beforeAll(() => void vi.stubEnv('FED_TELEMETRY_ENABLED', 'false'))
afterAll(() => void vi.unstubAllEnvs())

const work = new AbortController()
afterAll(() => work.abort())

test('the doctor repairs while others work', async () => {
  const root = await newFederation({ docs: 'Explain it' })
  let rounds = 0
  const doctor = (async () => {
    do {
      await repairAll(root)
      rounds += 1
      // the others' ends are noticed only when this process does nothing
      await turn()
    } while (!work.signal.aborted)
  })()
  const subjects = Array.from({ length: 4 }, (_, index) => `Instruction ${index}`)
  const codes = await Promise.all([
    (async () => {
      const sent = []
      for (const subject of subjects) {
        sent.push(await fed(root, ['send', 'docs', '--type', 'directive', '--subject', subject]))
        sent.push(await fed(root, ['monitor']))
      }
      return sent
    })(),
    (async () => {
      const onboarded = []
      for (const [index, archetype] of ['deliverable', 'coding', 'consultant'].entries())
        onboarded.push(await fed(root, ['onboard', `team-${index}`, '--archetype', archetype]))
      return onboarded
    })(),
  ])
  work.abort()
  await doctor
  expect(codes.flat().filter(({ code }) => code !== 0)).toEqual([])
  expect(rounds).toBeGreaterThan(1)
  const history = await fedJson<{ event: string; outcome: string }[]>(root, ['history', 'docs'])
  expect(history.map(({ event, outcome }) => [event, outcome])).toEqual(
    ['explain-it', ...subjects.map((subject) => subject.toLowerCase().replace(' ', '-'))].map((subject) => [
      `directive.${subject}`,
      'accepted',
    ]),
  )
  const { findings } = await repairAll(root)
  expect(findings.filter(isProblem)).toEqual([])
  expect(await fedJson<object[]>(root, ['status'])).toHaveLength(4)
})
