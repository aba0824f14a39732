// A federation of very many teams: one is onboarded and the others are copies of its workspace, because the
// product takes its time for each.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { library, newFederation } from './places.mjs'

const first = 'team-first'

function copyWorkspace(from, to, team) {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    // the largest part of a workspace, and no part of a cycle
    if (entry.name === 'skills') continue
    const source = path.join(from, entry.name)
    const target = path.join(to, entry.name)
    if (entry.isDirectory()) copyWorkspace(source, target, team)
    else if (entry.name.includes('.json')) {
      writeFileSync(target, readFileSync(source, 'utf8').replaceAll(first, team), { mode: 0o444 })
    } else copyFileSync(source, target)
  }
}

/** A federation with so many teams, each with its mission and nothing that waits. */
export async function newLargeFederation(count) {
  const federation = await newFederation(first)
  await federation.send({ from: 'meta', to: first, type: 'directive', subject: 'Document the source' })
  // a cycle, so that the registry says already what the copies did
  const { monitor } = await library()
  await monitor(federation)
  const entry = federation.registry.entry(first)
  const names = Array.from({ length: count - 1 }, (_, index) => `team-${String(index).padStart(5, '0')}`)
  const locationOf = (team) => path.join(path.dirname(entry.location), team)
  for (const team of names) copyWorkspace(entry.location, locationOf(team), team)
  await federation.registry.update((registry) => ({
    ...registry,
    teams: [
      entry,
      ...names.map((team) => ({ ...entry, domain: team, domainId: team, location: locationOf(team) })),
    ],
  }))
  return federation.root
}
