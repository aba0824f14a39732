import {
  fed,
  run,
  start,
  type Act,
  type Counted,
  type CountedProcess,
  type Outcome,
  type Point,
} from './counted-process.ts'
import { factsOf, type FederationFacts } from './federation-facts.ts'
import { age, blocked } from './git-leftovers.ts'
import { always, carriedOn, violations } from './invariants.ts'
import type { Scenario } from './scenario.ts'
import type { Stand } from './stand.ts'

/** Starts an act; with a point, the whole process group is killed there. */
export type Begin = (act: Act, point?: Point) => CountedProcess

/** At the calls of the process itself. */
export const amongCalls: Begin = (act, point) => start(act, point && { ...point, signal: 'SIGKILL' })

/** Plays a scenario undisturbed: how many calls it makes, and what is wrong even so. */
export async function playUndisturbed(
  stand: Stand,
  begin: Begin = amongCalls,
): Promise<{ calls: readonly string[]; faults: string[] }> {
  const { scenario, root } = stand
  await stand.renew()
  const before = factsOf(root)
  const ended = await begin(scenario.act(root)).ended
  const faults = ended.code === (scenario.ends ?? 0) ? [] : [`it ended ${howEnded(ended)}`]
  const after = factsOf(root)
  faults.push(...violations(always, after, before), ...told(scenario, ended, after, before))
  faults.push(...((await carryOn(stand)) ?? []), ...judge(scenario, factsOf(root), before))
  return { calls: ended.calls, faults }
}

/**
 * Kills a scenario's process at a point, lets others carry on, and returns every promise that was broken.
 * What stands is the same after one call and before the next, so each is seen from both sides: carried on by
 * somebody else first, or by the same command given again first.
 * @returns undefined when the process ended before it came to the point.
 */
export async function playKilled(
  stand: Stand,
  point: Point,
  begin: Begin = amongCalls,
): Promise<string[] | undefined> {
  const { scenario, root } = stand
  await stand.renew()
  const before = factsOf(root)
  const killed = await begin(scenario.act(root), point).ended
  if (killed.signal !== 'SIGKILL') return killed.code === null ? [`it ended ${howEnded(killed)}`] : undefined
  const left = factsOf(root)
  // time passes
  age(root)
  const faults = [...violations(always, left, before), ...told(scenario, killed, left, before)]
  if (point.moment === 'before') {
    const unable = await carryOn(stand)
    const carried = factsOf(root)
    faults.push(...(unable ?? []), ...told(scenario, killed, carried, before))
    faults.push(...violations(unable === undefined ? always : [...always, ...carriedOn], carried, before))
    faults.push(...(await giveAgain(stand)))
  } else {
    faults.push(...(await giveAgain(stand)), ...((await carryOn(stand)) ?? []))
  }
  const end = factsOf(root)
  faults.push(...told(scenario, killed, end, before), ...judge(scenario, end, before))
  faults.push(...(await blocked(root)))
  return [...new Set(faults)].map((fault) => `${describe(point, killed)}: ${fault}`)
}

/** A point in words: "before link 2.json (call 11)". */
function describe({ number, moment }: Point, { calls }: Counted): string {
  return `${moment} ${calls[number - 1] ?? 'a call'} (call ${number})`
}

function told(
  scenario: Scenario,
  { stdout }: Outcome,
  now: FederationFacts,
  before: FederationFacts,
): Iterable<string> {
  return stdout === '' || scenario.told === undefined ? [] : scenario.told(stdout, now, before)
}

function judge(scenario: Scenario, now: FederationFacts, before: FederationFacts): string[] {
  return [...violations([...always, ...carriedOn], now, before), ...(scenario.end?.(now, before) ?? [])]
}

/** A monitoring cycle by a new process; undefined where nobody sees a federation yet. */
async function carryOn({ root }: Stand): Promise<string[] | undefined> {
  const outcome = await run(fed(root, 'monitor'))
  if (outcome.code === 4) return undefined
  return faultsOfMonitor(outcome)
}

/** It ends with 1 where it found something that is not healthy, and then has nothing to complain of. */
export function faultsOfMonitor(outcome: Outcome): string[] {
  const isInOrder = outcome.code === 0 || (outcome.code === 1 && outcome.stderr === '')
  return isInOrder ? [] : [`fed monitor ended ${howEnded(outcome)}`]
}

async function giveAgain({ scenario, root }: Stand): Promise<string[]> {
  const outcome = await run(scenario.act(root))
  const right = [0, ...(scenario.again ?? [])]
  return right.includes(outcome.code ?? -1) ? [] : [`the same command again ended ${howEnded(outcome)}`]
}

export function howEnded({ code, signal, stderr }: Outcome): string {
  return `${signal ?? code}: ${stderr.trim().split('\n').slice(-3).join(' ')}`
}
