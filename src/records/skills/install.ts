import path from 'node:path'
import { createOnce, disk, WRITABLE } from '../../platform/storage/disk.ts'
import type { Skill } from './skill.ts'
import { madeSkillFolder, originalFile, skillFolder } from './skill-folder.ts'

/**
 * Installs skills that a workspace never had, each with a copy for later comparison. What the team has, or
 * had and removed, stays as it is.
 * @returns whether any was missing.
 * @throws {RefusedError} when the folder leads out of the workspace.
 */
export function installSkills(workspace: string, skills: readonly Skill[]): boolean {
  const folder = skillFolder(workspace)
  const absent = skills.filter(
    ({ file }) => !disk.exists(path.join(folder.dir, file)) && !disk.exists(originalFile(folder, file)),
  )
  if (absent.length === 0) return false
  madeSkillFolder(workspace)
  for (const skill of absent) {
    const text = skill.text()
    // the copy last: with the copy alone the skill would count as removed
    if (createOnce(path.join(folder.dir, skill.file), text, folder.originals, { mode: WRITABLE }))
      createOnce(originalFile(folder, skill.file), text)
  }
  return true
}
