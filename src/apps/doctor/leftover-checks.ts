import { readdirSync } from 'node:fs'
import path from 'node:path'
import fs from 'fs-extra'
import { identify } from '../../platform/process/process-identity.ts'
import { federationLayout, workspaceLayout } from '../../protocol/folder-layout.ts'
import { disk } from '../../platform/storage/disk.ts'
import { isFolder } from '../../platform/storage/folder-fault.ts'
import { versionsDirectory } from '../../platform/storage/versioned-steps.ts'
import type { Found } from '../../monitor/diagnosis/finding.ts'
import { keptAside } from '../../monitor/diagnosis/kept-aside.ts'
import type { View } from '../../monitor/diagnosis/view.ts'

/** A writer that is still on its way with a file of this age was stopped for a day. */
const dayMs = 24 * 3_600_000

/** A writer's own name for a file that it has not given its place yet; some bear the writer's process id. */
const temporary = /^\.[0-9a-f-]{36}(?:\.(\d+))?(?:\.ack)?\.(?:claim|tmp|trial)$/

/** Names that killed writers left beside documents and records, and what repairs put aside. */
export function leftoverFindings({ root, entries }: View): Found[] {
  const workspaces = [root, ...entries.map(({ location }) => location)]
  const layouts = workspaces.map(workspaceLayout)
  const folders = [
    path.dirname(federationLayout(root).registry),
    versionsDirectory(federationLayout(root).registry),
    ...layouts.flatMap(({ identity, lifecycle, sessions, skills }) => [
      path.dirname(identity),
      versionsDirectory(lifecycle),
      sessions,
      skills,
      path.join(skills, '.original'),
    ]),
  ]
  return [...new Set(folders)].flatMap((folder) => [...temporaries(folder), ...aside(folder)])
}

function namesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).map(({ name }) => name)
}

function temporaries(folder: string): Found[] {
  if (!isFolder(folder)) return []
  const old = namesIn(folder).filter((name) => isAbandoned(folder, name))
  if (old.length === 0) return []
  return [
    {
      severity: 'note',
      where: folder,
      message: `${count(old.length, 'temporary file')} of killed writers`,
      fix: 'they were never committed and can be removed',
      repair() {
        const gone = old.filter((name) => isAbandoned(folder, name))
        for (const name of gone) fs.removeSync(path.join(folder, name))
        return `${count(gone.length, 'temporary file')} removed`
      },
    },
  ]
}

function isAbandoned(folder: string, name: string): boolean {
  const match = temporary.exec(name)
  if (match === null || (match[1] !== undefined && identify(Number(match[1])) !== undefined)) return false
  return (disk.age(path.join(folder, name)) ?? 0) > dayMs
}

function aside(folder: string): Found[] {
  if (!isFolder(folder)) return []
  return namesIn(folder)
    .filter((name) => keptAside.test(name))
    .map((name) => ({
      severity: 'note',
      where: path.join(folder, name),
      message: 'damaged, and kept by a repair',
      fix: 'remove it when nobody needs it any more',
    }))
}

function count(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`
}
