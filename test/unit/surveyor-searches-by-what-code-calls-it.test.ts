// Proves that a question finds what code calls its phrases, by rules that hold for any repository. Fails when a phrase leads
// nowhere, when what only helps to test wins over what does it, when variants of one thing fill the first places, when an
// ordinary first word is taken for a subject, or when another language is read as English.
import { expect, test } from 'vitest'
import { readMission } from '../../src/surveyor/read-mission.ts'
import { asideOf } from '../../src/surveyor/search/aside.ts'
import { isForeign } from '../../src/surveyor/search/foreign.ts'
import type { FoundSymbol } from '../../src/surveyor/search/found.ts'
import { holding } from '../../src/surveyor/search/held-terms.ts'
import { hintsOf } from '../../src/surveyor/search/phrases.ts'
import { spread } from '../../src/surveyor/search/twins.ts'

test.each([
  ['What happens while the server is shutting down?', ['shutdown', 'close']],
  ['What if the upload is too big?', ['limit', 'max']],
  ['Are old entries thrown away?', ['discard']],
  ['How does it start over after a fault?', ['restart']],
  ['Is a downtown shop shut?', []],
])('%s is about %j', (question, words) => {
  expect(hintsOf(question)).toEqual(words)
})

test('the phrases of a question are no topics of it, and a mission has none', () => {
  const { topics, hints } = readMission('', 'Are old entries thrown away?')
  expect([topics, hints]).toEqual([['old', 'entries', 'thrown'], ['discard']])
  expect(readMission('', 'Document the cache that shuts down').hints).toEqual([])
})

test('a word that only means the same counts less where it is told to', () => {
  expect(holding(['stop']).text('terminate')).toEqual([0.35])
  expect(holding(['stop'], [0.5]).text('terminate stopped')).toEqual([1])
  expect(holding(['stop'], [0.5]).text('terminate')).toEqual([0.175])
})

test('two parts of a name are one word as well', () => {
  const held = holding(['shutdown', 'host'])
  expect([held.text('shutDownNow'), held.text('hostName'), held.text('downShut')]).toEqual([
    [1, 0],
    [0, 1],
    [0, 0],
  ])
  expect(held.hits('a\nshutdown the_host\n')).toEqual([
    { line: 2, term: 0, near: 1 },
    { line: 2, term: 1, near: 1 },
  ])
})

test.each([
  ['src/pool.ts', [], 1],
  ['fuzzy/cluster.go', [], 0.4],
  ['src/testing.go', [], 0.4],
  ['src/testing.go', ['test'], 1],
  ['src/latest/contest.ts', [], 1],
  ['types/hooks.d.ts', [], 0.5],
])('%s counts %s', (path, asked, share) => {
  expect(asideOf(path, asked)).toBe(share)
})

const symbolOf = (name: string, score: number, owner?: string, path = 'a.ts'): FoundSymbol => ({
  path,
  score,
  symbol: {
    name,
    kind: 'method',
    from: 1,
    line: 1,
    end: 9,
    exported: true,
    ...(owner === undefined ? {} : { owner }),
  },
})

test('variants of one thing stand behind the best of them', () => {
  const found = [
    symbolOf('send', 10, 'Client'),
    symbolOf('sendAsync', 10, 'AsyncClient', 'b.ts'),
    symbolOf('run', 9, 'Engine'),
    symbolOf('runTls', 9, 'Engine'),
    symbolOf('resend', 8, 'Client'),
    symbolOf('runOnce', 5, 'Engine'),
  ]
  expect(spread(found).map(({ symbol }) => symbol.name)).toEqual([
    'send',
    'run',
    'resend',
    'sendAsync',
    'runTls',
    'runOnce',
  ])
})

test.each([
  ['Wie werden die Schritte dauerhaft gespeichert?', true],
  ['Comment les étapes sont-elles rendues durables ?', true],
  ['¿Cómo se guardan los pasos?', true],
  ['How are the steps of the workflow made durable?', false],
  ['Document the de facto routing', false],
  ['Explain the die roll', false],
  ['src/main.ts', false],
])('%s: another language: %s', (text, isOther) => {
  expect(isForeign(text)).toBe(isOther)
  expect(readMission('', text).isForeign).toBe(isOther)
})

test.each([
  ['Imagine I press Ctrl-C while it searches. What happens?', ['Ctrl']],
  ['Suppose that a worker dies: who restarts it?', ['worker', 'dies']],
  ['Can I read the payload again?', ['payload']],
  [
    'How does the router pass an invoice to the printer when it is slow?',
    ['router', 'pass', 'invoice', 'printer'],
  ],
])('%s has the subject %j', (question, words) => {
  expect(readMission('', question).subject).toEqual(words)
})
