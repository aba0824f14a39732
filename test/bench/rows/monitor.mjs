import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { compared, inTurn, inWords, timed } from '../measure.mjs'
import { newLargeFederation } from '../many-teams.mjs'
import { library, runFed, surviving } from '../places.mjs'
import { registryFile } from '../registry-writer.mjs'

/** What a cycle cannot do without: each team's newest commit, whether there is a newer one, and its folders. */
function bareCalls(root) {
  const registry = JSON.parse(readFileSync(registryFile(root), 'utf8'))
  let names = 0
  for (const { location } of registry.teams) {
    const fed = path.join(location, '.fed')
    const { version } = JSON.parse(readFileSync(path.join(fed, 'lifecycle.json'), 'utf8'))
    const versionFile = (number) => path.join(fed, 'lifecycle.d', `${number}.json`)
    if (existsSync(versionFile(version + 1))) throw new Error('a newer version')
    names += readFileSync(versionFile(version)).length
    names += readdirSync(path.join(fed, 'signals', 'inbox')).length
    names += readdirSync(path.join(fed, 'signals', 'outbox')).length
  }
  return names
}

/** A cycle over a thousand teams of which none has anything to do: the first, and one more. */
export async function measure({ rounds = 4, teams = 1000, cycles = 5 }) {
  surviving('process')
  const { monitor, openFederation } = await library()
  const insist = (report) => {
    const stepped = report.teams.filter(({ error }) => error === undefined).length
    if (stepped !== teams)
      throw new Error(
        `${stepped} teams instead of ${teams}: ${report.teams.find(({ error }) => error)?.error}`,
      )
  }
  let root
  let federation
  const full = []
  const unchanged = []
  for (let round = 0; round <= rounds; round += 1) {
    root = await newLargeFederation(teams)
    // whoever comes first would find nothing in the kernel's caches, and it is always the same one
    runFed(root, 'monitor', '--quiet')
    const pairs = await inTurn(
      0,
      async () => {
        federation = await openFederation(root)
        return timed(async () => insist(await monitor(federation)))
      },
      () => timed(() => bareCalls(root)),
    )
    const more = await inTurn(
      cycles,
      () => timed(async () => insist(await monitor(federation))),
      () => timed(() => bareCalls(root)),
    )
    if (round === 0) continue
    full.push(...pairs)
    unchanged.push(...more)
  }
  const row = { rival: 'bare calls', sense: 'at most' }
  return [
    compared({ path: `monitor cycle, ${teams} teams`, ...row, floor: 1.6, reach: 1.2 }, full, {
      describe: inWords,
    }),
    compared({ path: 'the same, nothing changed', ...row, floor: 0.45, reach: 0.2 }, unchanged, {
      describe: inWords,
    }),
  ]
}
