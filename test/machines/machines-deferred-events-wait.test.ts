// Proves that an event which a state defers stays unacknowledged, changes nothing, and is taken by the first
// state that takes it, in the order of sending. Fails when a deferred event is refused, lost, taken twice or
// taken out of order.
import { describe, expect, test } from 'vitest'
import type { FiledSignal } from '../../src/records/signals/mailbox.ts'
import { explore, lifecycles, modelEvent } from '../support/graph.ts'
import { LifeModel } from '../support/life-model.ts'
import { accepted, everySample, type Sample } from '../support/samples.ts'
import { factsOf, TestTeam, toldBy } from '../support/test-team.ts'
import { verdictOn } from '../support/verdict.ts'

const deferring = lifecycles.flatMap((machine) =>
  explore(machine).situations.flatMap(({ name, snapshot, path }) => {
    const deferred = everySample(machine.id).filter(
      // what the world lacks for one of them, it would lack for the others
      (sample) =>
        !(sample.from === 'meta' && sample.misses) &&
        sample.misses !== 'leftCodebaseAlone' &&
        verdictOn(snapshot, modelEvent(sample)) === 'deferred',
    )
    const names = deferred.map((sample) => sample.name).join(', ')
    return deferred.length === 0
      ? []
      : [{ machine, path, deferred, title: `${machine.id} ${name}: ${names}` }]
  }),
)

test('pausing defers missions in every archetype, and a consultant that is busy defers questions', () => {
  expect(new Set(deferring.map(({ machine }) => machine.id))).toEqual(new Set(lifecycles.map(({ id }) => id)))
  expect(deferring.map(({ title }) => title)).toContain(
    'consultant indexing: question.Which port, question.Who am I',
  )
})

describe.each(deferring)('$title', ({ machine, path, deferred }) => {
  test('waits, and is taken in order when a state takes it', async () => {
    const team = await TestTeam.begin(machine.id)
    const model = new LifeModel(machine)
    const bothTake = async (samples: readonly Sample[]) => {
      const signals: FiledSignal[] = []
      for (const sample of samples) {
        team.arrange(sample)
        model.send(sample)
        signals.push(await team.send(sample))
      }
      model.step()
      await (await team.open()).step()
      expect((await team.open()).present().state).toBe(model.state)
      expect(factsOf(team.head().snapshot)).toEqual(factsOf(model.snapshot))
      expect(await toldBy(team)).toEqual(model.history)
      return signals
    }
    for (const sample of path) await bothTake([sample])
    const before = team.head()
    const waiting = await bothTake(deferred)
    expect(team.head()).toEqual(before)
    expect(waiting.filter((signal) => team.isAcknowledged(signal))).toEqual([])
    expect((await (await team.open()).step()).deferred.map(({ id }) => id)).toEqual(
      waiting.map(({ id }) => id),
    )

    for (let taken = 0; model.waiting.length > 0 && taken < 10; taken += 1) {
      const [mission, ...others] = accepted[machine.id] as readonly [Sample, ...Sample[]]
      const forward = others.filter(({ subject, type }) => subject === 'resume' || type === 'report')
      const next = forward.find((one) => verdictOn(model.snapshot, modelEvent(one)) === 'accepted')
      await bothTake([next ?? mission])
    }
    expect(waiting.filter((signal) => !team.isAcknowledged(signal))).toEqual([])
  })
})
