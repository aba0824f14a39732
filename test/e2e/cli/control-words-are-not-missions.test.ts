// Proves that a control word with one letter wrong becomes no mission and no instruction, wherever a directive can be
// given, and that whoever means it can say so. It fails when "pauze" is worked on while the team goes on working, or
// when a real mission is refused.
import { beforeEach, describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { controlSubjects } from '../../../machines/guards.ts'
import { openFederation, UsageError, type TeamStatus } from '../../../src/index.ts'
import { acts } from '../../../src/apps/web/dashboard/acts.ts'
import { kebab } from '../../../src/protocol/event-name.ts'
import { almostControl } from '../../../src/federation/control-word.ts'
import { agent, fed, fedDone, fedJson, newFederation } from '../../support/fed.ts'

/** Damerau-Levenshtein distance (optimal string alignment), as the books have it. */
function distance(one: string, other: string): number {
  const [a, b] = [[...one], [...other]]
  const rows = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (__, column) => (row === 0 ? column : column === 0 ? row : 0)),
  )
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= a.length; row += 1) {
    for (let column = 1; column <= b.length; column += 1) {
      const isEqual = a[row - 1] === b[column - 1]
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      ;(rows[row] as number[])[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isEqual ? 0 : 1),
        row > 1 && column > 1 && isSwap ? at(row - 2, column - 2) + 1 : Infinity,
      )
    }
  }
  return at(a.length, b.length)
}

describe('what is almost a control word', () => {
  const word = fc.constantFrom(...controlSubjects)
  const letter = fc.constantFrom(...'abcdegimnoprstuz-é𝒜')
  /** Words near a control word: up to two of its letters are changed. */
  const near = fc
    .tuple(word, fc.array(fc.tuple(fc.nat(20), fc.nat(2), letter), { maxLength: 2 }))
    .map(([given, slips]) =>
      slips.reduce((text, [place, removed, added]) => {
        const letters = [...text]
        letters.splice(place % (letters.length + 1), removed, ...(removed === 2 ? [] : [added]))
        return letters.join('')
      }, given),
    )
  const swapped = fc.tuple(word, fc.nat(20)).map(([given, place]) => {
    const letters = [...given]
    const at = place % (letters.length - 1)
    letters.splice(at, 2, letters[at + 1] as string, letters[at] as string)
    return letters.join('')
  })

  test('is at a distance of 1, as a slow reference has it', () => {
    fc.assert(
      fc.property(fc.oneof(near, swapped, fc.string()), (text) => {
        const given = kebab(text)
        const isNear = controlSubjects.some((one) => distance(given, one) === 1)
        const expected = isNear && !controlSubjects.includes(given)
        expect(almostControl(text) !== undefined).toBe(expected)
        if (expected) expect(distance(given, almostControl(text) as string)).toBe(1)
      }),
      { numRuns: 3000 },
    )
  })

  test.each([
    ['pauze', 'pause'],
    ['Pasue', 'pause'],
    ['RESUM', 'resume'],
    ['merge', 'merged'],
    ['Changes request', undefined],
    ['changes-requestd', 'changes-requested'],
    ['change requested', 'changes-requested'],
    ['Resume', undefined],
    ['Document the pause button', undefined],
  ])('%s: %s', (given, meant) => {
    expect(almostControl(given)).toBe(meant)
  })
})

describe('it is refused by', () => {
  let root: string
  const meant = "'pauze' is almost the control word 'pause': did you mean"
  const status = () => fedJson<TeamStatus>(root, ['status', 'docs'])

  beforeEach(async () => {
    root = await newFederation({ docs: undefined })
  })

  test('fed send, which sends it when it is meant', async () => {
    const send = ['send', 'docs', '--type', 'directive', '--subject', 'pauze', '--body', 'Pauze is a word']
    expect(await fed(root, send)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${meant} 'fed pause docs'? --as-mission`),
    })
    expect(await fedJson(root, ['inbox', 'docs', '--all'])).toEqual([])
    await fedDone(root, [...send, '--as-mission'])
    await fed(root, ['monitor'])
    expect((await status()).mission).toMatchObject({ subject: 'pauze' })
    await fedDone(root, ['send', 'docs', '--type', 'directive', '--subject', 'PAUSE'])
    await fed(root, ['monitor'])
    expect(await status()).toMatchObject({ state: 'paused' })
    // only a directive steers
    await fedDone(root, ['send', 'docs', '--type', 'report', '--subject', 'pauze'])
  })

  test('fed run, which runs it when it is meant', async () => {
    const run = ['run', 'merge', '--team', 'docs', '--agent', agent('good')]
    expect(await fed(root, run)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("almost the control word 'merged'"),
    })
    expect((await status()).mission).toBeNull()
    expect(await fed(root, [...run, '--as-mission'])).toMatchObject({ code: 0 })
    expect((await status()).mission).toMatchObject({ body: 'merge' })
  })

  test('fed onboard, before there is a team', async () => {
    const onboard = ['onboard', 'web', '--archetype', 'deliverable', '--mission', 'pauze']
    expect(await fed(root, onboard)).toMatchObject({ code: 2, stderr: expect.stringContaining(meant) })
    expect(await fed(root, ['status', 'web'])).toMatchObject({ code: 4 })
    await fedDone(root, [...onboard, '--as-mission'])
    expect(await fedJson(root, ['status', 'web'])).toMatchObject({ mission: { subject: 'pauze' } })
  })

  test('the page', async () => {
    const federation = await openFederation(root)
    const send = acts.send?.(federation, 'docs', { type: 'directive', subject: 'pauze', body: '' })
    await expect(send).rejects.toThrow(UsageError)
    expect(federation.mailbox('docs').all()).toEqual([])
  })

  test('the chat', async () => {
    await fedDone(root, ['chat', 'say', '@fed tell docs pauze'])
    await fedDone(root, ['chat', '--once'])
    expect(await fedDone(root, ['chat', 'log'])).toContain('is almost the control word pause')
    expect(await fedJson(root, ['inbox', 'docs', '--all'])).toEqual([])
  })
})
