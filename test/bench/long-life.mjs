// A team that lived for long: it was paused and resumed over and over.
import path from 'node:path'
import { library } from './places.mjs'

/** Pauses a team, or resumes it; returns the state that it is in then, and the commit's file. */
export async function moveOn(federation, name) {
  const team = await federation.team(name)
  const subject = team.present().paused ? 'Resume' : 'Pause'
  await federation.send({ from: 'meta', to: name, type: 'directive', subject })
  const { version, state } = await team.step()
  const { location } = federation.registry.entry(name)
  return { version, state, file: path.join(location, '.fed', 'lifecycle.d', `${version}.json`) }
}

/** Has a team of a federation move until it has so many versions. */
export async function liveLong(root, name, versions) {
  const federation = await (await library()).openFederation(root)
  while ((await moveOn(federation, name)).version < versions);
}
