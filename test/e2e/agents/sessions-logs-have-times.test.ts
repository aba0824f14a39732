// Proves that of what an agent printed it is known how much there was at any moment. Fails when words are dated
// before they were printed, when a silence moves them to its end, or when a log without times is cut.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readLog } from '../../../src/apps/web/dashboard/log.ts'
import { ProcessOutput } from '../../../src/platform/process/process-output.ts'
import { bytesAt, LogTimes, readLogTimes } from '../../../src/platform/process/log-times.ts'
import { newFolder } from '../../support/fed.ts'

const begin = Date.parse('2026-11-20T12:00:00Z')
const at = (seconds: number) => begin + seconds * 1000

test('what was printed has its time within a second, also before a long silence', () => {
  const file = path.join(newFolder('times'), '1-1.times')
  const times = new LogTimes(file)
  for (const [seconds, bytes] of [
    [0, 10],
    [0.2, 10],
    [0.9, 10],
    [600, 5],
    [600.5, 5],
  ] as const)
    times.grew(bytes, at(seconds))
  times.end()
  const read = readLogTimes(file)
  expect([-1, 0, 0.9, 599, 600, 601].map((seconds) => bytesAt(read, at(seconds)))).toEqual([
    0, 10, 30, 30, 35, 40,
  ])
  writeFileSync(file, 'no line\n1 \n9999999999999999 1\n-1 5\n')
  expect(readLogTimes(file)).toEqual([])
})

test("an agent's output is noted as it is logged, and stops for no note that fails", async () => {
  const folder = newFolder('times')
  const [log, times] = [path.join(folder, '1-1.log'), path.join(folder, '1-1.times')]
  const print = async (timesFile: string) => {
    const agent = spawn(process.execPath, ['-e', 'console.log("grün"); console.error("ä")'])
    const output = new ProcessOutput(agent, { log, times: timesFile }, () => undefined)
    await once(agent, 'close')
    await output.end()
  }
  await print(times)
  expect(bytesAt(readLogTimes(times), Date.now())).toBe(statSync(log).size)
  mkdirSync(path.join(folder, 'in the way'))
  await print(path.join(folder, 'in the way'))
  expect(readFileSync(log, 'utf8').match(/grün/g)).toHaveLength(2)
})

test('a part of a log ends where it was to end, and a line without an end is shown', () => {
  const folder = newFolder('log')
  const file = path.join(folder, '1-1.log')
  writeFileSync(file, `one\ntwo\n${'long'.repeat(100)}\n`)
  expect(readLog(file, 0, 7)?.text).toBe('one\ntwo')
  expect(readLog(file, -5, 8)?.text).toBe('two\n')
  expect(readLog(file, -20)?.text).toBe(`${'long'.repeat(5).slice(1)}\n`)
})
