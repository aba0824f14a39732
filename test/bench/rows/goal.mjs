import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { bundle } from '../bundle.mjs'
import { compared, inTurn, inWords, median, quantile, timed } from '../measure.mjs'
import { fed, newFolder } from '../places.mjs'
import { writeSourceRepository } from '../source-repository.mjs'

/** What happens next in a plan of so many tasks, by a process that never asked before. */
async function nextMoves(rounds, tasks) {
  const program = await bundle('schedule')
  const pairs = []
  for (let round = 0; round < rounds; round += 1) {
    const told = JSON.parse(execFileSync(process.execPath, [program, String(tasks)], { encoding: 'utf8' }))
    if (told.moves === 0) throw new Error('nothing moves')
    pairs.push([told.spent, told.reading])
  }
  const times = pairs.map(([spent]) => spent)
  const at = (share) => quantile(times, share)
  return {
    path: `what happens next in a plan of ${tasks} tasks`,
    ours: inWords(median(times)),
    rival: `reading how they stand ${inWords(median(pairs.map(([, reading]) => reading)))}`,
    ...{ value: median(times), low: at(0.25), high: at(0.75) },
    ...{ unit: 'ms', sense: 'at most', floor: 10, reach: 5 },
  }
}

/** A goal of many teams, from nothing to one result, against one team that reports on the same repository. */
export async function measure({ rounds = 3, files = 1000, tasks = 1000 }) {
  const template = newFolder('sources')
  writeSourceRepository(template, files)
  const run = (...args) => {
    const root = path.join(newFolder('goal'), 'shop')
    cpSync(template, root, { recursive: true })
    return timed(() => {
      const { status, stderr } = spawnSync(process.execPath, [fed, ...args, '--quiet'], {
        cwd: root,
        stdio: ['ignore', 'ignore', 'pipe'],
        encoding: 'utf8',
      })
      if (status !== 0) throw new Error(`${args.join(' ')} exited ${status}: ${stderr}`)
    })
  }
  const pairs = await inTurn(
    rounds,
    () => run('goal', 'Document this repository'),
    () => run('run', 'Document this repository'),
  )
  return [
    compared(
      {
        path: `fed goal: a repository of ${files} files documented by many teams`,
        rival: 'fed run: one team',
        sense: 'at most',
        floor: 3.5,
        reach: 2.5,
      },
      pairs,
      { describe: inWords },
    ),
    await nextMoves(5 * rounds, tasks),
  ]
}
