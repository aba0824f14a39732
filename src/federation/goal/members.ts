import type { World } from '../../engine/step/world.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'

/** The entries of the teams that a team coordinates. */
export function membersOf({ registry }: Pick<World, 'registry'>, coordinator: string): RegistryEntry[] {
  return registry.read().teams.filter((entry) => entry.coordinator === coordinator)
}
