// Proves that an agent costs no more disk than the bound of its log however much it prints: its first and its last
// words stay, a line between them says how much was left out, and whoever reads the log finds them. It fails when a
// log grows beyond its bound, when a word of what is kept is lost or doubled, or when its times are of other words.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLog } from '../../../src/apps/web/dashboard/log.ts'
import { bytesAt, LogTimes, readLogTimes } from '../../../src/platform/process/log-times.ts'
import { BoundedLog, logBounds, type Cut } from '../../../src/platform/process/bounded-log.ts'
import { SessionReports, readReports, reportsFile } from '../../../src/agents/sessions/session-reports.ts'
import { fed, newFederation, newFolder, workspaceOf } from '../../support/fed.ts'

const bounds = { most: 400, head: 100, tail: 120 }

test('whatever is written: the beginning and the end are there, and the line between them counts', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 60 }), (sizes) => {
      const file = path.join(newFolder('log'), '1-1.log')
      const log = new BoundedLog(file, bounds)
      let all = ''
      for (const [index, size] of sizes.entries()) {
        const words = `${index} ${'word '.repeat(size)}`.slice(0, size - 1).concat('\n')
        all += words
        log.write(words)
        expect(statSync(file).size).toBeLessThanOrEqual(bounds.most)
      }
      log.close()
      const kept = readFileSync(file, 'utf8')
      const [, head, leftOut, tail] =
        /^([^]{100})\n\[(\d+) bytes are left out here: a log holds 400\]\n([^]*)$/.exec(kept) ?? []
      if (head === undefined || tail === undefined) {
        expect(kept).toBe(all)
        return
      }
      expect(all.startsWith(head) && all.endsWith(tail)).toBe(true)
      expect(head.length + Number(leftOut) + tail.length).toBe(all.length)
    }),
  )
})

test('its times say where the words are after each cut, and are bounded themselves', () => {
  const folder = newFolder('log')
  const [file, timesFile] = [path.join(folder, '1-1.log'), path.join(folder, '1-1.times')]
  const log = new BoundedLog(file, bounds)
  const times = new LogTimes(timesFile, 50)
  const begin = Date.parse('2026-11-20T12:00:00Z')
  for (let second = 0; second < 1000; second += 1) {
    const words = `${second}\n`
    const cuts: Cut[] = log.write(words)
    times.grew(words.length, begin + second * 1000)
    for (const cut of cuts) times.cut(cut)
  }
  times.end()
  log.close()
  const notes = readLogTimes(timesFile)
  expect(notes.length).toBeLessThanOrEqual(51)
  for (const { at } of notes.filter(({ bytes }) => bytes > 200)) {
    const text = readFileSync(file, 'utf8').slice(0, bytesAt(notes, at))
    expect(text.endsWith(`\n${(at - begin) / 1000}\n`)).toBe(true)
  }
  expect(bytesAt(notes, begin + 999_000)).toBe(statSync(file).size)
})

test('a page that knows more of a log than there is gets its end anew', () => {
  const file = path.join(newFolder('log'), '1-1.log')
  writeFileSync(file, 'first\nlast\n')
  expect(readLog(file, 5000)).toMatchObject({ from: 0, to: 11, text: 'first\nlast\n' })
})

test('an agent that prints 40 MB and fails: bounded, and the monitor quotes its last words', async () => {
  const root = await newFederation({ docs: 'Document the source' })
  const script = 'echo first; yes word | head -c 40000000; echo "Error: the last word"; exit 7'
  const launched = await fed(root, [
    ...['launch', '--team', 'docs', '--max-sessions', '1'],
    ...['--agent', `sh -c '${script}'`],
  ])
  expect(launched.code).toBe(1)
  const sessions = path.join(workspaceOf(root, 'docs'), '.fed', 'sessions')
  const log = readFileSync(path.join(sessions, '1-1.log'), 'utf8')
  expect(log.startsWith('first\nword\n')).toBe(true)
  expect(log.endsWith('word\nError: the last word\n')).toBe(true)
  expect(log).toMatch(/\n\[\d{8} bytes are left out here/)
  const sizes = readdirSync(sessions).map((name) => statSync(path.join(sessions, name)).size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(logBounds.most + 100_000)
})

test('what an agent reports without end is bounded as well', () => {
  const dir = newFolder('reports')
  mkdirSync(dir, { recursive: true })
  const session = { mission: 1, number: 1 }
  const reports = new SessionReports(reportsFile(dir, session), () => undefined)
  for (let count = 0; count < 1000; count += 1) {
    reports.add({ kind: 'wrote', tool: 'Edit'.repeat(10_000), path: `${count}${'/long'.repeat(10_000)}` })
    reports.add({ kind: 'permission', tool: 'x'.repeat(100_000), answer: 'refused' })
    reports.add({ kind: 'usage', usage: { tokens: count } })
  }
  reports.end()
  expect(statSync(reportsFile(dir, session)).size).toBeLessThan(2_000_000)
  expect(readReports(dir, session).usage).toEqual({ tokens: 999 })
})
