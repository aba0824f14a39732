import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigValidationError } from '../../errors/document-errors.ts'
import { UsageError } from '../../errors/fed-error.ts'
import { packageRoot } from '../../platform/process/package.ts'
import type { Config } from '../../protocol/config-schema.ts'
import { federationLayout, workspaceLayout } from '../../protocol/folder-layout.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'

const shipped = path.join(packageRoot, 'src', 'records', 'skills', 'shipped')

/** The skill that a federation fills in; its file bears the name that the configuration gives it (spec §2.3). */
const PLAYBOOK = 'domain-playbook.md'

/** Skills of the coordinator, in the federation's own `.fed/skills/`. */
const coordinatorSkills = ['orchestration.md']

/** A skill is a page or two; what is larger is none. */
export const largestSkill = 1_048_576

/** A skill file of a workspace (spec §2.6). */
export interface Skill {
  /** Its name in `.fed/skills/`. */
  readonly file: string
  /** Whether the agent is told to read it by its name. */
  readonly isPlaybook: boolean
  /** What it says where nobody changed it. */
  text(): string
}

function shippedSkill(name: string): Skill {
  return { file: name, isPlaybook: false, text: () => readFileSync(path.join(shipped, name), 'utf8') }
}

/** Whether a skill of that name ships with fed. */
export function isShipped(name: string): boolean {
  return existsSync(path.join(shipped, name))
}

/** A skill of the repository's own, which an archetype of the federation's hook names by its path. */
function repositorySkill(root: string, name: string): Skill {
  const file = path.resolve(root, name)
  return {
    file: path.posix.basename(name),
    isPlaybook: false,
    text() {
      const outside = readOutside(file, { largestBytes: largestSkill, followLinks: true })
      if (outside.kind === 'text') return outside.text
      const fault = outside.kind === 'missing' ? 'there is no such file' : outside.fault
      throw new UsageError(`${file}: ${fault}; an archetype of importHook names it as a skill`)
    },
  }
}

/** The coordinator's skills. */
export function skillsOfMeta(): Skill[] {
  return coordinatorSkills.map(shippedSkill)
}

/**
 * The skills of a team whose archetype names these. Its playbook is the federation's own, where the
 * coordinator wrote one into the federation's `.fed/skills/`, otherwise the one that ships.
 * @throws {ConfigValidationError} when `playbookSkill` is the name of another skill.
 */
export function skillsOf(
  root: string,
  names: readonly string[],
  { playbookSkill }: Pick<Config, 'playbookSkill'>,
): Skill[] {
  const file = `${playbookSkill}.md`
  const others = [...names.map((name) => path.posix.basename(name)), ...coordinatorSkills].filter(
    (name) => name !== PLAYBOOK,
  )
  if (others.includes(file.toLowerCase())) {
    const message = `'${playbookSkill}' is the name of another skill; give the playbook another`
    throw new ConfigValidationError(federationLayout(root).config, [{ path: 'playbookSkill', message }])
  }
  return names.map((name) => {
    if (name.includes('/')) return repositorySkill(root, name)
    if (name !== PLAYBOOK) return shippedSkill(name)
    return {
      file,
      isPlaybook: true,
      text: () => federationText(root, file) ?? shippedSkill(PLAYBOOK).text(),
    }
  })
}

function federationText(root: string, file: string): string | undefined {
  const own = path.join(workspaceLayout(root).skills, file)
  const outside = readOutside(own, { largestBytes: largestSkill, followLinks: false })
  return outside.kind === 'text' ? outside.text : undefined
}
