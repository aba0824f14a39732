import { fed, library, run, start, type Point } from './counted-process.ts'
import { factsOf } from './federation-facts.ts'
import { always, atRest, carriedOn, violations } from './invariants.ts'
import { faultsOfMonitor, howEnded } from './kill-point.ts'
import type { Stand } from './stand.ts'

/** The team with which the others go on. */
const team = 'docs'

/**
 * Stops a scenario's process at a point, lets another make several commits, sends and registry updates
 * meanwhile, continues the first, and returns every promise that was broken: the other was kept waiting,
 * something of it was overwritten, sent twice or taken back.
 * @returns undefined when the process ended before it came to the point.
 */
export async function playStopped(stand: Stand, point: Point): Promise<string[] | undefined> {
  const { scenario, root } = stand
  await stand.renew()
  const before = factsOf(root)
  const process = start(scenario.act(root), { ...point, signal: 'SIGSTOP' })
  if (!(await process.stopped())) {
    await process.ended
    return undefined
  }
  const faults: string[] = []
  let meanwhile
  try {
    const others = await run(library(root, 'goAhead', team))
    if (others.code !== 0) faults.push(`the others could not go on: ${howEnded(others)}`)
    if (!process.isStopped()) faults.push('it was not stopped while the others went on')
    // as long as it stands still: what it moves would be found in neither place
    meanwhile = factsOf(root)
  } finally {
    process.goOn()
  }
  faults.push(...violations(always, meanwhile, before))
  const ended = await process.ended
  const right = [0, scenario.ends ?? 0, ...(scenario.again ?? [])]
  if (!right.includes(ended.code ?? -1)) faults.push(`continued, it ended ${howEnded(ended)}`)
  const after = factsOf(root)
  // nobody has repaired anything yet: what it did late must be right by itself
  faults.push(...violations([...always, ...atRest], after, meanwhile), ...violations(always, after, before))
  if (after.newestRegistry?.others !== 1) faults.push('an update of the registry by the others was lost')
  faults.push(...faultsOfMonitor(await run(fed(root, 'monitor'))))
  const end = factsOf(root)
  faults.push(...violations([...always, ...carriedOn], end, meanwhile))
  const where = `${point.moment} ${ended.calls[point.number - 1] ?? 'a call'} (call ${point.number})`
  return [...new Set(faults)].map((fault) => `${where}: ${fault}`)
}
