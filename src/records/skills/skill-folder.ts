import path from 'node:path'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { makeDirectory } from '../../platform/storage/disk.ts'
import { assertNoLinkTo } from '../../platform/storage/without-links.ts'

/** Where a workspace's skills are, and what fed keeps about them. */
export interface SkillFolder {
  readonly dir: string
  /** Texts as fed gave them to the team, and what is under way; nobody else writes there. */
  readonly originals: string
}

/**
 * The folder of a workspace's skills, which may not be there yet.
 * @throws {NotPlainFileError} when a link lies there or on the way.
 */
export function skillFolder(workspace: string): SkillFolder {
  const dir = workspaceLayout(workspace).skills
  const originals = path.join(dir, '.original')
  for (const folder of [dir, originals]) assertNoLinkTo(folder)
  return { dir, originals }
}

/** The same, made where it is not there. */
export function madeSkillFolder(workspace: string): SkillFolder {
  const folder = skillFolder(workspace)
  makeDirectory(folder.originals)
  return folder
}

/** Where fed keeps a skill as it gave it to the team last. */
export function originalFile({ originals }: SkillFolder, file: string): string {
  return path.join(originals, file)
}

/** Where a newer skill lies beside the one that the team changed. */
export function besideFile({ dir }: SkillFolder, file: string): string {
  return path.join(dir, `${file}.new`)
}
