import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { compared, inTurn, inWords, timed } from '../measure.mjs'
import { fed, newFolder } from '../places.mjs'
import { writeSourceRepository } from '../source-repository.mjs'

/** A goal of many teams, from nothing to one result, against one team that reports on the same repository. */
export async function measure({ rounds = 3, files = 1000 }) {
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
  ]
}
