// Proves that a team's last activity is the later of two times, and that a clock that was wrong for a moment does not
// keep it in the future. Fails when a time of next year stays until then.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setClock } from '../../src/protocol/clock.ts'
import { later } from '../../src/records/registry/last-active.ts'

const noon = Date.parse('2026-11-20T12:00:00Z')
const at = (minutes: number) => new Date(noon + minutes * 60_000).toISOString()

let goBack: () => void
beforeAll(() => {
  goBack = setClock(() => noon)
})
afterAll(() => goBack())

test('the later of two times counts, whichever it is', () => {
  const [earlier, latter] = [at(-20), at(-10)]
  expect(later(earlier, latter)).toBe(latter)
  expect(later(latter, earlier)).toBe(latter)
  expect(later(undefined, earlier)).toBe(earlier)
})

test('clocks that differ a little are no wrong ones', () => {
  const [past, soon] = [at(-1), at(5)]
  expect(later(soon, past)).toBe(soon)
})

test('a time that a wrong clock told gives way to any other, and never comes back', () => {
  const [past, tomorrow, nextYear] = [at(-600), at(1440), at(525_600)]
  expect(later(tomorrow, past)).toBe(past)
  expect(later(past, tomorrow)).toBe(past)
  expect(later(tomorrow, nextYear)).toBe(nextYear)
})
