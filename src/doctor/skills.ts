import { existsSync } from 'node:fs'
import path from 'node:path'
import { workspaceLayout } from '../protocol/layout.ts'
import { archetypeIds, archetypeOf } from '../teams/archetypes.ts'
import { installSkills } from '../teams/skills.ts'
import type { Finding } from './finding.ts'
import type { Patient } from './patient.ts'

const area = 'skills'

/** Whether each team has the skill files that its agent is told to read. */
export function skillFindings({ entries, config, configFault }: Patient): Finding[] {
  // their names stand in the configuration
  if (configFault !== undefined) return []
  return entries
    .filter(({ archetypeId, location }) => archetypeIds.includes(archetypeId) && existsSync(location))
    .flatMap(({ domainId, archetypeId, location }) => {
      const dir = workspaceLayout(location).skills
      const fileOf = (skill: string) =>
        path.join(dir, skill === 'domain-playbook.md' ? `${config.playbookSkill}.md` : skill)
      const missing = () => archetypeOf(archetypeId).skills.filter((skill) => !existsSync(fileOf(skill)))
      return missing().map((skill): Finding => ({
        severity: 'warning',
        area,
        where: fileOf(skill),
        message: `${domainId}: it is missing, and the agent is told to read it`,
        fix: 'write it, or take the one that ships with fed',
        repair() {
          if (!missing().includes(skill)) return undefined
          installSkills(dir, [skill], config.playbookSkill)
          return 'installed as it ships with fed'
        },
      }))
    })
}
