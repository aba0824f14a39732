// Proves that an agent whose launcher and gate were both killed, so that nobody was left to end it, is ended before
// the team's next agent begins. It fails when two agents work at once, or when one is left behind.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { identify, processStat } from '../../src/platform/process/process-identity.ts'
import { agent, fedDone, newFederation, startFed, workspaceOf } from '../support/fed.ts'
import { statusOf } from '../support/standing.ts'
import { until } from '../support/until.ts'

const isGone = (pid: number) => identify(pid) === undefined

test.skipIf(process.platform !== 'linux')('the agent of a launcher and a gate that were killed', async () => {
  const root = await newFederation({ docs: 'Explain it' })
  const sessions = path.join(workspaceOf(root, 'docs'), '.fed', 'sessions')
  const launcher = startFed(root, [
    ...['launch', '--team', 'docs', '--agent', agent('waiting')],
    // within walls an agent knows itself by another number than whoever looks for it here
    ...['--confinement', 'off'],
  ])
  const log = path.join(sessions, '1-1.log')
  const abandoned = await until('the agent at work', () => {
    const ready = existsSync(log) ? /ready (\d+)\n/.exec(readFileSync(log, 'utf8')) : null
    return ready === null ? undefined : Number(ready[1])
  })
  onTestFinished(() => {
    if (!isGone(abandoned)) process.kill(abandoned, 'SIGKILL')
  })
  const { process: gate } = JSON.parse(readFileSync(path.join(sessions, '1-1.json'), 'utf8')) as {
    process: { pid: number }
  }
  // both at one moment: a gate that sees its launcher die ends the agent itself
  process.kill(gate.pid, 'SIGSTOP')
  launcher.kill('SIGKILL')
  await launcher.ended
  process.kill(gate.pid, 'SIGKILL')
  await until('the gate to be gone', () => isGone(gate.pid))
  expect(processStat(abandoned)?.[2]).toBe(String(gate.pid))
  await fedDone(root, ['launch', '--team', 'docs', '--agent', agent('good')])
  expect(isGone(abandoned)).toBe(true)
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete' })
})
