// Proves that what is not understood whole does nothing: prose that begins like a command, an order with a "don't", an
// "until" or an "or" is left to whoever understands more, and only guessed at. It fails when half of a sentence is done.
import { expect, test } from 'vitest'
import { commandOf, guessAt } from '../../src/apps/chat/language/understand.ts'
import { saidTo } from '../../src/apps/chat/mention.ts'

const teams = ['docs', 'api', 'pricing', 'site-map']

test.each([
  "don't pause docs",
  'please don’t stop docs',
  'never archive docs',
  'do not resume anyone except docs',
  'would you not pause docs?',
  'should I pause docs?',
  'pause docs? resume api',
  'pause docs?\nresume api',
  'pause docs\nactually resume it',
  'pause docs\ndo not resume api',
  'not yet:\npause docs\nresume api',
  'can we pause docs?',
  'when should I pause docs?',
  'how do I pause docs?',
  'Are you sure you want to stop all agents?',
  "pause everything till I'm back from vacation",
  'Resume the paused docs and leave every other team unchanged',
  'Pause the current goal',
  'who has capacity',
  'pause docs?',
  'pause the rollout of docs until tomorrow',
  'run the tests',
  'pause docs until tomorrow',
  'pause docs at 5pm',
  'pause docs for 10 minutes',
  'pause docs, not api',
  'resume docs but not api',
  'pause docs or api',
  'pause any team',
  'resume the others',
  'launch everything that isn’t running',
  'who’s not done yet?',
  'launch docs with claude',
  'pause docs if it fails',
  'archive docs once it’s finished',
  'if docs is done, archive it',
  'I think we should pause docs',
  'leave docs paused',
  'stop docs from writing',
  'restart docs',
  'delete all teams',
  'cancel that',
  'never mind',
  'and now?',
  'docs, which port?',
  'pause dоcs',
  'please summarise what docs found',
  'status of the build pipeline',
  'launch ../../etc/passwd',
  'pause docs; rm -rf /',
  'I pause docs',
  'we launch api',
  'pause one of them',
  'archive the api docs',
  'resume the docs of api',
  'pause docs and api and resume it',
  'pause docs, actually resume it',
  'pause docs for a bit and then resume it',
  'tell docs to pause?',
  'tell everyone else to hurry',
  'tell everyone in docs to hurry',
  'tell them, except docs, to hurry',
  'tell those who are paused to go on',
  'tell anyone who asks that we are late',
  'tell docs to pause and api to resume',
  'tell docs, api broke the build',
  'ask docs or api which port',
])('%j is left to whoever understands more', (said) => {
  expect(commandOf(said, teams)).toMatchObject({ kind: 'free' })
})

test.each([
  ['pasue docs', ['pause docs'], false],
  ['please laucnh api and docs', ['launch api and docs'], false],
  ['statsu', ['status'], false],
  ['pause docs until tomorrow', ['pause docs'], false],
  ["don't pause docs", ['pause docs'], true],
  ['restart docs', ['resume docs', 'launch docs'], false],
  ['kill api, docs', ['pause api, docs', 'archive api, docs'], false],
  ['go', [], false],
])('of %j, %j is guessed', (said, meant, isNegated) => {
  expect(guessAt(said, teams)).toEqual({ meant, isNegated })
})

test('is read in little time, however its signs are heaped up', () => {
  for (const sign of ['!', '? ', '`', '> ', '@', 'ok ', '@shop ', 'and ', 'pause docs and ', 'docs,', 'not '])
    for (const text of [
      `${sign.repeat(16_000)}x`,
      `${sign.repeat(60)}`.slice(0, 499),
      `tell docs ${sign.repeat(10_000)}x`,
    ]) {
      commandOf(saidTo('shop', `@shop ${text}`) ?? '', teams)
      guessAt(saidTo('shop', `@shop ${text}`) ?? '', teams)
    }
})
