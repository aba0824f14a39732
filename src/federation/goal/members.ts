import { allEntries, type World } from '../../engine/step/world.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'

/** The entries of the teams that a team coordinates, wherever they live. */
export function membersOf(
  world: Pick<World, 'registry' | 'elsewhere'>,
  coordinator: string,
): RegistryEntry[] {
  return allEntries(world).filter((entry) => entry.coordinator === coordinator)
}
