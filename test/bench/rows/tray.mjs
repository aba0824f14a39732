import { readFileSync } from 'node:fs'
import path from 'node:path'
import { spawnSync } from 'node:child_process'
import { compared, inTurn, inWords } from '../measure.mjs'
import { fed, newFederation, newFolder, programs, surviving } from '../places.mjs'

/** What an agent waits for when it reports a milestone in its session, against the same command outside of one. */
export async function measure({ rounds = 15 }) {
  surviving('power')
  const teams = Array.from({ length: 2 * (rounds + 1) }, (_, index) => `docs-${index}`)
  const federation = await newFederation(...teams)
  await federation.sendMany(
    teams.map((to) => ({ from: 'meta', to, type: 'directive', subject: 'Document the source' })),
  )
  const notes = newFolder('notes')
  const free = [...teams]
  /** A whole session for each, of which the report alone is timed. */
  const report = (how) => {
    const team = free.pop()
    const note = path.join(notes, team)
    const agent = [process.execPath, path.join(programs, 'reporter.mjs'), note, how]
    const { stderr } = spawnSync(
      process.execPath,
      [
        fed,
        'launch',
        '--team',
        team,
        '--confinement',
        'off',
        '--agent',
        agent.map((word) => `'${word}'`).join(' '),
      ],
      { cwd: federation.root, encoding: 'utf8', env: { ...process.env, FED_TELEMETRY_ENABLED: 'false' } },
    )
    try {
      return Number(readFileSync(note, 'utf8'))
    } catch (error) {
      throw new Error(stderr, { cause: error })
    }
  }
  const pairs = await inTurn(
    rounds,
    () => report('tray'),
    () => report('person'),
  )
  return [
    compared(
      {
        path: 'fed report in a session, by its tray',
        rival: 'the same outside of it',
        sense: 'at most',
        reach: 1,
        floor: 1.3,
      },
      pairs,
      { describe: inWords },
    ),
  ]
}
