import path from 'node:path'
import fs from 'fs-extra'
import { packageRoot } from '../package.ts'

/** The skill files that ship with fed (spec §2.6). */
const shipped = path.join(packageRoot, 'src', 'teams', 'skills')

/** The skill that a federation fills in; its file bears the name that the configuration gives it (spec §2.3). */
const playbook = 'domain-playbook.md'

/** Copies an archetype's skills into a workspace that has none yet. */
export function installSkills(dir: string, names: readonly string[], playbookSkill: string): void {
  fs.ensureDirSync(dir)
  for (const name of names) {
    fs.copySync(path.join(shipped, name), path.join(dir, name === playbook ? `${playbookSkill}.md` : name))
  }
}
