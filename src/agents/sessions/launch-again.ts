import { asWord } from '../../errors/printable.ts'

/**
 * The command that goes on with a team's mission. An agent that was chosen for one launch alone is named again: without
 * that another one would go on with its work.
 * @param usual the agent of a launch for which none is chosen.
 */
export function launchAgain(id: string, usual: string, agent: string = usual): string {
  return `fed launch --team ${id}${agent === usual ? '' : ` --agent ${asWord(agent)}`}`
}
