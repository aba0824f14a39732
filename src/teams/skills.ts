import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../package.ts'
import { disk, makeDirectory, WRITABLE } from '../storage/disk.ts'

/** The skill files that ship with fed (spec §2.6). */
const shipped = path.join(packageRoot, 'src', 'teams', 'skills')

/** The skill that a federation fills in; its file bears the name that the configuration gives it (spec §2.3). */
const playbook = 'domain-playbook.md'

/** Copies an archetype's skills into a workspace that has none yet. */
export function installSkills(dir: string, names: readonly string[], playbookSkill: string): void {
  makeDirectory(dir)
  for (const name of names) {
    const text = readFileSync(path.join(shipped, name), 'utf8')
    disk.create(path.join(dir, name === playbook ? `${playbookSkill}.md` : name), text, { mode: WRITABLE })
  }
}
