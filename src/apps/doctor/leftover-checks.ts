import { counted } from '../../errors/printable.ts'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { disk } from '../../platform/storage/disk.ts'
import { inFolder, remove } from '../../platform/storage/without-links.ts'
import { authorOf } from '../../platform/storage/temporary.ts'
import type { Found } from '../../monitor/diagnosis/finding.ts'
import { keptAside } from '../../monitor/diagnosis/kept-aside.ts'
import type { View } from '../../monitor/diagnosis/view.ts'

/** A writer that is still on its way with a file of this age was stopped for a day. */
const dayMs = 24 * 3_600_000

/** A writer's own name for a file that it has not given its place yet; some name the writer's process. */
const temporary = /^\.[0-9a-f-]{36}(?:\.\d+(?:-\d+)?)?\.(?:claim|tmp)$/

/** Below `.fed`: a team is looked at for itself, mail and setups have rules of their own, the rest is kept as it was. */
const elsewhere = new Set(['teams', 'worktrees', 'signals', 'setup', 'archive', 'copied'])

/** Names that killed writers left in what fed keeps of a federation and its teams, and what repairs put aside. */
export function leftoverFindings({ root, entries }: View): Found[] {
  const workspaces = [root, ...entries.map(({ location }) => location)]
  return workspaces
    .flatMap((workspace) => foldersIn(path.dirname(workspaceLayout(workspace).identity), elsewhere))
    .flatMap((folder) => [...temporaries(folder), ...aside(folder)])
}

/** A folder and all below it but those of these names at its top; links are not followed. */
function foldersIn(folder: string, except?: ReadonlySet<string>): string[] {
  const inside = unless('ENOENT', () => inFolder(folder, (at) => readdirSync(at, { withFileTypes: true })))
  if (inside === undefined) return []
  const folders = inside.filter((entry) => entry.isDirectory() && !except?.has(entry.name))
  return [folder, ...folders.flatMap(({ name }) => foldersIn(path.join(folder, name)))]
}

function temporaries(folder: string): Found[] {
  const old = disk.list(folder).filter((name) => isAbandoned(folder, name))
  if (old.length === 0) return []
  return [
    {
      severity: 'note',
      where: folder,
      message: `${counted(old.length, 'temporary file')} of killed writers`,
      fix: 'they were never committed and can be removed',
      repair() {
        const gone = old.filter((name) => isAbandoned(folder, name))
        for (const name of gone) remove(path.join(folder, name))
        return `${counted(gone.length, 'temporary file')} removed`
      },
    },
  ]
}

function isAbandoned(folder: string, name: string): boolean {
  if (!temporary.test(name) || authorOf(name) === 'running') return false
  return (disk.age(path.join(folder, name)) ?? 0) > dayMs
}

function aside(folder: string): Found[] {
  return disk
    .list(folder)
    .filter((name) => keptAside.test(name))
    .map((name) => ({
      severity: 'note',
      where: path.join(folder, name),
      message: 'damaged, and kept by a repair',
      fix: 'remove it when nobody needs it any more',
    }))
}
