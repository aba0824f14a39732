import { expect, test } from 'vitest'
import { later } from '../../src/records/registry/last-active.ts'

const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

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
