import path from 'node:path'
import { readOutside } from '../../platform/storage/outside-file.ts'
import { largestSkill, type Skill } from './skill.ts'
import { besideFile, originalFile, type SkillFolder } from './skill-folder.ts'

/** Where a skill of a workspace stands between the team and what ships. */
export type Standing =
  /** As it ships. */
  | 'current'
  /** Changed by the team, which has been given what ships. */
  | 'changed'
  /** As it was installed, but a newer one ships. */
  | 'outdated'
  /** Changed by the team, and a newer one ships. */
  | 'diverged'
  /** Never installed. */
  | 'missing'
  /** Installed, and removed by the team. */
  | 'removed'
  /** A link, a folder, or no text. */
  | 'unreadable'

/** A skill's three texts, and what lies beside it. */
export interface Look {
  readonly standing: Standing
  /** The team's, undefined where there is none. */
  readonly text: string | undefined
  /** What fed gave the team last: installed, or laid beside it. */
  readonly original: string | undefined
  readonly ours: string
  /** What lies beside it under that name. */
  readonly beside: string | undefined
  /** Why it cannot be read. */
  readonly fault: string | undefined
}

/** Reads what there is of a skill; nothing is changed by looking. */
export function lookAt(folder: SkillFolder, skill: Skill): Look {
  const team = read(path.join(folder.dir, skill.file))
  const original = read(originalFile(folder, skill.file)).text
  const beside = read(besideFile(folder, skill.file)).text
  const look = { ...team, original, ours: skill.text(), beside }
  return { ...look, standing: standingOf(look) }
}

function standingOf({ text, original, ours, fault }: Omit<Look, 'standing'>): Standing {
  if (fault !== undefined) return 'unreadable'
  if (text === undefined) return original === undefined ? 'missing' : 'removed'
  if (text === ours) return 'current'
  if (text === original) return 'outdated'
  return original === ours ? 'changed' : 'diverged'
}

/** A text that is there, or why it cannot be read; neither where nothing is. Links are not followed. */
export function read(file: string): Pick<Look, 'text' | 'fault'> {
  const outside = readOutside(file, { largestBytes: largestSkill, followLinks: false })
  return {
    text: outside.kind === 'text' ? outside.text : undefined,
    fault: outside.kind === 'fault' ? outside.fault : undefined,
  }
}
