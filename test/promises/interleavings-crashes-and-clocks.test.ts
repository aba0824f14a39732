// Proves with random rows of acts that a team lives a life of its machine although processes are killed at any
// of their calls, stand still there while another one goes on, start again, and have clocks that jump back and
// forth. Fails where the disk differs from every life that the model knows, or meta hears a thing twice or never.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { consultant } from '../../machines/consultant.ts'
import { deliverable } from '../../machines/deliverable.ts'
import { restoreClock, type Act } from '../support/acts.ts'
import { DisturbedTeam, type Deed } from '../support/disturbed-team.ts'
import { modelEvent } from '../support/graph.ts'
import type { Interruption } from '../support/interrupted-calls.ts'
import { Neighbour } from '../support/neighbour.ts'
import { PossibleLives } from '../support/possible-lives.ts'
import { accepted, everySample, type Sample } from '../support/samples.ts'
import { verdictOn } from '../support/verdict.ts'
import { tries } from '../support/thorough.ts'

/** How far a clock may be from the others. */
const leapMs = 20_000
/** Every act has its own part of a second, so that no two signals have one time. */
const tickMs = 100
let neighbour: Neighbour

beforeAll(async () => {
  neighbour = await Neighbour.start()
})

afterAll(() => {
  restoreClock()
  return neighbour.end()
})

/** What an act will be, before it is known what the team looks like then. */
interface Plan {
  readonly what: 'go on' | 'send' | 'tell' | 'write mail' | 'acknowledge' | 'step' | 'monitor'
  readonly choice: number
  /** How far the process's clock is from the others', in milliseconds. */
  readonly skew: number
}

type Disturbance =
  | { readonly kind: 'here' | 'there' | 'restart' }
  | { readonly kind: 'killed'; readonly at: Interruption }
  | { readonly kind: 'overtaken'; readonly at: Interruption; readonly by: readonly Plan[] }

class Row implements fc.AsyncCommand<PossibleLives, DisturbedTeam> {
  static time = 0
  readonly #plan: Plan
  readonly #disturbance: Disturbance

  constructor(plan: Plan, disturbance: Disturbance) {
    this.#plan = plan
    this.#disturbance = disturbance
  }

  check = () => true

  toString = () => `${JSON.stringify(this.#plan)} ${JSON.stringify(this.#disturbance)}`

  async run(lives: PossibleLives, team: DisturbedTeam): Promise<void> {
    const deed = deedOf(this.#plan, lives, team)
    const disturbance = this.#disturbance
    if (deed === undefined) return
    switch (disturbance.kind) {
      case 'killed':
        return team.killed(lives, deed, disturbance.at)
      case 'overtaken': {
        const others = disturbance.by.flatMap((plan) => deedOf(plan, lives, team) ?? [])
        await team.overtaken(lives, deed, others, disturbance.at)
        return undefined
      }
      case 'restart':
        await team.restart()
        return team.here(lives, deed)
      default:
        return team[disturbance.kind](lives, deed)
    }
  }
}

function deedOf({ what, choice, skew }: Plan, lives: PossibleLives, team: DisturbedTeam): Deed | undefined {
  const time = (Row.time += tickMs) + skew
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[choice % items.length]
  const said = (kind: 'send' | 'tell', sample: Sample | undefined): Deed | undefined => {
    if (sample === undefined) return undefined
    const { type, subject, body } = sample
    const from = sample.from === 'self' ? 'team' : sample.from
    const act: Act = { kind, time, draft: { id: randomUUID(), from, to: 'team', type, subject, body } }
    return from === 'peer' ? { act } : { act, sample }
  }
  const { machine, snapshot } = lives.present
  switch (what) {
    case 'go on':
      return said('tell', pick((accepted[machine.id] ?? []).filter((one) => leadsOn(one, lives))))
    case 'send':
    case 'tell':
      return said(what, pick(samplesOf(machine.id)))
    case 'write mail':
      return said('send', { ...mail, subject: `Question ${choice}` })
    case 'acknowledge': {
      const signal = pick(team.mail)
      return signal === undefined || snapshot === undefined
        ? undefined
        : { act: { kind: what, time, signal } }
    }
    default:
      return { act: { kind: what, time } }
  }
}

const mail: Sample = {
  name: 'mail',
  from: 'peer',
  type: 'report',
  subject: '',
  body: 'Just so',
  evidence: {},
}

/** Without what leads to the ends, random lives do not end at once. */
function leadsOn(sample: Sample, { present: { snapshot } }: PossibleLives): boolean {
  const isEnd = sample.type === 'alert' || ['pause', 'retire'].includes(sample.subject)
  return sample.from !== 'peer' && !isEnd && verdictOn(snapshot, modelEvent(sample)) === 'accepted'
}

/** Signals whose verdict does not depend on what else is on the disk. */
function samplesOf(archetype: string): Sample[] {
  const own = (accepted[archetype] ?? []).filter(({ from }) => from !== 'peer')
  const odd = ['nobody-heard-of-it', 'merged', 'xstate.done.state.x']
  return [
    ...own,
    ...own.filter(({ type }) => type === 'directive'),
    ...everySample(archetype).filter(({ subject }) => odd.includes(subject)),
  ]
}

const plan: fc.Arbitrary<Plan> = fc.record({
  what: fc.constantFrom('go on', 'go on', 'send', 'tell', 'write mail', 'acknowledge', 'step', 'monitor'),
  choice: fc.nat(50),
  skew: fc.constantFrom(0, 0, 0, -leapMs, leapMs),
})

const interruption: fc.Arbitrary<Interruption> = fc.record({
  call: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 45 })),
  when: fc.constantFrom('before', 'halfway', 'after'),
})

const disturbance: fc.Arbitrary<Disturbance> = fc.oneof(
  fc.record({ kind: fc.constantFrom('here', 'there', 'restart') }),
  fc.record({ kind: fc.constant('killed'), at: interruption }),
  fc.record({
    kind: fc.constant('overtaken'),
    at: interruption,
    by: fc.array(plan, { minLength: 1, maxLength: 2 }),
  }),
)

const rows = fc.commands([fc.tuple(plan, disturbance).map(([what, how]) => new Row(what, how))], {
  maxCommands: 25,
  size: 'max',
})

test.each([
  { machine: deliverable, numRuns: tries(40) },
  { machine: consultant, numRuns: tries(24) },
])('$machine.id: $numRuns random lives among kills, stops and restarts', async ({ machine, numRuns }) => {
  await fc.assert(
    fc.asyncProperty(rows, async (commands) => {
      const team = await DisturbedTeam.begin(machine.id, neighbour)
      Row.time = Math.ceil(Date.now() / tickMs) * tickMs
      const lives = new PossibleLives(machine)
      await fc.asyncModelRun(() => ({ model: lives, real: team }), commands)
      await team.end(lives, Row.time + 1000 * leapMs)
    }),
    // shrinking a life that fails could take longer than a test may
    { numRuns: numRuns, interruptAfterTimeLimit: 50_000 },
  )
})
