import { realpathSync } from 'node:fs'
import path from 'node:path'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { isShipped, largestSkill } from '../../records/skills/skill.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'
import { isWithin } from './hook-file.ts'
import type { MachineProblem } from './machine-rules.ts'

/** What is wrong with the skills that an archetype names: of fed's by name, of the repository's by path. */
export function ownSkillProblems(root: string, skills: readonly string[]): MachineProblem[] {
  const names = skills.map((skill) => path.posix.basename(skill))
  return skills.flatMap((skill, index) => {
    const tell = (message: string) => [{ message: `skills: ${skill}: ${message}`, about: skill }]
    const name = names[index] as string
    if (names.indexOf(name) < index) return tell('another skill has that name')
    if (!skill.includes('/'))
      return isShipped(skill)
        ? []
        : tell("no such skill ships with fed; one of the repository's is named by its path, with a '/'")
    if (isShipped(name)) return tell('a skill that ships with fed has that name')
    if (!/^[\w][\w.-]*\.md$/.test(name))
      return tell('a skill is a Markdown file, such as skills/audit-standards.md')
    const file = path.resolve(root, skill)
    const outside = readOutside(file, { largestBytes: largestSkill, followLinks: true })
    if (outside.kind !== 'text')
      return tell(outside.kind === 'missing' ? 'there is no such file' : outside.fault)
    const isOwn =
      isWithin(realpathSync(root), realpathSync(file)) && !isWithin(federationLayout(root).fed, file)
    return isOwn ? [] : tell('it lies outside of the repository, or in .fed')
  })
}
