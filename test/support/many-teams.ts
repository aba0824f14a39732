import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Federation } from '../../src/federation/federation.ts'
import { newFederation } from './fed.ts'

/** Has copies of a team live beside it: onboarding each would take its time. */
function copyTeam(federation: Federation, team: string, count: number): void {
  const entry = federation.registry.entry(team)
  const names = Array.from({ length: count }, (_, index) => `${team}-${index + 1}`)
  const placeOf = (name: string) => path.join(path.dirname(entry.location), name)
  for (const name of names) {
    const place = placeOf(name)
    cpSync(entry.location, place, { recursive: true, filter: (file) => path.basename(file) !== 'skills' })
    for (const file of readdirSync(place, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.json')) continue
      const copied = path.join(place, file)
      const text = readFileSync(copied, 'utf8').replaceAll(`"${team}"`, `"${name}"`)
      // what was committed is read-only
      rmSync(copied)
      writeFileSync(copied, text)
    }
  }
  federation.registry.update((registry) => ({
    ...registry,
    teams: [
      ...registry.teams,
      ...names.map((name) => ({ ...entry, domain: name, domainId: name, location: placeOf(name) })),
    ],
  }))
}

/** The root of a federation of 200 teams: 120 were never launched, 50 scan, 20 are paused and 10 have failed. */
export async function twoHundredTeams(): Promise<string> {
  const root = await newFederation({ idle: undefined, busy: 'Read it', held: 'Read it', lost: 'Read it' })
  const federation = new Federation(root)
  for (const name of ['busy', 'held', 'lost']) {
    const team = await federation.team(name)
    await team.tell({ type: 'report', subject: 'mission-planned', body: 'src/app.ts' })
  }
  await (await federation.team('held')).pause()
  await (
    await federation.team('lost')
  ).tell({
    type: 'alert',
    subject: 'information-missing',
    body: 'There is none',
  })
  for (const [name, count] of Object.entries({ idle: 119, busy: 49, held: 19, lost: 9 }))
    copyTeam(federation, name, count)
  return root
}
