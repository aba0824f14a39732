// Proves that a question's words are told apart: what it is about, what only comes along, and forms of one word. Fails when
// a word that every question has stands for a topic, when a topic is dropped, or when one word is taken for another.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMission } from '../../src/surveyor/read-mission.ts'
import { isVague } from '../../src/surveyor/search/question.ts'
import { baseOf, nearness, undoes } from '../../src/surveyor/search/word-forms.ts'

const telling = (question: string): string[] =>
  readMission('', question).subject.filter((word) => !isVague(word))

test.each([
  ['How is payment processed?', ['payment', 'processed']],
  ['How are messages published to Kafka?', ['messages', 'published', 'Kafka']],
  ['What happens when a client goes away while the server writes?', ['client']],
  ["Does the fetcher obey a site's robots.txt?", ['fetcher', 'obey', 'robots', 'txt']],
  ['What is the difference between the two?', []],
  ['Explain the photon torpedoes', ['photon', 'torpedoes']],
  ['Document the architecture of src', ['src']],
])('%s is about %j', (question, words) => {
  expect(telling(question)).toEqual(words)
})

test('a question keeps the words that a mission is told without', () => {
  expect(readMission('', 'How are workflow steps made durable?').topics).toEqual([
    'workflow',
    'steps',
    'durable',
  ])
  expect(readMission('', 'How are tests run in parallel?').aspects).toEqual([])
  expect(readMission('', 'List the external dependencies').aspects).toEqual(['dependencies'])
})

test('forms of grammar are one word, a root is another one, and so is a meaning', () => {
  expect(nearness(baseOf('retries'), baseOf('retried'))).toBe(1)
  expect(nearness(baseOf('reservation'), baseOf('reserve'))).toBe(0.7)
  expect(nearness(baseOf('durable'), baseOf('persist'))).toBe(0.35)
  expect(nearness(baseOf('payment'), baseOf('pay'))).toBe(0)
  expect(undoes('stopChild', ['start', 'child'])).toBe(true)
  expect(undoes('startOrStop', ['start'])).toBe(false)
})

test('what is longer than any word is no word with an ending', () => {
  const letters = 'ab'.repeat(500_000)
  expect(baseOf(letters)).toBe(letters)
})

test('whatever is asked is read', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('constructor __proto__ ?')),
      (text) => {
        const { topics, subject } = readMission('', text)
        expect([topics.length <= 48, subject.every((word) => word !== '')]).toEqual([true, true])
      },
    ),
  )
})
