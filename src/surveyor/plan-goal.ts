import type { Areas } from './areas.ts'

/** A plan with a task for each area; with one task where there are no areas, or the goal is about one thing. */
export async function planOf(goal: string, isGeneral: boolean, { areas }: Areas): Promise<string> {
  const { stringify } = await import('yaml')
  const tasks =
    areas.length < 2 || !isGeneral
      ? [
          {
            id: isGeneral ? 'repository' : 'answer',
            mission: isGeneral ? 'Document the whole repository' : goal,
          },
        ]
      : areas.map(({ id, folder }) => ({ id, mission: missionFor(id, folder) }))
  return stringify({
    goal,
    tasks,
    gather:
      'One document: an index of the areas, how they depend on each other, and links into their documents',
  })
}

function missionFor(id: string, folder: string): string {
  const place = folder === '.' ? '' : `, around ${folder}`
  return `Document the area ${id} of this repository${place}`
}

/** The area that a mission asks for, where `planOf` wrote it. */
export function areaAskedBy(mission: string): string | undefined {
  return /^Document the area ([a-z0-9-]+) of this repository(?:, around \S+)?(?:\n|$)/.exec(mission)?.[1]
}
