// Proves that a channel whose looks cost a model's turn is looked at less and less often while nothing happens, and as
// often as ever after a message or something that the bridge said. It fails when an idle channel is asked at every
// interval, when talk is not followed, or when what is committed meanwhile puts off a look.
import { afterEach, expect, test, vi } from 'vitest'
import { LocalChannel } from '../../../src/apps/chat/local-channel.ts'
import { restBefore } from '../../../src/apps/chat/pace.ts'
import { openBridge } from '../../support/bridge.ts'
import { configure } from '../../support/chat.ts'
import { newFederation } from '../../support/fed.ts'

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  [30_000, 0, 30_000],
  [30_000, 1, 60_000],
  [30_000, 3, 240_000],
  [30_000, 4, 300_000],
  [30_000, 5000, 300_000],
  [2000, 2, 8000],
  [600_000, 0, 600_000],
  [600_000, 9, 600_000],
])('at an interval of %i ms, after %i looks that found nothing, it rests %i ms', (interval, idle, rest) => {
  expect(restBefore(interval, idle)).toBe(rest)
})

/** A channel that is a file and costs a turn of a model all the same. */
class Costly extends LocalChannel {
  looks = 0
  override readonly isCostly = true
  override watch = undefined as unknown as LocalChannel['watch']
  override read(...args: Parameters<LocalChannel['read']>) {
    this.looks += 1
    return super.read(...args)
  }
}

test('the bridge rests so, and what is committed meanwhile puts off no look', async () => {
  const root = await newFederation({ docs: undefined })
  configure(root, { federationName: 'shop' })
  vi.useFakeTimers({ toFake: ['performance'] })
  const end = new AbortController()
  const rests: number[] = []
  let costly: Costly | undefined
  const people = new LocalChannel(root, 'shop')
  const events: Record<number, () => 'ledger' | undefined> = {
    5: () => void people.say('ann', '@shop status') as undefined,
    // somebody commits something in the middle of the rest
    8: () => 'ledger',
  }
  const alarm = {
    ring: () => undefined,
    async next(longestMs: number) {
      rests.push(Math.round(longestMs))
      const rung = events[rests.length]?.()
      vi.advanceTimersByTime(rung === undefined ? longestMs + 1 : longestMs / 4)
      if (rests.length === 11) end.abort()
      return rung ?? ('time' as const)
    },
  }
  const opened = await openBridge(root, (_, name) => (costly = new Costly(root, name)), alarm)
  await opened.bridge.run(30_000, end.signal, () => undefined)
  await opened.end()
  // the first look takes up its place, the sixth hears the message, and the seventh finds its answer
  expect(rests.map((ms) => Math.round(ms / 1000))).toEqual([30, 60, 120, 240, 300, 30, 30, 60, 45, 120, 240])
  expect(costly?.looks).toBe(10)
})
