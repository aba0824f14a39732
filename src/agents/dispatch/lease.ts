import { claim, isClaimed } from '../../platform/storage/claim.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'

const NAME = 'dispatcher'

/**
 * Takes the lease of a federation: of all processes one starts agents for many teams. That of one that died is free.
 * @returns how to give it back; undefined while another process has it.
 */
export function takeLease(root: string): (() => void) | undefined {
  return claim(federationLayout(root).fed, NAME)
}

/** Whether a process dispatches a federation's teams. */
export function isDispatched(root: string): boolean {
  return isClaimed(federationLayout(root).fed, NAME)
}
