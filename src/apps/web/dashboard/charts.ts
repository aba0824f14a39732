import { chartOf, mainPath, statesWithin } from '../../../diagram/chart.ts'
import type { Team } from '../../../federation/team.ts'
import type { Drawings } from './drawings.ts'
import type { ShownChart } from './shown.ts'

/** Statecharts by archetype, each drawn once: no machine changes while fed runs. */
export class Charts {
  readonly #drawings: Drawings
  readonly #drawn = new Map<string, Promise<ShownChart>>()

  constructor(drawings: Drawings) {
    this.#drawings = drawings
  }

  of({ actor: { archetype, logic } }: Team): Promise<ShownChart> {
    const known = this.#drawn.get(archetype)
    if (known !== undefined) return known
    const drawn = this.#draw(archetype, logic.machine)
    this.#drawn.set(archetype, drawn)
    // what failed may be asked for again
    drawn.catch(() => this.#drawn.delete(archetype))
    return drawn
  }

  async #draw(archetype: string, machine: Team['actor']['logic']['machine']): Promise<ShownChart> {
    const chart = chartOf(machine)
    return { archetype, chart, ...(await this.#drawings.chart(chart)) }
  }
}

const spines = new WeakMap<object, readonly string[]>()

/** Names of the states that a first reader should follow. */
export function spineOf({ actor }: Team): readonly string[] {
  const { machine } = actor.logic
  let spine = spines.get(machine)
  if (spine === undefined) {
    const chart = chartOf(machine)
    const names = new Map(statesWithin(chart.root).map(({ id, name }) => [id, name]))
    spines.set(machine, (spine = mainPath(chart).map((id) => names.get(id) ?? id)))
  }
  return spine
}
