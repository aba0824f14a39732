import { createHash } from 'node:crypto'
import path from 'node:path'
import { readOutside } from '../../platform/storage/outside-file.ts'
import { largestSkill, type Skill } from './skill.ts'
import { besideFile, offeredFile, originalFile, type SkillFolder } from './skill-folder.ts'

/** Where a skill of a workspace stands between the team and what ships. */
export type Standing =
  /** As it ships. */
  | 'current'
  /** Changed by the team; what ships is what was installed. */
  | 'changed'
  /** As it was installed, but a newer one ships. */
  | 'outdated'
  /** Changed by the team, and a newer one ships. */
  | 'diverged'
  /** The same, and the two could not be merged: the newer one lies beside it. */
  | 'conflict'
  /** Never installed. */
  | 'missing'
  /** Installed, and removed by the team. */
  | 'removed'
  /** A link, a folder, or no text. */
  | 'unreadable'

/** Texts as they shipped before fed kept originals, by SHA-256: whoever has one of these changed nothing. */
const shippedEarlier = new Set([
  '2fbf46005ebd90a75b1326df5ba93d0c1c7e1c15ef7c0a8d879b440edd2fbb59',
  '2506ba65ac02ca6d1f422d5f2b3c1ff15450f28243e4a0d98f032aaba80abfff',
  'ee171c933f80ac4603b70d4bc5b17b8a00f7fa7bc3990db05c5af44197cb4d9b',
  '3515f6c25ae95aa5c16f317ace1a182a05c609d6132456c52943ccf5da9805e0',
])

/** A skill's three texts, and what lies beside it. */
export interface Look {
  readonly standing: Standing
  /** The team's, undefined where there is none. */
  readonly text: string | undefined
  /** What the team's was made of, as far as that is known. */
  readonly original: string | undefined
  readonly ours: string
  /** What was laid beside it. */
  readonly offered: string | undefined
  /** Whether somebody looked at that and removed it: it counts as what the team's was made of. */
  readonly isResolved: boolean
  /** What lies beside it under that name. */
  readonly beside: string | undefined
  /** Why it cannot be read. */
  readonly fault: string | undefined
}

/** Reads what there is of a skill; nothing is changed by looking. */
export function lookAt(folder: SkillFolder, skill: Skill): Look {
  const team = read(path.join(folder.dir, skill.file))
  const kept = read(originalFile(folder, skill.file)).text
  const offered = read(offeredFile(folder, skill.file)).text
  const beside = read(besideFile(folder, skill.file)).text
  const ours = skill.text()
  const isResolved = offered !== undefined && beside === undefined
  const original = isResolved ? offered : (kept ?? asShippedEarlier(team.text))
  const look = { ...team, original, ours, offered, isResolved, beside }
  return { ...look, standing: standingOf(look) }
}

function standingOf({ text, original, ours, beside, offered, fault }: Omit<Look, 'standing'>): Standing {
  if (fault !== undefined) return 'unreadable'
  if (text === undefined) return original === undefined ? 'missing' : 'removed'
  if (text === ours) return 'current'
  if (text === original) return 'outdated'
  if (original === ours) return 'changed'
  return offered === undefined || beside === undefined ? 'diverged' : 'conflict'
}

function asShippedEarlier(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  return shippedEarlier.has(createHash('sha256').update(text).digest('hex')) ? text : undefined
}

/** A text that is there, or why it cannot be read; neither where nothing is. Links are not followed. */
export function read(file: string): Pick<Look, 'text' | 'fault'> {
  const outside = readOutside(file, { largestBytes: largestSkill, followLinks: false })
  return {
    text: outside.kind === 'text' ? outside.text : undefined,
    fault: outside.kind === 'fault' ? outside.fault : undefined,
  }
}
