import { environmentInside } from '../../engine/confinement/environment-inside.ts'
import type { ConfinementConfig } from '../../protocol/config-confinement.ts'
import { EMBEDDED_AGENT } from '../../protocol/config-schema.ts'
import { splitCommand } from '../../protocol/command-words.ts'
import { ownThingsOf, presetOf } from '../drivers/presets.ts'
import { hostsFor } from './hosts-of-session.ts'

/** What walls give an agent beside files. Of variables the names, never a value. */
export interface GivenInside {
  /** Hosts that it reaches, as `confinement.hosts` has them. */
  readonly hosts: readonly string[]
  readonly variables: readonly string[]
  /** Variables of this environment that it does not get. */
  readonly withheld: readonly string[]
}

/** @param agent its name or command. */
export function givenInside(agent: string, codebase: string, { hosts, env }: ConfinementConfig): GivenInside {
  const [word = ''] = splitCommand(agent.replace(/^acp:/, ''))
  const program = presetOf(word)?.program ?? word
  const { named, usual } =
    program === EMBEDDED_AGENT ? { named: [], usual: [] } : hostsFor(program, codebase, hosts)
  const inside = environmentInside([...(ownThingsOf(program)?.env ?? []), ...env])
  return {
    hosts: [...new Set([...named, ...usual])],
    variables: Object.keys(inside.env).toSorted(),
    withheld: inside.withheld,
  }
}
