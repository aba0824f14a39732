import { spawnSync } from 'node:child_process'
import { compared, inTurn, inWords, timed } from '../measure.mjs'
import { fed, newFederation, surviving } from '../places.mjs'

/** What a person or an agent waits for: whole processes, against bare node. */
export async function measure({ rounds = 25 }) {
  surviving('power')
  const teams = Array.from({ length: rounds + 1 }, (_, index) => `docs-${index}`)
  const federation = await newFederation(...teams)
  await federation.sendMany(
    teams.map((to) => ({ from: 'meta', to, type: 'directive', subject: 'Document the source' })),
  )
  for (const team of teams) await (await federation.team(team)).step()

  const run = (...args) =>
    timed(() => {
      const { status, stderr } = spawnSync(process.execPath, args, {
        cwd: federation.root,
        stdio: ['ignore', 'ignore', 'pipe'],
        encoding: 'utf8',
      })
      if (status !== 0) throw new Error(`${args.join(' ')} exited ${status}: ${stderr}`)
    })
  const goal = { floor: 1.6, reach: 1.25 }
  const commands = [
    {
      name: 'fed send',
      args: (round) => ['send', teams[round], '--type', 'report', '--subject', `Part ${round}`],
      ...goal,
    },
    {
      name: 'fed report',
      args: (round) => [
        'report',
        'mission-planned',
        '--team',
        teams[round],
        '--body',
        'Read src/app.ts first',
      ],
      ...goal,
    },
    { name: 'fed --help', args: () => ['--help'] },
    { name: 'fed inbox', args: () => ['inbox', 'meta'] },
    { name: 'fed status', args: () => ['status', teams[0]] },
  ]
  const outcomes = []
  for (const { name, args, ...limits } of commands) {
    const pairs = await inTurn(
      rounds,
      (round) => run(fed, ...args(round)),
      () => run('-e', '0'),
    )
    outcomes.push(
      compared({ path: `${name}, whole process`, rival: 'node -e 0', sense: 'at most', ...limits }, pairs, {
        describe: inWords,
      }),
    )
  }
  return outcomes
}
