import { openWay } from '../../engine/confinement/way-out.ts'
import type { Hold } from '../../engine/confinement/hold.ts'
import { withinWalls } from '../../platform/confinement/bubblewrap.ts'
import type { Refused } from '../../platform/confinement/network/proxy.ts'
import type { Command } from '../../platform/process/command.ts'
import type { Assignment } from '../drivers/driver.ts'
import { hostsFor } from './hosts-of-session.ts'
import { isEmbeddedAgent, wallsOf } from './walls-of-session.ts'

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
