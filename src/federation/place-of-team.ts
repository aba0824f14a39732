import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { federationLayout } from '../protocol/folder-layout.ts'
import type { PlacementType, RegistryEntry } from '../protocol/registry-schema.ts'

/** Absolute path of the workspace that fed gives a team (spec §2.4). */
export function workspaceFor(root: string, placement: PlacementType, id: string): string {
  const { teams, worktrees } = federationLayout(root)
  return path.join(placement === 'worktree' ? worktrees : teams, id)
}

/**
 * Whether an entry of the registry names the workspace that fed gave the team. The registry is a file that anybody
 * may have written; a folder that is not there yet may become anything.
 */
export function isInItsPlace(
  root: string,
  { domainId, location, placementType }: Pick<RegistryEntry, 'domainId' | 'location' | 'placementType'>,
): boolean {
  const workspace = workspaceFor(root, placementType, domainId)
  if (location === workspace) return true
  return existsSync(location) && existsSync(workspace) && realpathSync(location) === realpathSync(workspace)
}
