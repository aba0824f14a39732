import { UsageError } from '../errors/fed-error.ts'
import { printable } from '../errors/printable.ts'
import { builtInArchetypes, type Archetype } from './archetypes.ts'

/** Id of the archetype that is used where none is named. */
export const usualArchetype = 'deliverable'

/** The archetypes that a federation can onboard: those that ship with fed, and those of its own hook. */
export class Catalogue {
  readonly archetypes: readonly Archetype[]

  constructor(own: readonly Archetype[] = []) {
    this.archetypes = [...builtInArchetypes, ...own]
  }

  get ids(): string[] {
    return this.archetypes.map(({ id }) => id)
  }

  find(id: string): Archetype | undefined {
    return this.archetypes.find((one) => one.id === id)
  }

  /** @throws {UsageError} when there is no such archetype. */
  of(id: string): Archetype {
    const archetype = this.find(id)
    if (archetype === undefined) {
      throw new UsageError(`no archetype '${printable(id)}'; there are ${this.ids.join(', ')}`)
    }
    return archetype
  }
}

/** The archetypes that ship with fed, without those of a hook. */
export const builtIn = new Catalogue()
