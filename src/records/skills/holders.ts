import path from 'node:path'
import { NotFoundError } from '../../errors/fed-error.ts'
import type { Config } from '../../protocol/config-schema.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { META } from '../../protocol/team-id.ts'
import { disk } from '../../platform/storage/disk.ts'
import { skillsOf, skillsOfMeta, type Skill } from './skill.ts'
import { besideFile, skillFolder } from './skill-folder.ts'
import { lookAt, type Standing } from './skill-state.ts'

/** Whoever has skills: a team, or the coordinator. */
export interface Holder {
  readonly address: string
  readonly workspace: string
  readonly skills: readonly Skill[]
}

/** The coordinator with its skills, in the federation's own folder. */
export function metaHolder(root: string): Holder {
  return { address: META, workspace: root, skills: skillsOfMeta() }
}

/**
 * A team with the skills of its archetype.
 * @throws {ConfigValidationError}, {NotFoundError} without a workspace.
 */
export function teamHolder(
  root: string,
  config: Pick<Config, 'playbookSkill'>,
  { domainId, location }: Pick<RegistryEntry, 'domainId' | 'location'>,
  skills: readonly string[],
): Holder {
  if (!disk.exists(location))
    throw new NotFoundError(`the workspace of ${domainId}, ${location}, is not there`)
  return { address: domainId, workspace: location, skills: skillsOf(root, skills, config) }
}

/** Where a skill of a workspace stands. */
export interface SkillStanding {
  readonly skill: string
  readonly standing: Standing
  /** Absolute path. */
  readonly file: string
  /** Where the newer one lies that the team was given, and has not taken away yet. */
  readonly beside?: string
  /** Why it cannot be read. */
  readonly fault?: string
}

/**
 * Where each skill stands; nothing is changed by looking.
 * @throws {RefusedError} when the folder leads out of the workspace.
 */
export function standingsOf({ workspace, skills }: Holder): SkillStanding[] {
  const folder = skillFolder(workspace)
  return skills.map((skill) => {
    const { standing, beside, fault } = lookAt(folder, skill)
    return {
      skill: skill.file,
      standing,
      file: path.join(folder.dir, skill.file),
      ...(beside !== undefined ? { beside: besideFile(folder, skill.file) } : {}),
      ...(fault === undefined ? {} : { fault }),
    }
  })
}
