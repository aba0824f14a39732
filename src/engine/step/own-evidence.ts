import type { OtherTeam, OwnFinding, TeamContext } from '../../../machines/team-event.ts'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { gitOrNothing } from '../../platform/git/git.ts'
import { branchOf } from '../../platform/git/worktree.ts'
import { lifecycleDocument } from './lifecycle-document.ts'
import type { OwnFacts } from './own-functions.ts'
import type { Actor } from './world.ts'

/** So long such a function may take, in milliseconds. */
const longestMs = 5000

/** So much of what it returns is kept in the team's history, in characters of JSON. */
const largestValue = 16_384

/** Where the other teams stand that a mission names. */
export function othersNamedBy(
  { team, world }: Pick<Actor, 'team' | 'world'>,
  { mission }: TeamContext,
): Readonly<Record<string, OtherTeam>> {
  const words = new Set(`${mission?.subject ?? ''} ${mission?.body ?? ''}`.toLowerCase().match(/[a-z0-9-]+/g))
  const others = world.registry
    .read()
    .teams.filter(({ domainId }) => domainId !== team && words.has(domainId))
    .map(({ domainId, archetypeId, location, placementType }): [string, OtherTeam] => {
      const head = unless(FedError, () => lifecycleDocument(location).read())
      const name = branchOf(domainId)
      const tip =
        placementType === 'worktree'
          ? gitOrNothing(world.root, 'rev-parse', '--verify', `refs/heads/${name}`)
          : undefined
      return [
        domainId,
        {
          archetype: archetypeId,
          state: head === undefined ? null : leafOf(head.content.snapshot.value),
          branch: tip === undefined ? null : { name, head: tip },
        },
      ]
    })
  return Object.fromEntries(others)
}

function leafOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  const [inner] = Object.values((value ?? {}) as object) as unknown[]
  return inner === undefined ? null : leafOf(inner)
}

/** Asks a function of the archetype's own; whatever it does, there is an answer that a history can keep. */
export async function findOut(actor: Actor, name: string, facts: OwnFacts): Promise<OwnFinding> {
  const ask = actor.ownEvidence?.[name]
  if (ask === undefined) return { fault: `the archetype has no function '${name}' for evidence` }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${longestMs / 1000} seconds`)), longestMs)
  })
  try {
    // what it does to them is its own affair
    const value: unknown = await Promise.race([ask(structuredClone(facts)), late])
    const json = JSON.stringify(value ?? null)
    if (json.length > largestValue) return { fault: `it returned more than ${largestValue} characters` }
    return { value: JSON.parse(json) as unknown }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}
