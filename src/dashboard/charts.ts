import { chartOf, mainPath, statesWithin } from '../diagram/chart.ts'
import { compact } from '../diagram/compact.ts'
import { toSvg } from '../diagram/svg.ts'
import type { Team } from '../teams/team.ts'
import type { ShownChart } from './shown.ts'

/** Statecharts by archetype, each laid out once: that takes a second, and no machine changes while fed runs. */
export class Charts {
  readonly #laidOut = new Map<string, Promise<ShownChart>>()

  of({ actor }: Team): Promise<ShownChart> {
    let chart = this.#laidOut.get(actor.archetype)
    if (chart === undefined) this.#laidOut.set(actor.archetype, (chart = layOut(actor)))
    return chart
  }
}

async function layOut({ archetype, logic }: Team['actor']): Promise<ShownChart> {
  const chart = chartOf(logic.machine)
  return {
    archetype,
    chart,
    compact: await toSvg(compact(chart), { isPart: true }),
    full: await toSvg(chart, { isPart: true }),
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
