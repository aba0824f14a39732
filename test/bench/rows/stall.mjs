import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { startProgram, stop, tell } from '../children.mjs'
import { clock, inWords } from '../measure.mjs'
import { newFederation, surviving } from '../places.mjs'
import { Skipped } from '../rivals.mjs'

const workers = 4

/** The longest time in which nobody else committed, while one writer at a time is killed or stopped. */
export async function measure({ hits = 30, rivalHits = 16, everyMs = 300 }) {
  surviving('process')

  /** Without hitting, writers leave between two updates. Ends early with the first gap that is as long as `enough`. */
  const longestGap = async (way, times, { isHitting = true, enough = Number.POSITIVE_INFINITY } = {}) => {
    const { root: folder } = await newFederation('docs')
    const commits = []
    const add = async () => {
      const child = await startProgram('keep-updating', way, folder)
      createInterface({ input: child.stdout }).on('line', (line) => {
        const at = Number(line)
        if (at > child.hitAt) return
        commits.push(at)
      })
      return child
    }
    const active = await Promise.all(Array.from({ length: workers }, add))
    const stopped = []
    for (const child of active) tell(child)
    while (commits.length < 20) await wait(20)
    let longest = 0
    for (let hit = 0; hit < times && longest < enough; hit += 1) {
      // ready before it is needed: what is measured is not how long a process takes to start
      const successor = await add()
      await wait(everyMs * (0.5 + Math.random()))
      const [victim] = active.splice(Math.floor(Math.random() * workers), 1, successor)
      tell(successor)
      const hitAt = clock()
      victim.hitAt = hitAt
      if (!isHitting) tell(victim, 'end')
      else if (Math.random() < 0.5) await stop(victim)
      else {
        victim.kill('SIGSTOP')
        stopped.push(victim)
        if (stopped.length > 2) {
          // it finishes the update that it stood still in, late, and leaves
          const late = stopped.shift()
          tell(late, 'end')
          late.kill('SIGCONT')
        }
      }
      // a lock that nobody holds any more is waited for, up to what a user would call for ever
      while (commits.every((at) => at < hitAt) && clock() - hitAt < 30_000) await wait(20)
      longest = Math.max(longest, clock() - hitAt)
    }
    for (const child of [...active, ...stopped]) await stop(child)
    // each process tells of its commits in its own time
    const inOrder = commits.toSorted((a, b) => a - b)
    const gaps = inOrder.slice(1).map((at, index) => at - inOrder[index])
    return { gap: Math.max(...gaps), commits: commits.length }
  }

  const withoutHits = await longestGap('ours', hits, { isHitting: false })
  const ours = await longestGap('ours', hits)
  let rival
  try {
    rival = `proper-lockfile ${inWords((await longestGap('proper-lockfile', rivalHits, { enough: 5000 })).gap)}`
  } catch (error) {
    if (!(error instanceof Skipped)) throw error
    rival = error.message
  }
  return [
    {
      path: 'longest stall under kill and stop',
      ours: `${inWords(ours.gap)} in ${ours.commits} commits`,
      rival: `no hits ${inWords(withoutHits.gap)}, ${rival}`,
      value: ours.gap,
      unit: 'ms',
      sense: 'at most',
      floor: 100,
      reach: 20,
    },
  ]
}
