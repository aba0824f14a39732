import path from 'node:path'
import fs from 'fs-extra'
import { packageRoot } from '../package.ts'

/** The skill files that ship with fed (spec §2.6). */
const shipped = path.join(packageRoot, 'src', 'teams', 'skills')

/** Copies an archetype's skills into a workspace that has none yet. */
export function installSkills(dir: string, names: readonly string[]): void {
  fs.ensureDirSync(dir)
  for (const name of names) fs.copySync(path.join(shipped, name), path.join(dir, name))
}
