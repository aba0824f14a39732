import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { LifeModel } from './life-model.ts'
import { toldToMeta, type Observed } from './observed-team.ts'
import { factsOf } from './test-team.ts'

/** What processes that ended well were told, and what was tried: ids of signals. */
export interface Known {
  /** A sender was told that they are sent. */
  readonly sent: Set<string>
  /** A reader was told that they are acknowledged. */
  readonly read: Set<string>
  /** Somebody tried to acknowledge them. */
  readonly tried: Set<string>
}

/**
 * What a model says otherwise than the disk, undefined when they agree.
 * @param isWounded a killed process may have left signals that it handled without their acknowledgments.
 */
export function difference(model: LifeModel, seen: Observed, isWounded: boolean): string | undefined {
  const handled = new Set(seen.history.map(({ signal }) => signal))
  const waiting = [...seen.inbox.values()].filter(
    ({ id, from }) => from !== 'peer' && !seen.acknowledged.has(id) && !(isWounded && handled.has(id)),
  )
  const disk = {
    state: seen.state,
    facts: seen.facts,
    history: seen.history.map(({ event, outcome, refusal, from, to }) => ({
      event,
      outcome,
      kind: refusal?.kind,
      from,
      to,
    })),
    waiting: waiting.map(({ timestamp }) => Date.parse(timestamp)).toSorted((a, b) => a - b),
  }
  const told = {
    state: model.state,
    facts: { ...factsOf(model.snapshot), measured: undefined },
    history: model.history,
    waiting: model.waiting.map(({ id }) => id),
  }
  // a field without a value is none on the disk
  const [one, other] = [JSON.stringify(disk), JSON.stringify(told)]
  if (isDeepStrictEqual(JSON.parse(one), JSON.parse(other))) return undefined
  return `the disk says ${one}\nthe model ${other}`
}

/** What holds whatever a machine decided; while a killed process's work is unfinished, a little less. */
export function expectPromisesKept(seen: Observed, known: Known, isWounded: boolean): void {
  const { inbox, history, acknowledged, heard } = seen
  const handled = history.map(({ signal }) => signal)
  expect(handled, 'each is handled once').toEqual([...new Set(handled)])
  expect(
    [...known.sent].filter((id) => !inbox.has(id)),
    'what was told to be sent is there',
  ).toEqual([])
  const isMail = (id: string) => inbox.get(id)?.from === 'peer'
  const settled = [...acknowledged].filter((id) => !isMail(id))
  expect(
    settled.filter((id) => !handled.includes(id)),
    'what is acknowledged was committed',
  ).toEqual([])
  const read = [...acknowledged].filter(isMail)
  expect(
    read.filter((id) => !known.tried.has(id)),
    'no mail is acknowledged by itself',
  ).toEqual([])
  expect(
    [...known.read].filter((id) => !acknowledged.has(id)),
    'what was acknowledged stays so',
  ).toEqual([])
  const due = toldToMeta('team', history)
  if (isWounded) {
    const surplus = [...heard]
    for (const subject of due) if (surplus.includes(subject)) surplus.splice(surplus.indexOf(subject), 1)
    expect(surplus, 'meta hears nothing twice').toEqual([])
    return
  }
  expect(heard.toSorted(), 'meta hears everything once').toEqual(due.toSorted())
  expect(seen.status).toBe(seen.state === 'paused' ? 'paused' : 'active')
  expect(seen.publishedVersion).toBe(seen.newestVersion)
}
