import { FedError } from '../../errors/fed-error.ts'
import { ConfinementError } from '../../errors/session-errors.ts'
import { printable } from '../../errors/printable.ts'
import { unless } from '../../errors/unless.ts'
import { repositoryRoot } from '../../platform/git/git.ts'
import { standHere, withinWalls } from '../../platform/confinement/bubblewrap.ts'
import { homeFault } from '../../platform/confinement/machine-rules.ts'
import type { Command } from '../../platform/process/command.ts'
import type { ConfinementConfig, ConfinementMode } from '../../protocol/config-confinement.ts'
import type { Assignment } from '../drivers/driver.ts'
import { wallsOf } from './walls-of-session.ts'

/** What holds the agents of a launch: the program that makes their walls, or why nothing does. */
export type Hold =
  | { readonly file: string; readonly config: ConfinementConfig }
  | {
      /** Why they are open. */
      readonly open: string
      /** What a person does about it. */
      readonly remedy: string
    }

/**
 * What will hold an agent.
 * @param root of its federation.
 * @param chosen what somebody chose for it, instead of what is configured.
 * @throws {ConfinementError} when walls are wanted `on` and cannot be had.
 */
export async function holdFor(
  config: ConfinementConfig,
  root: string,
  chosen?: ConfinementMode,
): Promise<Hold> {
  const mode = chosen ?? config.mode
  if (mode === 'off') return { open: 'confinement is off', remedy: 'set it to auto' }
  const stand = await standHere()
  const fault = homeFault(unless(FedError, () => repositoryRoot(root)) ?? root)
  if (stand.file !== undefined && fault === undefined) return { file: stand.file, config }
  const { why, remedy } =
    stand.file === undefined
      ? { why: printable(stand.why, 300), remedy: stand.remedy }
      : { why: fault as string, remedy: 'set HOME to a folder outside of it' }
  if (mode === 'on') throw new ConfinementError(why, remedy)
  return { open: why, remedy }
}

export function isHeld(hold: Hold): boolean {
  return !('open' in hold)
}

/** An agent's command as it is started under a hold. */
export function held(hold: Hold, command: Command, assignment: Assignment): Command {
  if ('open' in hold) return command
  return withinWalls(command, wallsOf({ assignment, command, confinement: hold.config }), hold.file)
}
