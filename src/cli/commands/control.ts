import type { Command } from 'commander'
import type { Team } from '../../teams/team.ts'
import { declare, type CommonOptions } from '../command.ts'
import { print } from '../output.ts'
import { openTeam } from '../scope.ts'

interface Control {
  readonly name: string
  readonly description: string
  readonly carryOut: (team: Team) => Promise<void> | void
}

const controls: readonly Control[] = [
  { name: 'pause', description: 'Pause a team; its agent is stopped', carryOut: (team) => team.pause() },
  {
    name: 'resume',
    description: 'Return a paused team to the state that it left',
    carryOut: (team) => team.resume(),
  },
  {
    name: 'archive',
    description: 'Put a team away; a working one is paused first',
    carryOut: (team) => team.archive(),
  },
  { name: 'restore', description: 'Take an archived team back', carryOut: (team) => team.restore() },
]

/** A team comes back as it was put away: a paused one needs one word more. */
function hintOf(control: string, state: string): string {
  return control === 'restore' && state === 'paused' ? `; 'fed resume' continues it` : ''
}

/** `pause`, `resume`, `archive`, `restore`: each moves lifecycle and registry together. */
export function registerControls(program: Command): void {
  for (const { name, description, carryOut } of controls) {
    declare(program, `${name} <team>`, description, `fed ${name} docs`).action(
      async (id: string, options: CommonOptions) => {
        const { team } = await openTeam(options, id)
        await carryOut(team)
        print(
          options,
          await team.status(),
          ({ state, status }) => `${id} is ${state}, ${status} in the registry${hintOf(name, state)}`,
        )
      },
    )
  }
}
