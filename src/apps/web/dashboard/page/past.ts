import { remembered } from '../remembered.ts'
import type { Past, TeamNews, TeamNow } from '../shown.ts'

/** A team in the list and in the timeline. */
export interface TeamRow extends TeamNow, Past {}

const nothing: Past = { until: 0, segments: [], refusals: [], missions: [] }

/** A team's row and what was told of it since; undefined where something between the two was never heard. */
export function rowWith(before: TeamRow | undefined, { past, ...now }: TeamNews): TeamRow | undefined {
  const known = past.after === 0 ? nothing : before
  return known?.until === past.after ? { ...now, ...joined(known, past) } : undefined
}

function joined(before: Past, { until, segments, refusals, missions }: Past): Past {
  // a list that did not grow stays the same, and nothing is drawn again because of it
  const added = <Each>(all: readonly Each[], more: readonly Each[]) =>
    more.length === 0 ? all : remembered([...all, ...more])
  const [begun] = missions
  return {
    until,
    segments: added(before.segments, segments),
    refusals: added(before.refusals, refusals),
    missions: added(
      before.missions.filter(({ number }) => begun === undefined || number < begun.number),
      missions,
    ),
  }
}
