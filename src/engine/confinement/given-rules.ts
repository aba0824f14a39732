import os from 'node:os'
import type { Rule } from '../../platform/confinement/walls.ts'
import type { ConfinementConfig } from '../../protocol/config-confinement.ts'

/** The rules for what the configuration gives of the file system; `~` is the person's home. */
export function givenRules({ read, write, sockets }: ConfinementConfig): Rule[] {
  const given = (kind: Rule['kind'], places: readonly string[]) =>
    places.map((place): Rule => ({ kind, at: place.replace(/^~(?=\/)/, os.homedir()) }))
  return [...given('read', read), ...given('write', [...write, ...sockets])]
}
