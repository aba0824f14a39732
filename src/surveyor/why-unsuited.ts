/**
 * Why the surveyor cannot work for a team whatever its mission is; undefined when it can.
 * @param deliverable file name of what the team makes.
 */
export function whyUnsuited(archetype: string, deliverable: string): string | undefined {
  if (archetype === 'consultant') return undefined
  if (archetype !== 'deliverable' && archetype !== 'coordinator')
    return `a team of the archetype '${archetype}' needs an agent that can write code`
  if (deliverable.toLowerCase().endsWith('.json'))
    return `the deliverable is ${deliverable}, and it writes Markdown`
  return undefined
}
