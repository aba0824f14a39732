import { FedError } from '../../errors/fed-error.ts'
import { printable } from '../../errors/printable.ts'
import { ConfinementError } from '../../errors/session-errors.ts'
import { unless } from '../../errors/unless.ts'
import { standHere } from '../../platform/confinement/bubblewrap.ts'
import { homeFault } from '../../platform/confinement/system-rules.ts'
import { repositoryRoot } from '../../platform/git/git.ts'
import type { ConfinementConfig, ConfinementMode } from '../../protocol/config-confinement.ts'

/** What holds a process: the program that makes its walls, or why nothing does. */
export type Hold =
  | { readonly file: string; readonly config: ConfinementConfig }
  | {
      /** Why it is open. */
      readonly open: string
      /** What a person does about it. */
      readonly remedy: string
    }

/**
 * What will hold the agents and the checks of a federation.
 * @param root of its federation.
 * @param chosen what somebody chose for them, instead of what is configured.
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
