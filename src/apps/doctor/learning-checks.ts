import { existsSync } from 'node:fs'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { readLearnings } from '../../records/learnings/learning-log.ts'
import { reasonOf, type Found } from '../../monitor/diagnosis/finding.ts'
import { isDamage, type View } from '../../monitor/diagnosis/view.ts'

/** Learning logs that cannot be read, and lines that are no finding: they stay, for people to look at. */
export function learningFindings({ entries }: View): Found[] {
  return entries.filter(({ location }) => existsSync(location)).flatMap(oneTeam)
}

/** So many lines are named; a log that is none at all has thousands. */
const named = 5

function oneTeam({ domainId: team, location }: RegistryEntry): Found[] {
  const where = workspaceLayout(location).learnings
  try {
    const { bad } = readLearnings(location)
    const [first] = bad
    if (first === undefined) return []
    const lines = bad.slice(0, named).map(({ line }) => line)
    const more = bad.length > named ? ` and ${bad.length - named} more` : ''
    const which = `${bad.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`
    const verb = bad.length === 1 ? 'is no finding' : 'are no findings'
    const message = `${team}: ${which} ${verb} and passed over; line ${first.line}: ${first.reason}`
    const fix = 'correct the line in an editor, or remove it; every other line counts as before'
    return [{ severity: 'warning', where, message, fix }]
  } catch (error) {
    if (!isDamage(error)) throw error
    const message = `${team}: it cannot be read: ${reasonOf(error)}`
    const fix = `move it away by hand; 'fed learn' begins a new one, and the milestones that ask for findings wait for it`
    return [{ severity: 'error', where, message, fix }]
  }
}
