// Proves that what the doctor says fits a terminal without losing a word, and that programs get each line whole. It
// fails when a line is wider than the terminal, when a path is cut, or when a pipe's reader finds a line broken.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { wrap } from '../../../src/apps/cli/output.ts'
import { builtFed, fed, newFederation, workspaceOf } from '../../support/fed.ts'
import { hasTerminals, openTerminal } from '../../support/terminal.ts'

test('lines fit a terminal: broken at blanks, long paths behind a slash, nothing lost', () => {
  const file = `/very/${'long-folder/'.repeat(12)}deliverable.md`
  const line = `✗ lifecycles    ${file}: it is damaged, and more words than fit into one line of a terminal follow`
  for (const columns of [40, 80, 120]) {
    const lines = wrap(line, columns, 16)
    for (const one of lines) expect(one.length).toBeLessThanOrEqual(columns)
    expect(lines.slice(1).every((one) => one.startsWith(' '.repeat(16)))).toBe(true)
    const joined = lines.map((one, index) => (index === 0 ? one : one.trimStart())).join('')
    expect(joined.replaceAll(' ', '')).toBe(line.replaceAll(' ', ''))
    for (const one of lines) if (one.includes('long-folder')) expect(one).toMatch(/\/$|deliverable|✗/)
  }
  expect(wrap('short', 80, 4)).toEqual(['short'])
  expect(wrap('x'.repeat(100), 40, 4).join('').replaceAll(' ', '')).toBe('x'.repeat(100))
})

test('a word in colours and wide characters count as they are shown', () => {
  expect(wrap('\u001B[31m✗\u001B[0m '.concat('名前 '.repeat(4)), 12, 2)).toEqual([
    '\u001B[31m✗\u001B[0m 名前 名前',
    '  名前 名前',
  ])
})

test.skipIf(!hasTerminals)('the doctor wraps at a terminal, and nowhere else', async () => {
  const root = await newFederation({ docs: 'Explain it' })
  rmSync(path.join(workspaceOf(root, 'docs'), '.fed', 'skills', 'domain-playbook.md'))
  writeFileSync(path.join(root, 'federate.config.json'), '{"agentCommand": "no-such-agent"}')
  const terminal = openTerminal(root, [process.execPath, builtFed, 'doctor'], {
    FED_TELEMETRY_ENABLED: 'false',
  })
  expect(await terminal.exitCode).toBe(1)
  const shown = terminal.shown().replaceAll('\r', '').trimEnd().split('\n')
  expect(shown.filter((line) => line.length > 80)).toEqual([])
  const piped = (await fed(root, ['doctor'])).stdout.trimEnd().split('\n')
  expect(piped.filter((line) => line.length > 80).length).toBeGreaterThan(0)
  expect(shown.length).toBeGreaterThan(piped.length)
  // what is free on the disk may have changed between the two
  const words = (lines: string[]) => lines.join('').replaceAll(/\s+|\d+[GM]iB/g, '')
  expect(words(shown.map((line) => line.trim()))).toBe(words(piped))
})
