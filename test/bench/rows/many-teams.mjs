import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { newLargeFederation } from '../many-teams.mjs'
import { compared, each, inTurn, inWords, timed } from '../measure.mjs'
import { fed, library, surviving } from '../places.mjs'
import { registryFile } from '../registry-writer.mjs'

const few = 10

/** What a federation of two thousand teams costs that one of ten does not, and what it keeps on the disk. */
export async function measure({ rounds = 9, teams = 2000, count = 10 }) {
  surviving('process')
  const { openFederation } = await library()
  const [large, small] = [await newLargeFederation(teams), await newLargeFederation(few)]
  const run = (root, ...args) =>
    timed(() => {
      const { status, stderr } = spawnSync(process.execPath, [fed, ...args], {
        cwd: root,
        stdio: ['ignore', 'ignore', 'pipe'],
        encoding: 'utf8',
      })
      if (status !== 0) throw new Error(`fed ${args.join(' ')} exited ${status}: ${stderr}`)
    })
  const onboard = async (root, round) => {
    const federation = await openFederation(root)
    return timed(async () => {
      for (let done = 0; done < count; done += 1)
        await federation.onboard({ domain: `new-${round}-${done}`, archetype: 'deliverable' })
    })
  }
  const rival = `${few} teams`
  const size = `${teams.toLocaleString('en')} teams`
  const row = (what, goal = {}) => ({ path: `${what}, ${size}`, rival, sense: 'at most', ...goal })
  const inBoth = (act) =>
    inTurn(
      rounds,
      (round) => act(large, round),
      (round) => act(small, round),
    )
  const send = ['send', 'team-first', '--type', 'report', '--subject']
  const outcomes = [
    compared(row('onboard a team', { floor: 4, reach: 2 }), await inBoth(onboard), { describe: each(count) }),
  ]
  for (const [what, args, goal] of [
    ['fed send, whole process', (round) => [...send, `Part ${round}`], { floor: 2.5, reach: 1.6 }],
    ['fed status, whole process', () => ['status']],
    ['fed monitor, whole process', () => ['monitor', '--quiet']],
  ]) {
    const pairs = await inBoth((root, round) => run(root, ...args(round)))
    outcomes.push(compared(row(what, goal), pairs, { describe: inWords }))
  }
  const versions = registryFile(large).replace(/\.json$/, '.d')
  const bytes = readdirSync(versions)
    .map((name) => statSync(path.join(versions, name)).size)
    .reduce((all, one) => all + one, 0)
  const kept = bytes / 2 ** 20
  return [
    ...outcomes,
    {
      path: `versions that the registry keeps, ${size}`,
      ours: `${kept.toFixed(0)} MiB`,
      rival: '',
      value: kept,
      unit: 'MiB',
      sense: 'at most',
      floor: 40,
      reach: 34,
    },
  ]
}
