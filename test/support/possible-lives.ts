import type { AnyStateMachine } from 'xstate'
import { LifeModel } from './life-model.ts'
import type { Sample } from './samples.ts'

/** What happens to a model; `time` is the signal's own, in milliseconds, and unlike any other's. */
export type Event =
  { readonly kind: 'step' } | { readonly kind: 'send'; readonly sample: Sample; readonly time: number }

/**
 * What may have happened to a team. Of a process that was killed or overtaken nobody knows how far it came: of
 * all ways in which it may have gone, one must agree with what is seen on the disk.
 */
export class PossibleLives {
  readonly #machine: AnyStateMachine
  #life: readonly Event[] = []
  /** As the machine is after the life that agreed with everything seen so far. */
  present: LifeModel

  constructor(machine: AnyStateMachine) {
    this.#machine = machine
    this.present = new LifeModel(machine)
  }

  #live(events: readonly Event[]): LifeModel {
    const model = new LifeModel(this.#machine)
    for (const event of events) {
      if (event.kind === 'send') model.send(event.sample, event.time)
      else model.step()
    }
    return model
  }

  /**
   * Goes on in the first of these ways that agrees with what is seen; others that agree are no different.
   * @param difference what a model says otherwise than the disk, undefined when they agree.
   * @throws when no way agrees.
   */
  goOn(ways: readonly (readonly Event[])[], difference: (model: LifeModel) => string | undefined): void {
    const differences = new Set<string>()
    for (const way of ways) {
      const life = [...this.#life, ...way]
      const model = this.#live(life)
      const found = difference(model)
      if (found === undefined) {
        this.#life = life
        this.present = model
        return
      }
      differences.add(found)
    }
    throw new Error(`no life of the machine is this one:\n${[...differences].join('\n')}`)
  }
}

/** Every order of two rows in which each keeps its own. */
export function merged<Item>(a: readonly Item[], b: readonly Item[]): Item[][] {
  const [firstOfA, ...restOfA] = a
  const [firstOfB, ...restOfB] = b
  if (firstOfA === undefined || firstOfB === undefined) return [[...a, ...b]]
  return [
    ...merged(restOfA, b).map((rest) => [firstOfA, ...rest]),
    ...merged(a, restOfB).map((rest) => [firstOfB, ...rest]),
  ]
}
