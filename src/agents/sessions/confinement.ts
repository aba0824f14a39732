import { FedError } from '../../errors/fed-error.ts'
import { ConfinementError } from '../../errors/session-errors.ts'
import { printable } from '../../errors/printable.ts'
import { unless } from '../../errors/unless.ts'
import { repositoryRoot } from '../../platform/git/git.ts'
import { standHere, withinWalls } from '../../platform/confinement/bubblewrap.ts'
import { homeFault } from '../../platform/confinement/machine-rules.ts'
import type { Refused } from '../../platform/confinement/network/proxy.ts'
import type { Command } from '../../platform/process/command.ts'
import type { ConfinementConfig, ConfinementMode } from '../../protocol/config-confinement.ts'
import type { Assignment } from '../drivers/driver.ts'
import { hostsFor } from './hosts-of-session.ts'
import { isEmbeddedAgent, wallsOf } from './walls-of-session.ts'
import { openWay } from './way-out.ts'

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
export interface Holding {
  readonly command: Command
  /** Takes away what stands for it outside; for when the agent is gone. */
  end(): void
}

/**
 * Raises the walls for an agent, with a way to the hosts that it may reach; the embedded agent reaches none.
 * @param onRefused gets each host and port once that it may not reach.
 * @throws what `wallsOf` and `openWay` throw.
 */
export async function held(
  hold: Hold,
  command: Command,
  assignment: Assignment,
  onRefused: (refused: Refused) => void,
): Promise<Holding> {
  if ('open' in hold) return { command, end: () => undefined }
  const { config: confinement, file } = hold
  if (isEmbeddedAgent(command.args)) {
    const walls = wallsOf({ assignment, command, confinement, network: 'none' })
    return { command: withinWalls(command, walls, file), end: () => undefined }
  }
  const hosts = hostsFor(command.file, assignment.codebase, confinement.hosts)
  const { network, folder, end } = await openWay(hosts, onRefused)
  try {
    const walls = wallsOf({ assignment, command, confinement, network })
    return { command: { ...withinWalls(command, walls, file), leaves: folder }, end }
  } catch (error) {
    end()
    throw error
  }
}
