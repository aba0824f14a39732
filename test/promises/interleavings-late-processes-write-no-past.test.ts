// Proves that a process that stands still at any of its calls while another one goes on, and then goes on itself,
// changes nothing that came after it: for every call, one after the other. Fails when it sends something twice,
// moves the registry's status back, loses what the other did, or publishes an older snapshot over a newer.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverable } from '../../machines/deliverable.ts'
import { DisturbedTeam, type Deed } from '../support/disturbed-team.ts'
import { Neighbour } from '../support/neighbour.ts'
import { PossibleLives } from '../support/possible-lives.ts'
import { accepted, type Sample } from '../support/samples.ts'
import { everyCall } from '../support/thorough.ts'

let neighbour: Neighbour

beforeAll(async () => {
  neighbour = await Neighbour.start()
})

afterAll(() => neighbour.end())

/** Every act has its own part of a second, so that no two signals have one time. */
const tickMs = 100
let time = Math.ceil(Date.now() / tickMs) * tickMs

function order(kind: 'send' | 'tell', subject: string): Deed {
  const sample = accepted.deliverable?.find((one) => one.subject === subject) as Sample
  const draft = {
    id: randomUUID(),
    from: 'meta',
    to: 'team',
    type: 'directive',
    subject,
    body: sample.body,
  } as const
  return { act: { kind, time: (time += tickMs), draft }, sample }
}

const step = (): Deed => ({ act: { kind: 'step', time: (time += tickMs) } })
const monitor = (): Deed => ({ act: { kind: 'monitor', time: (time += tickMs) } })

interface Meeting {
  readonly who: string
  readonly before: () => Deed[]
  readonly deed: () => Deed
  readonly others: () => Deed[]
  /** So many calls it makes at least: fewer, and nothing was interrupted. */
  readonly calls: number
}

const meetings: readonly Meeting[] = [
  {
    who: 'a pause, overtaken by a resumption',
    before: () => [],
    deed: () => order('tell', 'pause'),
    others: () => [order('tell', 'resume')],
    calls: 20,
  },
  {
    who: 'a resumption, overtaken by a pause',
    before: () => [order('tell', 'pause')],
    deed: () => order('tell', 'resume'),
    others: () => [order('tell', 'pause')],
    calls: 20,
  },
  {
    who: 'a step, overtaken by a cycle after another signal',
    before: () => ['Document the storage', 'pause', 'pause'].map((subject) => order('send', subject)),
    deed: step,
    others: () => [order('send', 'resume'), monitor()],
    calls: 20,
  },
]

test.each(meetings)('$who, wherever it stands still', async ({ before, deed, others, calls }) => {
  const { first, stride } = everyCall(5)
  let call = first - stride
  for (let isMet = true; isMet;) {
    call += stride
    const team = await DisturbedTeam.begin('deliverable', neighbour)
    const lives = new PossibleLives(deliverable)
    for (const one of before()) await team.here(lives, one)
    const own = deed()
    isMet = await team.overtaken(lives, own, others(), { call, when: 'before' })
    await team.here(lives, step())
    await team.end(lives, time)
  }
  expect(call).toBeGreaterThan(calls)
})
